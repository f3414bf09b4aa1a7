//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// fastSSSE3 is the fast loop of Decode. Like fastGeneric (decode.go), it reads and writes
// beyond a sequence only within the margins.
//
// SI        start of the current sequence in src, less 3
// DI        start of it in dst
// R11, R12  positions within it
// R8, R9    starts of the margins
// R10       start of dst
// AX        token, then length of the match
// CX        length of literals, position of the last one, and scratch
// DX        distance
// BX        source of the match
// R13       masks and, after the 17 of them, steps of mem.Spreader

// func fastSSSE3(dst, src []byte, op, ip int, spread *mem.Spreader) (int, int)
TEXT ·fastSSSE3(SB), NOSPLIT, $0-88
	// The loop must not cross into another page of 4 KiB: decoding then takes up to
	// 1.05 times as long on an AMD EPYC, as padding before this function shows with
	// go test -bench Decode/lz4 ./codecs.
	PCALIGN $1024
	MOVQ dst_base+0(FP), R10
	MOVQ dst_len+8(FP), R9
	MOVQ src_base+24(FP), SI
	MOVQ src_len+32(FP), R8
	MOVQ op+48(FP), DI
	MOVQ ip+56(FP), R11
	SUBQ $(const_srcMargin+3), R8
	JLS  done                 // src is too short: the pointers below would be out of range
	SUBQ $const_dstMargin, R9
	JLS  done
	ADDQ SI, R8
	ADDQ R10, R9
	LEAQ -3(SI)(R11*1), SI
	ADDQ R10, DI
	MOVQ spread+64(FP), R13
	MOVQ $16, R14

sequence:
	CMPQ    SI, R8
	JAE     out
	CMPQ    DI, R9
	JAE     out
	// The loop is bound by the latency from one token to the next: a load, a shift and an
	// addition. Without length bytes, the next token is 3 bytes after the last literal. So SI
	// becomes the position of that literal, and the load adds the 3.
	MOVBLZX 3(SI), AX
	LEAQ    3(SI), R11
	MOVQ    AX, CX
	SHRQ    $4, CX
	ANDQ    $15, AX
	CMPQ    CX, $15
	JEQ     longLiterals
	MOVOU   4(SI), X0
	MOVOU   X0, (DI)
	LEAQ    (DI)(CX*1), R12
	ADDQ    R11, CX

match:
	MOVWLZX 1(CX), DX
	MOVQ    R12, BX
	SUBQ    DX, BX
	CMPQ    BX, R10
	JB      out               // the match is in the dictionary, or invalid
	CMPQ    AX, $15
	JEQ     longMatch
	TESTQ   DX, DX
	JEQ     out
	// The match has at most 18 bytes. A period of less than 16 bytes is repeated in the
	// register; for longer distances the table ends with the identity.
	CMPQ    DX, R14
	CMOVQHI R14, DX
	SHLQ    $4, DX
	MOVOU   (BX), X0
	MOVOU   (R13)(DX*1), X1
	PSHUFB  X1, X0
	MOVOU   X0, (R12)
	// The last two bytes are copied one after the other, as the distance may be 1.
	MOVBLZX 16(BX), DX
	MOVB    DX, 16(R12)
	MOVBLZX 17(BX), DX
	MOVB    DX, 17(R12)
	LEAQ    4(R12)(AX*1), DI
	MOVQ    CX, SI
	JMP     sequence

longMatch:
	LEAQ    3(CX), R11

matchLength:
	CMPQ    R11, R8
	JAE     out
	MOVBLZX (R11), CX
	INCQ    R11
	ADDQ    CX, AX
	CMPQ    CX, $255
	JEQ     matchLength
	ADDQ    $4, AX
	MOVQ    R9, CX
	SUBQ    R12, CX
	JLS     out
	CMPQ    AX, CX
	JAE     out
	// Leave very long matches to step: the runtime's copies are faster for them.
	CMPQ    AX, $4096
	JAE     out
	ADDQ    R12, AX           // end of the match
	CMPQ    DX, $16
	JB      longNear

longFar:
	MOVOU   (BX), X0
	MOVOU   X0, (R12)
	MOVOU   16(BX), X1
	MOVOU   X1, 16(R12)
	MOVOU   32(BX), X2
	MOVOU   X2, 32(R12)
	MOVOU   48(BX), X3
	MOVOU   X3, 48(R12)
	ADDQ    $64, BX
	ADDQ    $64, R12
	CMPQ    R12, AX
	JB      longFar
	MOVQ    AX, DI
	LEAQ    -3(R11), SI
	JMP     sequence

longNear:
	TESTQ   DX, DX
	JEQ     out
	MOVBLZX const_spreadSteps(R13)(DX*1), CX
	SHLQ    $4, DX
	MOVOU   (BX), X0
	MOVOU   (R13)(DX*1), X1
	PSHUFB  X1, X0

longNearLoop:
	MOVOU   X0, (R12)
	ADDQ    CX, R12
	MOVOU   X0, (R12)
	ADDQ    CX, R12
	CMPQ    R12, AX
	JB      longNearLoop
	MOVQ    AX, DI
	LEAQ    -3(R11), SI
	JMP     sequence

longLiterals:
	INCQ    R11

literalsLength:
	CMPQ    R11, R8
	JAE     out
	MOVBLZX (R11), DX
	INCQ    R11
	ADDQ    DX, CX
	CMPQ    DX, $255
	JEQ     literalsLength
	MOVQ    R8, DX
	SUBQ    R11, DX
	JLS     out
	CMPQ    CX, DX
	JAE     out
	MOVQ    R9, DX
	SUBQ    DI, DX
	CMPQ    CX, DX
	JAE     out
	MOVQ    DI, R12
	ADDQ    DI, CX            // end of the literals
	MOVQ    R11, BX

literalLoop:
	MOVOU   (BX), X0
	MOVOU   16(BX), X1
	MOVOU   32(BX), X2
	MOVOU   48(BX), X3
	MOVOU   X0, (R12)
	MOVOU   X1, 16(R12)
	MOVOU   X2, 32(R12)
	MOVOU   X3, 48(R12)
	ADDQ    $64, BX
	ADDQ    $64, R12
	CMPQ    R12, CX
	JB      literalLoop
	MOVQ    CX, R12
	SUBQ    DI, CX
	LEAQ    -1(R11)(CX*1), CX
	JMP     match

out:
	ADDQ $3, SI
	SUBQ R10, DI
	SUBQ src_base+24(FP), SI
	MOVQ DI, ret+72(FP)
	MOVQ SI, ret1+80(FP)
	RET

done:
	MOVQ op+48(FP), DI
	MOVQ ip+56(FP), SI
	MOVQ DI, ret+72(FP)
	MOVQ SI, ret1+80(FP)
	RET
