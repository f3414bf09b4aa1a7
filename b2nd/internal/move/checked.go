//go:build purego || !(amd64 || arm64)

package move

// one moves a word.
func one[W word](dst []byte, i int, src []byte, j int) {
	var w W
	copy(dst[i:i+len(w)], src[j:j+len(w)])
}
