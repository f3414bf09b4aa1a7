//go:build purego || !amd64

package shuffle

// FusesDelta reports whether ShuffleDelta and UnshuffleDelta use one pass for items of
// size bytes, because that is faster than two.
func FusesDelta(size int) bool { return false }

func (*direction) deltaAsm([]byte, int, []byte, int) int { return 0 }
