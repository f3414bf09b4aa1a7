//go:build !purego

#include "textflag.h"

// func madvise(at, size uintptr, advice int) (result int)
TEXT ·madvise(SB), NOSPLIT, $0-32
	MOVD at+0(FP), R0
	MOVD size+8(FP), R1
	MOVD advice+16(FP), R2
	MOVD $233, R8 // SYS_MADVISE
	SVC
	MOVD R0, result+24(FP)
	RET

// func program() (from, to uintptr)
TEXT ·program(SB), NOSPLIT, $0-16
	MOVD $runtime·text(SB), R0
	MOVD R0, from+0(FP)
	MOVD $runtime·erodata(SB), R0
	MOVD R0, to+8(FP)
	RET
