//go:build !purego

package move

import "golang.org/x/sys/cpu"

// hasWindows tells whether this machine moves bytes within a register anywhere.
var hasWindows = cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VL && cpu.X86.HasAVX512VBMI

// windows moves rows of windows. Nothing but the bytes of the masks is touched.
//
//go:noescape
func windows(dst, src *byte, w *Window, dstRow, srcRow, rows int)
