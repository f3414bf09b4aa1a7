//go:build purego || !amd64

package shuffle

func bitShuffleAsm([]byte, int, []byte, int, int) int   { return 0 }
func bitUnshuffleAsm([]byte, []byte, int, int, int) int { return 0 }
