//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// fastSSSE3 is fastGeneric (fast.go) in assembly. Short matches of all distances take the
// same path.
//
// SI, DI    start of the current instruction in src and dst
// R11       position within it
// R8, R9    starts of the margins
// R10       start of dst
// AX        control byte, then high bits of the distance
// CX        length
// DX        distance
// BX        source of the match
// R13       masks and, after the 17 of them, steps of mem.Spreader

// func fastSSSE3(dst, src []byte, op, ip int, spread *mem.Spreader) (int, int)
TEXT ·fastSSSE3(SB), NOSPLIT, $0-88
	// The loop must not cross into another page of 4 KiB: decoding then takes up to
	// 1.10 times as long on an AMD EPYC, as padding before this function shows with
	// go test -bench Decode/blosclz ./codecs.
	PCALIGN $1024
	MOVQ dst_base+0(FP), R10
	MOVQ dst_len+8(FP), R9
	MOVQ src_base+24(FP), SI
	MOVQ src_len+32(FP), R8
	MOVQ op+48(FP), DI
	MOVQ ip+56(FP), R11
	SUBQ $80, R8             // srcMargin
	JLS  none                // src is too short: the pointers below would be out of range
	SUBQ $112, R9            // dstMargin
	JLS  none
	ADDQ SI, R8
	ADDQ R10, R9
	ADDQ R11, SI
	ADDQ R10, DI
	MOVQ spread+64(FP), R13
	MOVQ $16, R14

instruction:
	CMPQ    SI, R8
	JAE     out
	CMPQ    DI, R9
	JAE     out
	MOVBLZX (SI), AX
	CMPQ    AX, $32
	JAE     match
	MOVOU   1(SI), X0
	MOVOU   17(SI), X1
	MOVOU   X0, (DI)
	MOVOU   X1, 16(DI)
	LEAQ    2(SI)(AX*1), SI
	LEAQ    1(DI)(AX*1), DI

	// A run of literals is usually followed by a match.
	MOVBLZX (SI), AX
	CMPQ    AX, $32
	JB      instruction

match:
	MOVQ    AX, CX
	LEAQ    2(SI), R11
	SHRQ    $5, CX
	ANDQ    $31, AX
	CMPQ    CX, $7
	JEQ     longLength
	MOVBLZX 1(SI), DX
	SHLQ    $8, AX
	ORQ     AX, DX
	CMPQ    DX, $8191
	JEQ     far

short:
	// The match has at most 8 bytes. A shorter period is repeated in the register; for
	// longer distances the table ends with the identity.
	NOTQ    DX
	LEAQ    (DI)(DX*1), BX
	NEGQ    DX
	CMPQ    BX, R10
	JB      out
	CMPQ    DX, R14
	CMOVQHI R14, DX
	SHLQ    $4, DX
	MOVOU   (BX), X0
	MOVOU   (R13)(DX*1), X1
	PSHUFB  X1, X0
	MOVOU   X0, (DI)
	LEAQ    2(DI)(CX*1), DI
	MOVQ    R11, SI
	JMP     instruction

far:
	MOVWLZX 2(SI), DX
	ROLW    $8, DX
	MOVWLZX DX, DX
	ADDQ    $8191, DX
	ADDQ    $2, R11
	JMP     short

longLength:
	DECQ    R11

lengthByte:
	CMPQ    R11, R8
	JAE     out
	MOVBLZX (R11), DX
	INCQ    R11
	ADDQ    DX, CX
	CMPQ    DX, $255
	JEQ     lengthByte
	ADDQ    $2, CX
	MOVQ    R9, DX
	SUBQ    DI, DX
	JLS     out
	CMPQ    CX, DX
	JAE     out
	// Leave very long matches to step: the runtime's copies are faster for them.
	CMPQ    CX, $4096
	JAE     out
	MOVBLZX (R11), DX
	INCQ    R11
	SHLQ    $8, AX
	ORQ     AX, DX
	CMPQ    DX, $8191
	JNE     long
	MOVWLZX (R11), DX
	ROLW    $8, DX
	MOVWLZX DX, DX
	ADDQ    $8191, DX
	ADDQ    $2, R11

long:
	INCQ    DX
	MOVQ    DI, BX
	SUBQ    DX, BX
	CMPQ    BX, R10
	JB      out
	MOVQ    R11, SI
	ADDQ    DI, CX            // end of the match
	CMPQ    DX, $16
	JB      near

farLoop:
	MOVOU   (BX), X0
	MOVOU   X0, (DI)
	MOVOU   16(BX), X0
	MOVOU   X0, 16(DI)
	ADDQ    $32, BX
	ADDQ    $32, DI
	CMPQ    DI, CX
	JB      farLoop
	MOVQ    CX, DI
	JMP     instruction

near:
	MOVBLZX const_spreadSteps(R13)(DX*1), AX
	SHLQ    $4, DX
	MOVOU   (BX), X0
	MOVOU   (R13)(DX*1), X1
	PSHUFB  X1, X0

nearLoop:
	MOVOU   X0, (DI)
	ADDQ    AX, DI
	MOVOU   X0, (DI)
	ADDQ    AX, DI
	CMPQ    DI, CX
	JB      nearLoop
	MOVQ    CX, DI
	JMP     instruction

out:
	SUBQ R10, DI
	SUBQ src_base+24(FP), SI
	MOVQ DI, ret+72(FP)
	MOVQ SI, ret1+80(FP)
	RET

none:
	MOVQ op+48(FP), DI
	MOVQ ip+56(FP), SI
	MOVQ DI, ret+72(FP)
	MOVQ SI, ret1+80(FP)
	RET
