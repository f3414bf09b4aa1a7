//go:build !purego

#include "textflag.h"

// sequenceState
#define S_OP     0
#define S_LIT    8
#define S_LITEND 16
#define S_START  24
#define S_AT     32
#define S_USED   40
#define S_COUNT  48
#define S_LL     56
#define S_OF     64
#define S_ML     72
#define S_REP0   80
#define S_REP1   88
#define S_REP2   96
#define T_LL     104
#define T_OF     4208  // T_LL + 4104
#define T_ML     8312

// step (execute.go), again and again, for sequences that stay 64 bytes away
// from the end of dst and 32 from that of the literals' buffer, and are not
// the last one. What is not such a sequence is left to step, whole.
//
// R15       state
// DI, SI    place in dst and in the literals
// R8        the word whose bits are read, R10; R9 how many of them are left
// R11-R13   states of literal length, offset, match length, then their entries
// CX, BX    literal length, match length
// DX        offset, then distance
// R14       how the distances are remembered: 0 not, 1 two change places, 2 a new one

// READ gives the next n bits. It keeps n.
#define READ(n, v) \
	SUBQ  n, R9       \
	SHRXQ R9, R10, v  \
	BZHIQ n, v, v

// NEXT makes the next state of an entry.
#define NEXT(e) \
	MOVQ    e, AX     \
	SHRQ    $48, AX   \
	ANDL    $255, AX  \
	SHRQ    $32, e    \
	MOVWLZX e, e      \
	READ(AX, R14)     \
	ADDQ    R14, e

// FILL makes at least 57 bits ready.
#define FILL \
	MOVL $64, AX      \
	SUBQ R9, AX       \
	MOVQ AX, R14      \
	SHRQ $3, R14      \
	SUBQ R14, R8      \
	ANDL $7, AX       \
	MOVL $64, R9      \
	SUBQ AX, R9       \
	MOVQ (R8), R10

// func sequencesBMI2(s *sequenceState, dst, literals, src []byte, spread *mem.Spreader)
TEXT ·sequencesBMI2(SB), NOSPLIT, $48-88
	MOVQ s+0(FP), R15
	MOVQ dst_base+8(FP), DI
	MOVQ dst_len+16(FP), AX
	SUBQ $64, AX
	JLS  none
	ADDQ DI, AX
	MOVQ AX, dstEnd-8(SP)
	MOVQ literals_base+32(FP), SI
	MOVQ literals_len+40(FP), AX
	SUBQ $32, AX
	JLS  none
	MOVQ S_LITEND(R15), BX
	CMPQ AX, BX
	CMOVQHI BX, AX
	ADDQ SI, AX
	MOVQ AX, litEnd-16(SP)
	MOVQ src_base+56(FP), R8
	MOVQ S_START(R15), AX
	ADDQ R8, AX
	MOVQ AX, start-24(SP)
	ADDQ S_OP(R15), DI
	ADDQ S_LIT(R15), SI
	ADDQ S_AT(R15), R8
	MOVL $64, R9
	SUBQ S_USED(R15), R9
	MOVQ S_LL(R15), R11
	MOVQ S_OF(R15), R12
	MOVQ S_ML(R15), R13

sequence:
	MOVQ R11, S_LL(R15)
	MOVQ R12, S_OF(R15)
	MOVQ R13, S_ML(R15)
	MOVQ R8, word-32(SP)
	MOVQ R9, left-40(SP)
	CMPQ S_COUNT(R15), $1
	JLS  out
	FILL
	LEAQ 8(R8), AX
	SUBQ start-24(SP), AX
	LEAQ -64(R9)(AX*8), AX
	TESTQ AX, AX
	JLT  out                  // more bits were read than there are

	MOVQ T_LL(R15)(R11*8), R11
	MOVQ T_OF(R15)(R12*8), R12
	MOVQ T_ML(R15)(R13*8), R13
	MOVQ R12, CX
	SHRQ $56, CX
	READ(CX, DX)
	MOVL R12, AX
	ADDQ AX, DX
	MOVQ R13, CX
	SHRQ $56, CX
	MOVQ R11, BX
	SHRQ $56, BX
	LEAQ 26(CX)(BX*1), AX     // bits of lengths and states
	CMPQ R9, AX
	JLT  refill

lengths:
	MOVQ CX, AX
	MOVQ BX, CX
	READ(AX, BX)
	MOVL R13, AX
	ADDQ AX, BX
	MOVQ CX, AX
	READ(AX, CX)
	MOVL R11, AX
	ADDQ AX, CX
	NEXT(R11)
	NEXT(R13)
	NEXT(R12)

	CMPQ DX, $3
	JLS  repeated
	SUBQ $3, DX
	MOVL $2, R14

distance:
	LEAQ (DI)(CX*1), AX
	SUBQ dst_base+8(FP), AX
	CMPQ DX, AX
	JHI  out
	TESTQ DX, DX
	JEQ  out
	CMPQ BX, $4096
	JHI  out
	LEAQ (DI)(CX*1), AX
	ADDQ BX, AX
	CMPQ AX, dstEnd-8(SP)
	JHI  out
	LEAQ (SI)(CX*1), AX
	CMPQ AX, litEnd-16(SP)
	JHI  out
	CMPQ R14, $1
	JHI  remember
	JEQ  swap

literals:
	MOVOU (SI), X0
	MOVOU X0, (DI)
	CMPQ  CX, $16
	JHI   manyLiterals
	ADDQ  CX, SI
	ADDQ  CX, DI

match:
	// The first 16 bytes: a period of less is spread over the register;
	// farther ones use the identity at the end of the table.
	MOVQ    DI, R14
	SUBQ    DX, R14
	MOVQ    spread+80(FP), CX
	MOVL    $16, AX
	CMPQ    DX, AX
	CMOVQCS DX, AX
	SHLQ    $4, AX
	MOVOU   (R14), X0
	MOVOU   (CX)(AX*1), X1
	PSHUFB  X1, X0
	MOVOU   X0, (DI)
	DECQ    S_COUNT(R15)
	CMPQ    BX, $16
	JHI     longMatch
	ADDQ    BX, DI
	JMP     sequence

longMatch:
	ADDQ DI, BX               // end of the match
	CMPQ DX, $16
	JCS  near

far:
	ADDQ  $16, R14
	ADDQ  $16, DI
	MOVOU (R14), X0
	MOVOU X0, (DI)
	LEAQ  16(DI), AX
	CMPQ  AX, BX
	JCS   far
	MOVQ  BX, DI
	JMP   sequence

near:
	MOVBLZX 272(CX)(DX*1), CX // whole periods in 16 bytes

nearLoop:
	ADDQ  CX, DI
	MOVOU X0, (DI)
	LEAQ  16(DI), AX
	CMPQ  AX, BX
	JCS   nearLoop
	MOVQ  BX, DI
	JMP   sequence

manyLiterals:
	LEAQ (DI)(CX*1), AX
	ADDQ SI, CX

literalLoop:
	ADDQ  $16, SI
	ADDQ  $16, DI
	MOVOU (SI), X0
	MOVOU X0, (DI)
	LEAQ  16(DI), R14
	CMPQ  R14, AX
	JCS   literalLoop
	MOVQ  CX, SI
	MOVQ  AX, DI
	JMP   match

remember:
	MOVQ S_REP1(R15), AX
	MOVQ AX, S_REP2(R15)

swap:
	MOVQ S_REP0(R15), AX
	MOVQ AX, S_REP1(R15)
	MOVQ DX, S_REP0(R15)
	JMP  literals

repeated:
	// Offset codes: 1 is the last distance, or without literals the one
	// before; and so on; the last of all is one less than the last.
	XORL R14, R14
	CMPQ CX, $1
	ADCQ $0, DX
	CMPQ DX, $2
	JEQ  second
	JHI  third
	MOVQ S_REP0(R15), DX
	JMP  distance

second:
	MOVL $1, R14
	MOVQ S_REP1(R15), DX
	JMP  distance

third:
	MOVL $2, R14
	CMPQ DX, $3
	JHI  less
	MOVQ S_REP2(R15), DX
	JMP  distance

less:
	MOVQ S_REP0(R15), DX
	DECQ DX
	JMP  distance

refill:
	FILL
	LEAQ 26(CX)(BX*1), AX
	CMPQ R9, AX
	JGE  lengths

out:
	SUBQ dst_base+8(FP), DI
	SUBQ literals_base+32(FP), SI
	MOVQ word-32(SP), R8
	SUBQ src_base+56(FP), R8
	MOVL $64, R9
	SUBQ left-40(SP), R9
	MOVQ DI, S_OP(R15)
	MOVQ SI, S_LIT(R15)
	MOVQ R8, S_AT(R15)
	MOVQ R9, S_USED(R15)

none:
	RET
