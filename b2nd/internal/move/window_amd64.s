//go:build !purego

#include "textflag.h"
#include "go_asm.h"

// LOOP moves rows of windows. in and out are names of one register, which set how
// many bytes an instruction loads and stores: a wider one than necessary crosses a
// cache line nearly every time.
#define LOOP(name, step, last, in, out) \
name: \
	MOVQ  DI, BX; \
	MOVQ  SI, DX; \
	MOVQ  R12, R13; \
	TESTQ R13, R13; \
	JZ    last; \
step: \
	VMOVDQU8.Z (DX), K1, in; \
	VPERMB     Z0, Z1, Z0; \
	VMOVDQU8   out, K2, (BX); \
	ADDQ R10, DX; \
	ADDQ R11, BX; \
	DECQ R13; \
	JNZ  step; \
last: \
	VMOVDQU8.Z (DX), K3, in; \
	VPERMB     Z0, Z1, Z0; \
	VMOVDQU8   out, K4, (BX); \
	ADDQ R8, DI; \
	ADDQ R9, SI; \
	DECQ CX; \
	JNZ  name; \
	VZEROUPPER; \
	RET

// func windowsAVX512(dst, src *byte, w *Window, dstRow, srcRow, rows int)
//
// For each row it moves steps windows: it loads the bytes in the mask load, permutes
// them by perm, and stores the bytes in the mask store. Then it moves one more window
// with the last masks.
TEXT ·windowsAVX512(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ w+16(FP), AX
	MOVQ dstRow+24(FP), R8
	MOVQ srcRow+32(FP), R9
	MOVQ rows+40(FP), CX

	VMOVDQU8 Window_perm(AX), Z1
	KMOVQ Window_load(AX), K1
	KMOVQ Window_store(AX), K2
	KMOVQ Window_lastLoad(AX), K3
	KMOVQ Window_lastStore(AX), K4
	MOVQ  Window_srcStep(AX), R10
	MOVQ  Window_dstStep(AX), R11
	MOVQ  Window_steps(AX), R12

	MOVQ  Window_srcSpan(AX), R13
	MOVQ  Window_dstSpan(AX), BX
	CMPQ  R13, $16
	JLE   short
	CMPQ  R13, $32
	JLE   middle
	CMPQ  BX, $16
	JLE   zx
	CMPQ  BX, $32
	JLE   zy
	LOOP(zz, zzStep, zzLast, Z0, Z0)
	LOOP(zy, zyStep, zyLast, Z0, Y0)
	LOOP(zx, zxStep, zxLast, Z0, X0)

middle:
	CMPQ  BX, $16
	JLE   yx
	CMPQ  BX, $32
	JLE   yy
	LOOP(yz, yzStep, yzLast, Y0, Z0)
	LOOP(yy, yyStep, yyLast, Y0, Y0)
	LOOP(yx, yxStep, yxLast, Y0, X0)

short:
	CMPQ  BX, $16
	JLE   xx
	CMPQ  BX, $32
	JLE   xy
	LOOP(xz, xzStep, xzLast, X0, Z0)
	LOOP(xy, xyStep, xyLast, X0, Y0)
	LOOP(xx, xxStep, xxLast, X0, X0)
