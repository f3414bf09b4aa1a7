//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// fastSSSE3 is the fast loop of Decode. Like fastGeneric (decode.go), it reads and writes
// beyond a sequence only within the margins.
//
// SI        position of the current token in src
// DI        start of its sequence in dst
// R12       position in dst within the sequence
// R11       scratch
// R8, R9    starts of the margins
// R10       start of dst
// AX        length of the match, less 4
// R15       token, length of literals, then the next token or a length byte
// CX        position after the distance, then of the next token
// DX        distance
// BX        source of the match
// R13       masks and, after the 17 of them, steps of mem.Spreader
// R14       16

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
	SUBQ $const_srcMargin, R8
	JLS  done                 // src is too short: the pointers below would be out of range
	SUBQ $const_dstMargin, R9
	JLS  done
	ADDQ SI, R8
	ADDQ R10, R9
	ADDQ R11, SI
	ADDQ R10, DI
	MOVQ spread+64(FP), R13
	MOVQ $16, R14

	CMPQ    SI, R8
	JAE     out
	CMPQ    DI, R9
	JAE     out
	MOVBLZX (SI), R15

token:
	MOVL    R15, AX
	SHRL    $4, R15
	ANDL    $15, AX
	CMPL    R15, $15
	JEQ     longLiterals
	MOVOU   1(SI), X0
	MOVOU   X0, (DI)
	LEAQ    (DI)(R15*1), R12
	MOVWLZX 1(SI)(R15*1), DX
	LEAQ    3(SI)(R15*1), CX
	// The loop is bound by the latency from one token to the next. Without length bytes, the
	// next one is after the distance. It is loaded here, with the length of the literals in
	// its address, so that this latency is that of a load and a shift.
	MOVBLZX 3(SI)(R15*1), R15

match:
	MOVQ    R12, BX
	SUBQ    DX, BX
	CMPQ    BX, R10
	JB      out               // the match is in the dictionary, or invalid
	// Few matches have more than 16 bytes. Copying 18 always took a seventh more time.
	CMPL    AX, $13
	JAE     longMatch
	TESTL   DX, DX
	JEQ     out
	// A distance of less than 16 bytes is a period that is repeated in the register; for
	// longer ones the table ends with the identity.
	CMPQ    R14, DX
	CMOVQCS R14, DX
	SHLQ    $4, DX
	MOVOU   (BX), X0
	MOVOU   (R13)(DX*1), X1
	PSHUFB  X1, X0
	MOVOU   X0, (R12)
	LEAQ    4(R12)(AX*1), DI
	MOVQ    CX, SI
	CMPQ    SI, R8
	JAE     out
	CMPQ    DI, R9
	JB      token
	JMP     out

longMatch:
	// Matches of 17 and 18 bytes, which have no length byte, share the code of the longer
	// ones, because they cannot be predicted. R15 holds the next token, or the length byte.
	XORL    R11, R11
	CMPL    AX, $15
	SETEQ   R11
	ADDQ    R11, CX
	NEGQ    R11
	ANDQ    R11, R15
	ADDQ    R15, AX
	CMPL    R15, $255
	JEQ     moreLength

copyMatch:
	// The next token and the end of the match must be before the margins.
	CMPQ    CX, R8
	JAE     out
	ADDQ    $4, AX
	MOVQ    R9, R11
	SUBQ    R12, R11
	JLS     out
	CMPQ    AX, R11
	JAE     out
	// Leave very long matches to step: the runtime's copies are faster for them.
	CMPQ    AX, $4096
	JAE     out
	MOVBLZX (CX), R15
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
	MOVQ    CX, SI
	JMP     token

longNear:
	TESTQ   DX, DX
	JEQ     out
	MOVBLZX const_spreadSteps(R13)(DX*1), R11
	SHLQ    $4, DX
	MOVOU   (BX), X0
	MOVOU   (R13)(DX*1), X1
	PSHUFB  X1, X0

longNearLoop:
	MOVOU   X0, (R12)
	ADDQ    R11, R12
	MOVOU   X0, (R12)
	ADDQ    R11, R12
	CMPQ    R12, AX
	JB      longNearLoop
	MOVQ    AX, DI
	MOVQ    CX, SI
	JMP     token

moreLength:
	CMPQ    CX, R8
	JAE     out
	MOVBLZX (CX), R11
	INCQ    CX
	ADDQ    R11, AX
	CMPQ    R11, $255
	JEQ     moreLength
	JMP     copyMatch

longLiterals:
	LEAQ    1(SI), R11

literalsLength:
	CMPQ    R11, R8
	JAE     out
	MOVBLZX (R11), DX
	INCQ    R11
	ADDQ    DX, R15
	CMPQ    DX, $255
	JEQ     literalsLength
	MOVQ    R8, DX
	SUBQ    R11, DX
	JLS     out
	CMPQ    R15, DX
	JAE     out
	MOVQ    R9, DX
	SUBQ    DI, DX
	CMPQ    R15, DX
	JAE     out
	MOVQ    DI, R12
	LEAQ    (DI)(R15*1), CX   // end of the literals
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
	MOVWLZX (R11)(R15*1), DX
	LEAQ    2(R11)(R15*1), CX
	MOVBLZX 2(R11)(R15*1), R15
	JMP     match

out:
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
