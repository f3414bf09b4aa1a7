//go:build !purego

#include "textflag.h"

DATA weights<>+0x00(SB)/8, $0x393a3b3c3d3e3f40
DATA weights<>+0x08(SB)/8, $0x3132333435363738
DATA weights<>+0x10(SB)/8, $0x292a2b2c2d2e2f30
DATA weights<>+0x18(SB)/8, $0x2122232425262728
DATA weights<>+0x20(SB)/8, $0x191a1b1c1d1e1f20
DATA weights<>+0x28(SB)/8, $0x1112131415161718
DATA weights<>+0x30(SB)/8, $0x090a0b0c0d0e0f10
DATA weights<>+0x38(SB)/8, $0x0102030405060708
GLOBL weights<>(SB), RODATA|NOPTR, $64

// ADD4 computes the sum of the four words of 64 bits in Y, whose low half is X.
#define ADD4(Y, X, T, R) \
	VEXTRACTI128 $1, Y, T \
	VPADDQ       T, X, X  \
	VPSRLDQ      $8, X, T \
	VPADDQ       T, X, X  \
	VMOVQ        X, R

// WIDEN adds the two halves of each word of 64 bits.
#define WIDEN(Y, T) \
	VPSRLQ $32, Y, T      \
	VPBLENDD $0xaa, Y7, Y, Y \
	VPADDQ T, Y, Y

// func sumAVX2(src []byte) (sum, before, weighted uint64)
//
// Y0 sum, Y1 before, Y2 weighted; Y7 zero, Y8 and Y9 the weights, Y10 ones
TEXT ·sumAVX2(SB), NOSPLIT, $0-48
	MOVQ     src_base+0(FP), SI
	MOVQ     src_len+8(FP), CX
	SHRQ     $6, CX
	VPXOR    Y0, Y0, Y0
	VPXOR    Y1, Y1, Y1
	VPXOR    Y2, Y2, Y2
	VPXOR    Y7, Y7, Y7
	VMOVDQU  weights<>+0x00(SB), Y8
	VMOVDQU  weights<>+0x20(SB), Y9
	VPCMPEQW Y10, Y10, Y10
	VPSRLW   $15, Y10, Y10
	TESTQ    CX, CX
	JZ       done

loop:
	VMOVDQU    (SI), Y3
	VMOVDQU    32(SI), Y4
	VPADDQ     Y0, Y1, Y1
	VPSADBW    Y7, Y3, Y5
	VPSADBW    Y7, Y4, Y6
	VPMADDUBSW Y8, Y3, Y3
	VPMADDUBSW Y9, Y4, Y4
	VPADDQ     Y5, Y6, Y5
	VPADDQ     Y5, Y0, Y0
	VPMADDWD   Y10, Y3, Y3
	VPMADDWD   Y10, Y4, Y4
	VPADDD     Y3, Y4, Y3
	VPADDD     Y3, Y2, Y2
	ADDQ       $64, SI
	DECQ       CX
	JNZ        loop

done:
	WIDEN(Y2, Y3)
	ADD4(Y0, X0, X3, AX)
	ADD4(Y1, X1, X3, BX)
	ADD4(Y2, X2, X3, DX)
	MOVQ AX, sum+24(FP)
	MOVQ BX, before+32(FP)
	MOVQ DX, weighted+40(FP)
	VZEROUPPER
	RET
