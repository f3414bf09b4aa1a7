//go:build purego || !amd64

package shuffle

// FusesDelta reports whether ShuffleDelta and UnshuffleDelta are faster than two
// passes for items of size bytes.
func FusesDelta(size int) bool { return false }

func gatherDeltaAsm([]byte, int, []byte, int) int { return 0 }

func scatterDeltaAsm([]byte, int, []byte, int) int { return 0 }
