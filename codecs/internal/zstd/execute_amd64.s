//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// These are the registers of the entries of each kind, and the tables of the entries.
#define S_LL (sequenceState_states+0)
#define S_OF (sequenceState_states+8)
#define S_ML (sequenceState_states+16)
#define T_LL (sequenceState_tables+0*decodeTable__size)
#define T_OF (sequenceState_tables+1*decodeTable__size)
#define T_ML (sequenceState_tables+2*decodeTable__size)

// sequencesBMI2 does the work of step (execute.go) in a loop, as long as the bits are in
// a whole word, and except for the last sequence. A sequence that ends within 64 bytes of
// the end of dst, or of the end of the literals' buffer, is decoded and left to
// the caller to execute.
//
// R15       state
// DI, SI    positions in dst and in the literals
// R8        position of the word of bits, which is in R10
// R9        number of its bits that are left, at most 63, plus 64
// BX, AX, DX  entries of literal length, offset, match length
// X7        the last three distances, plus 3, the last one lowest
//
// and while a sequence is executed
//
// CX, BP    literal length, match length
// R14, R11  offset, then distance

// READ computes the next n bits. n is the lowest byte of a register; the shifts and BZHIQ
// ignore the other bytes.
#define READ(n, v) \
	SUBQ  n, R9       \
	SHRXQ R9, R10, v  \
	BZHIQ n, v, v

// ENTRY loads the next entry, selected by the bits in a register.
#define ENTRY(table, bits, e) \
	SHRQ $51, e       \
	ADDQ R15, e       \
	MOVQ table(e)(bits*8), e

// NEXT reads the bits of the next state and loads its entry.
#define NEXT(table, e) \
	RORXL $16, e, R12 \
	READ(R12, R11)    \
	ENTRY(table, R11, e)

// OFFSET computes an offset: a 1 followed by its bits.
#define OFFSET(e, v) \
	RORXL $8, e, CX   \
	READ(CX, v)       \
	BTSQ  CX, v

// LENGTH computes a length: the base in the entry plus the next bits.
#define LENGTH(e, v) \
	RORXQ $24, e, R11    \
	ANDL  $31, R11       \
	READ(R11, v)         \
	RORXQ $34, e, R11    \
	ANDL  $0x1ffff, R11  \
	ADDQ  R11, v

// FILL loads a word, so that at least 56 bits are left.
#define FILL(t) \
	MOVL R9, t           \
	SHRL $3, t           \
	ANDL $7, t           \
	ANDL $7, R9          \
	LEAQ -7(R8)(t*1), R8 \
	ORL  $56, R9         \
	MOVQ (R8), R10

// REMEMBER loads a distance of the state as the last one; RECALL stores it back.
#define REMEMBER(rep) \
	MOVQ   (rep)(R15), AX  \
	ADDQ   $3, AX        \
	PSLLO  $4, X7        \
	PINSRD $0, AX, X7

#define RECALL(rep) \
	MOVL  X7, AX       \
	SUBQ  $3, AX       \
	MOVQ  AX, (rep)(R15) \
	PSRLO $4, X7

// func sequencesBMI2(s *sequenceState, dst, literals, src []byte, spread
// *mem.Spreader)
TEXT ·sequencesBMI2(SB), NOSPLIT, $48-88
	MOVQ s+0(FP), R15
	MOVQ dst_base+8(FP), DI
	LEAQ -3(DI), AX
	MOVQ AX, first-40(SP)
	MOVQ dst_len+16(FP), AX
	SUBQ $64, AX
	JLS  none
	ADDQ DI, AX
	MOVQ AX, dstEnd-8(SP)
	MOVQ literals_base+32(FP), SI
	MOVQ literals_len+40(FP), AX
	SUBQ $const_literalSlack, AX
	JLS  none
	MOVQ sequenceState_litEnd(R15), BX
	CMPQ AX, BX
	CMOVQHI BX, AX
	ADDQ SI, AX
	MOVQ AX, litEnd-16(SP)
	MOVQ src_base+56(FP), R8
	MOVQ sequenceState_start(R15), AX
	ADDQ R8, AX
	MOVQ AX, start-24(SP)
	MOVQ sequenceState_count(R15), AX
	MOVQ AX, more-32(SP)       // number of sequences
	ADDQ sequenceState_op(R15), DI
	ADDQ sequenceState_lit(R15), SI
	CMPQ SI, litEnd-16(SP)     // the caller may have executed a sequence beyond this limit
	JHI  none
	ADDQ sequenceState_at(R15), R8
	MOVL $64, R9
	SUBQ sequenceState_used(R15), R9
	MOVL R9, AX                // at most 63 bits are left, as FILL requires
	SHRL $3, AX
	LEAQ -7(R8)(AX*1), R8
	ANDL $7, R9
	ORL  $120, R9
	MOVQ (R8), R10
	REMEMBER(sequenceState_rep+16)
	REMEMBER(sequenceState_rep+8)
	REMEMBER(sequenceState_rep+0)
	MOVQ S_LL(R15), BX
	MOVQ S_OF(R15), AX
	MOVQ S_ML(R15), DX

sequence:
	CMPQ R8, start-24(SP)
	JCS  out
	CMPQ DI, dstEnd-8(SP)
	JHI  out
	DECQ more-32(SP)
	JLE  last

	// Load the word for the next sequence from the same position. So the load does not
	// depend on how many bits this sequence takes, and the word usually has enough bits
	// for both.
	MOVL R9, CX
	SHRL $3, CX
	LEAQ -15(R8)(CX*1), R8

	// Compute the number of bits to read, and whether this is a special case: marked
	// entries, or more bits than the word has. The next states do not depend on each
	// other.
	LEAQ (R9)(BX*1), R11
	LEAQ (DX)(AX*1), R12
	ADDQ R11, R12
	TESTL $0xc00000c0, R12
	JNZ  closer
	RORXL $8, AX, CX           // OFFSET
	MOVQ  R9, R14
	SUBQ  CX, R14
	SUBQ  CX, R11
	SHRXQ R14, R10, R14
	BZHIQ CX, R14, R14
	BTSQ  CX, R14
	MOVBLZX R12, BP            // bits left in this word, later in the next one
	ANDL  $-8, R9
	SUBL  R9, BP
	LEAL  184(BP), R9
	LEAQ  (R11)(DX*1), R13     // NEXT for each kind
	SHRXQ R11, R10, R11
	RORXL $16, BX, CX
	BZHIQ CX, R11, R11
	SHRXQ R13, R10, R13
	RORXL $16, DX, CX
	BZHIQ CX, R13, R13
	SHRXQ R12, R10, R12
	RORXL $16, AX, CX
	BZHIQ CX, R12, R12
	MOVQ  (R8), R10
	MOVBLZX BH, CX
	MOVBLZX DH, BP
	ENTRY(T_LL, R11, BX)
	ENTRY(T_ML, R13, DX)
	ENTRY(T_OF, R12, AX)
	CMPQ R14, $11
	JCS  carryOut
	PSLLO  $4, X7
	PINSRD $0, R14, X7

	// Copy fixed lengths, which suffice here. The match is copied in words of 8 bytes,
	// because values of this size often repeat immediately.
	MOVOU (SI), X0
	MOVOU X0, (DI)
	ADDQ  CX, SI
	CMPQ  SI, litEnd-16(SP)
	JHI   undoLiterals
	ADDQ  CX, DI
	MOVQ  DI, R11
	SUBQ  R14, R11
	JCS   undo // the address wrapped below 0, as dst may be static memory
	CMPQ  R11, first-40(SP)
	JCS   undo
	MOVQ  3(R11), R12
	MOVQ  R12, (DI)
	MOVQ  11(R11), R12
	MOVQ  R12, 8(DI)
	MOVQ  19(R11), R12
	MOVQ  R12, 16(DI)
	MOVQ  27(R11), R12
	MOVQ  R12, 24(DI)
	ADDQ  BP, DI
	JMP   sequence

undo:
	SUBQ CX, DI
undoLiterals:
	SUBQ CX, SI
	LEAQ -3(R14), R11
	JMP  left

closer:
	// A field is wide, or the word does not have enough bits. Load a new word, of which
	// the states need up to 26 bits.
	ANDL $7, R9
	ORL  $56, R9
	MOVQ (R8), R10
	SHRL $24, R12
	ANDL $0x3f, R12
	CMPL R12, $30
	JHI  wider
	OFFSET(AX, R14)
	LENGTH(DX, BP)
	LENGTH(BX, CX)
states:
	NEXT(T_LL, BX)
	NEXT(T_ML, DX)
	NEXT(T_OF, AX)
	ANDL $63, R9
	ORL  $64, R9

carryOut:
	CMPQ R14, $3
	JLS  repeated
new:
	PSLLO  $4, X7
	PINSRD $0, R14, X7
distance:
	LEAQ -3(R14), R11
	LEAQ (DI)(CX*1), R12
	LEAQ (R12)(BP*1), R13
	CMPQ R13, dstEnd-8(SP)
	JHI  left
	LEAQ (SI)(CX*1), R13
	CMPQ R13, litEnd-16(SP)
	JHI  left
	SUBQ dst_base+8(FP), R12
	LEAQ -1(R11), R13
	CMPQ R13, R12
	JCC  left

	MOVOU (SI), X0
	MOVOU X0, (DI)
	CMPQ  CX, $16
	JHI   manyLiterals
	ADDQ  CX, SI
	ADDQ  CX, DI

match:
	// Copy the first 16 bytes. A shorter period is repeated in the register; for longer
	// distances the table ends with the identity.
	MOVQ    DI, R13
	SUBQ    R11, R13
	MOVQ    spread+80(FP), CX
	MOVL    $16, R12
	CMPQ    R11, R12
	CMOVQCS R11, R12
	SHLQ    $4, R12
	MOVOU   (R13), X0
	MOVOU   (CX)(R12*1), X1
	PSHUFB  X1, X0
	MOVOU   X0, (DI)
	CMPQ    BP, $16
	JHI     longMatch
	ADDQ    BP, DI
	JMP     sequence

longMatch:
	ADDQ DI, BP               // end of the match
	CMPQ R11, $16
	JCS  near
far:
	MOVOU 16(R13), X0
	MOVOU X0, 16(DI)
	MOVOU 32(R13), X1
	MOVOU X1, 32(DI)
	MOVOU 48(R13), X2
	MOVOU X2, 48(DI)
	MOVOU 64(R13), X3
	MOVOU X3, 64(DI)
	ADDQ  $64, R13
	ADDQ  $64, DI
	LEAQ  16(DI), R12
	CMPQ  R12, BP
	JCS   far
	MOVQ  BP, DI
	JMP   sequence
near:
	MOVBLZX const_spreadSteps(CX)(R11*1), CX // whole periods in 16 bytes
nearLoop:
	ADDQ  CX, DI
	MOVOU X0, (DI)
	LEAQ  16(DI), R12
	CMPQ  R12, BP
	JCS   nearLoop
	MOVQ  BP, DI
	JMP   sequence

manyLiterals:
	LEAQ (DI)(CX*1), R12
	ADDQ SI, CX
literalLoop:
	MOVOU 16(SI), X0
	MOVOU 32(SI), X1
	MOVOU 48(SI), X2
	MOVOU 64(SI), X3
	MOVOU X0, 16(DI)
	MOVOU X1, 32(DI)
	MOVOU X2, 48(DI)
	MOVOU X3, 64(DI)
	ADDQ  $64, SI
	ADDQ  $64, DI
	LEAQ  16(DI), R13
	CMPQ  R13, R12
	JCS   literalLoop
	MOVQ  CX, SI
	MOVQ  R12, DI
	JMP   match

repeated:
	// These are the repeated offsets. Code 1 is the last distance or, without literals,
	// the one before it, and so on. Code 3 without literals is the last distance minus 1.
	CMPQ CX, $1
	ADCQ $0, R14
	CMPQ R14, $2
	JEQ  second
	JHI  third
	MOVL X7, R14
	JMP  distance
second:
	PSHUFD $0xe1, X7, X7
	MOVL X7, R14
	JMP  distance
third:
	CMPQ R14, $3
	JHI  less
	PSHUFD $0xd2, X7, X7
	MOVL X7, R14
	JMP  distance
less:
	MOVL X7, R14
	DECQ R14
	JMP  new
wider:
	OFFSET(AX, R14)
	FILL(R11)
	LENGTH(DX, BP)
	LENGTH(BX, CX)
	FILL(R11)
	JMP  states

left:
	MOVQ CX, sequenceState_literals(R15)
	MOVQ BP, sequenceState_match(R15)
	MOVQ R11, sequenceState_distance(R15)
	JMP  out

last:
	MOVQ $1, more-32(SP)

out:
	SUBQ dst_base+8(FP), DI
	SUBQ literals_base+32(FP), SI
	SUBQ src_base+56(FP), R8
	MOVQ DI, sequenceState_op(R15)
	MOVQ SI, sequenceState_lit(R15)
	MOVQ R8, sequenceState_at(R15)
	MOVQ BX, S_LL(R15)
	MOVQ AX, S_OF(R15)
	MOVQ DX, S_ML(R15)
	ANDL $63, R9
	MOVL $64, AX
	SUBQ R9, AX
	MOVQ AX, sequenceState_used(R15)
	MOVQ more-32(SP), AX
	MOVQ AX, sequenceState_count(R15)
	RECALL(sequenceState_rep+0)
	RECALL(sequenceState_rep+8)
	RECALL(sequenceState_rep+16)

none:
	RET
