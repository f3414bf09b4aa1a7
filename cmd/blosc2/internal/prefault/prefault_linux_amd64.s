//go:build !purego

#include "textflag.h"

// func madvise(at, size uintptr, advice int)
TEXT ·madvise(SB), NOSPLIT, $0-24
	MOVQ at+0(FP), DI
	MOVQ size+8(FP), SI
	MOVQ advice+16(FP), DX
	MOVL $28, AX // SYS_MADVISE
	SYSCALL
	RET

// func program() (from, to uintptr)
TEXT ·program(SB), NOSPLIT, $0-16
	LEAQ runtime·text(SB), AX
	MOVQ AX, from+0(FP)
	LEAQ runtime·erodata(SB), AX
	MOVQ AX, to+8(FP)
	RET
