//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// func sumBytes(b []byte, turn uint64, to *byteLanes)
//
// Y0 sums, Y1 squares, Y2 low, Y3 high, Y4 zero, Y7 turn, AX zeros
TEXT ·sumBytes(SB), NOSPLIT, $0-40
	MOVQ         b_base+0(FP), SI
	MOVQ         b_len+8(FP), CX
	MOVQ         to+32(FP), DI
	SHRQ         $5, CX
	VPXOR        Y0, Y0, Y0
	VPXOR        Y1, Y1, Y1
	VPCMPEQB     Y2, Y2, Y2
	VPXOR        Y3, Y3, Y3
	VPXOR        Y4, Y4, Y4
	VPBROADCASTQ turn+24(FP), Y7
	XORL         AX, AX
	TESTQ        CX, CX
	JZ           done

loop:
	VMOVDQU    (SI), Y8
	VPCMPEQB   Y4, Y8, Y9
	VPMOVMSKB  Y9, BX
	POPCNTL    BX, BX
	ADDQ       BX, AX
	VPXOR      Y7, Y8, Y8
	VPMINUB    Y8, Y2, Y2
	VPMAXUB    Y8, Y3, Y3
	VPSADBW    Y4, Y8, Y9
	VPADDQ     Y9, Y0, Y0
	VPUNPCKLBW Y4, Y8, Y9
	VPUNPCKHBW Y4, Y8, Y8
	VPMADDWD   Y9, Y9, Y9
	VPMADDWD   Y8, Y8, Y8
	VPADDD     Y9, Y1, Y1
	VPADDD     Y8, Y1, Y1
	ADDQ       $32, SI
	DECQ       CX
	JNZ        loop

done:
	VMOVDQU Y0, byteLanes_sum(DI)
	VMOVDQU Y1, byteLanes_squares(DI)
	VMOVDQU Y2, byteLanes_low(DI)
	VMOVDQU Y3, byteLanes_high(DI)
	MOVQ    AX, byteLanes_zeros(DI)
	VZEROUPPER
	RET

// func sumShorts(b []byte, turn uint64, to *shortLanes)
//
// Y0 sums, Y1 squares, Y2 low, Y3 high, Y4 zero, Y5 ones, Y6 the low halves of words of
// 64 bits, Y7 turn, AX bytes of zeros
TEXT ·sumShorts(SB), NOSPLIT, $0-40
	MOVQ         b_base+0(FP), SI
	MOVQ         b_len+8(FP), CX
	MOVQ         to+32(FP), DI
	SHRQ         $5, CX
	VPXOR        Y0, Y0, Y0
	VPXOR        Y1, Y1, Y1
	VPCMPEQW     Y5, Y5, Y5
	VPSRLW       $1, Y5, Y2
	VPSLLW       $15, Y5, Y3
	VPXOR        Y4, Y4, Y4
	VPSRLQ       $32, Y5, Y6
	VPSRLW       $15, Y5, Y5
	VPBROADCASTQ turn+24(FP), Y7
	XORL         AX, AX
	TESTQ        CX, CX
	JZ           done

loop:
	VMOVDQU   (SI), Y8
	VPCMPEQW  Y4, Y8, Y9
	VPMOVMSKB Y9, BX
	POPCNTL   BX, BX
	ADDQ      BX, AX
	VPXOR     Y7, Y8, Y8
	VPMINSW   Y8, Y2, Y2
	VPMAXSW   Y8, Y3, Y3
	VPMADDWD  Y5, Y8, Y9
	VPADDD    Y9, Y0, Y0
	VPMADDWD  Y8, Y8, Y9    // unsigned sums of two squares, at most 1<<31
	VPAND     Y6, Y9, Y10
	VPSRLQ    $32, Y9, Y9
	VPADDQ    Y10, Y1, Y1
	VPADDQ    Y9, Y1, Y1
	ADDQ      $32, SI
	DECQ      CX
	JNZ       loop

done:
	VMOVDQU Y0, shortLanes_sum(DI)
	VMOVDQU Y1, shortLanes_squares(DI)
	VMOVDQU Y2, shortLanes_low(DI)
	VMOVDQU Y3, shortLanes_high(DI)
	MOVQ    AX, shortLanes_zeros(DI)
	VZEROUPPER
	RET
