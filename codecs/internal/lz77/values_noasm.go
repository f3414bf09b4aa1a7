//go:build purego || !amd64

package lz77

func scanFast[P position](*Values[P], []Repeat, []byte, int, int) bool { return false }
