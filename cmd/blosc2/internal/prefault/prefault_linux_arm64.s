//go:build !purego

#include "textflag.h"

// func madvise(at, size uintptr, advice int)
TEXT ·madvise(SB), NOSPLIT, $0-24
	MOVD at+0(FP), R0
	MOVD size+8(FP), R1
	MOVD advice+16(FP), R2
	MOVD $233, R8 // SYS_MADVISE
	SVC
	RET

// func program() (from, to uintptr)
TEXT ·program(SB), NOSPLIT, $0-16
	MOVD $runtime·text(SB), R0
	MOVD R0, from+0(FP)
	MOVD $runtime·erodata(SB), R0
	MOVD R0, to+8(FP)
	RET
