//go:build purego || !amd64

package lz77

const hasFast16 = false

// fast16 is never called here.
func fast16(_ *uint16, _ []byte, _, _ int, _ *[2]int, _ []Seq, _, _ int) (n int) {
	return 0
}
