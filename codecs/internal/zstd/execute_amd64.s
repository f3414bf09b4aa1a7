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
#define P_LL     104
#define P_ML     112
#define P_OFF    120
#define T_LL     128
#define T_OF     4232  // T_LL + 4104
#define T_ML     8336

// step (execute.go), again and again, as long as the bits come from a word that
// is wholly there, and not for the last sequence. One that does not stay 64
// bytes away from the end of dst and 32 from that of the literals' buffer is
// left to be carried out.
//
// R15       state
// DI, SI    place in dst and in the literals
// R8        the word whose bits are read, R10
// R9        how many of them are left, in the lowest 8 bits
// R11-R13   states of literal length, offset, match length, then their entries
// CX, BX    literal length, match length
// DX        offset, then distance
// AX, R14   for the moment

// READ gives the next n bits, where n is the lowest byte of a register: the
// shifts and BZHIQ look at no more of it, and R9 has only its lowest byte
// right, too.
#define READ(n, v) \
	SUBQ  n, R9       \
	SHRXQ R9, R10, v  \
	BZHIQ n, v, v

// VALUE gives the value of an entry.
#define VALUE(e, v) \
	RORXQ $40, e, AX  \
	READ(AX, v)       \
	MOVL  e, AX       \
	ADDQ  AX, v

// NEXT makes the next state of an entry.
#define NEXT(e) \
	RORXQ $32, e, AX  \
	READ(AX, R14)     \
	SHRQ  $48, e      \
	ADDQ  R14, e

// FILL makes at least 57 bits ready: as many bytes more as there is room for.
#define FILL \
	LEAL -1(R9), R14  \
	ANDL $7, R14      \
	ADDL $57, R14     \
	MOVL R14, AX      \
	SUBL R9, AX       \
	ANDL $0x78, AX    \
	SHRL $3, AX       \
	SUBQ AX, R8       \
	MOVL R14, R9      \
	MOVQ (R8), R10

// func sequencesBMI2(s *sequenceState, dst, literals, src []byte, spread *mem.Spreader)
TEXT ·sequencesBMI2(SB), NOSPLIT, $40-88
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
	MOVQ S_COUNT(R15), AX
	DECQ AX
	MOVQ AX, more-32(SP)       // sequences, without the last
	ADDQ S_OP(R15), DI
	ADDQ S_LIT(R15), SI
	ADDQ S_AT(R15), R8
	MOVL $64, R9
	SUBQ S_USED(R15), R9
	MOVQ S_LL(R15), R11
	MOVQ S_OF(R15), R12
	MOVQ S_ML(R15), R13

sequence:
	FILL
	CMPQ R8, start-24(SP)
	JCS  out
	SUBQ $1, more-32(SP)
	JCS  last

	MOVQ T_LL(R15)(R11*8), R11
	MOVQ T_OF(R15)(R12*8), R12
	MOVQ T_ML(R15)(R13*8), R13
	LEAQ (R11)(R12*1), CX
	ADDQ R13, CX
	SHRQ $40, CX
	MOVBLZX CX, CX
	VALUE(R12, DX)
	CMPL CX, $31               // 26 are for the states
	JHI  wide
	VALUE(R13, BX)
	VALUE(R11, CX)

states:
	NEXT(R11)
	NEXT(R13)
	NEXT(R12)

	CMPQ DX, $3
	JLS  repeated
	SUBQ $3, DX

new:
	MOVQ S_REP1(R15), AX
	MOVQ AX, S_REP2(R15)

swap:
	MOVQ S_REP0(R15), AX
	MOVQ AX, S_REP1(R15)
	MOVQ DX, S_REP0(R15)

distance:
	LEAQ (DI)(CX*1), AX
	LEAQ (AX)(BX*1), R14
	CMPQ R14, dstEnd-8(SP)
	JHI  left
	LEAQ (SI)(CX*1), R14
	CMPQ R14, litEnd-16(SP)
	JHI  left
	SUBQ dst_base+8(FP), AX
	LEAQ -1(DX), R14
	CMPQ R14, AX
	JCC  left

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

repeated:
	// Offset codes: 1 is the last distance, or without literals the one
	// before; and so on; the last of all is one less than the last.
	CMPQ CX, $1
	ADCQ $0, DX
	CMPQ DX, $2
	JEQ  second
	JHI  third
	MOVQ S_REP0(R15), DX
	JMP  distance

second:
	MOVQ S_REP1(R15), DX
	JMP  swap

third:
	CMPQ DX, $3
	JHI  less
	MOVQ S_REP2(R15), DX
	JMP  new

less:
	MOVQ S_REP0(R15), DX
	DECQ DX
	JMP  new

wide:
	FILL
	VALUE(R13, BX)
	VALUE(R11, CX)
	FILL
	JMP  states

left:
	MOVQ CX, P_LL(R15)
	MOVQ BX, P_ML(R15)
	MOVQ DX, P_OFF(R15)
	JMP  out

last:
	MOVQ $0, more-32(SP)

out:
	SUBQ dst_base+8(FP), DI
	SUBQ literals_base+32(FP), SI
	SUBQ src_base+56(FP), R8
	MOVBLZX R9, R9
	MOVL $64, AX
	SUBQ R9, AX
	MOVQ DI, S_OP(R15)
	MOVQ SI, S_LIT(R15)
	MOVQ R8, S_AT(R15)
	MOVQ AX, S_USED(R15)
	MOVQ R11, S_LL(R15)
	MOVQ R12, S_OF(R15)
	MOVQ R13, S_ML(R15)
	MOVQ more-32(SP), AX
	INCQ AX
	MOVQ AX, S_COUNT(R15)

none:
	RET
