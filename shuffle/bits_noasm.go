//go:build purego || !amd64

package shuffle

func (*direction) shuffleBitsAsm([]byte, int, []byte, int, int) int { return 0 }
