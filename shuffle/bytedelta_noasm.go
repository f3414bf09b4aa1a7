//go:build purego || !amd64

package shuffle

// FusesDelta reports whether ShuffleDelta and UnshuffleDelta are faster than two
// passes for items of size bytes.
func FusesDelta(size int) bool { return false }

func (*direction) deltaAsm([]byte, int, []byte, int) int { return 0 }
