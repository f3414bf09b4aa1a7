//go:build purego || !amd64

package move

var hasWindows = false

func windows(dst, src *byte, w *Window, dstRow, srcRow, rows int) { panic("move: no windows") }
