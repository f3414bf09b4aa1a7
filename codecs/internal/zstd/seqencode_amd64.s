//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// encodeSequencesBMI2 is encodeSequencesGeneric in assembly, one sequence at a time.
//
// SI, DX    the sequence and its symbols
// DI        position in the destination
// R8, R9    bits not yet stored, and their number
// R10-R12   states of literal length, offset, match length
// R13-R15   their tables
// AX-CX     scratch

// FIRST computes the state of the last symbol, AX.
#define FIRST(table, state) \
	MOVQ  (fseTable_symbol+symbolCode_bits)(table)(AX*8), AX \
	LEAL  32768(AX), CX             \
	SHRL  $16, CX                   \
	MOVL  CX, BX                    \
	SHLL  $16, BX                   \
	SUBL  AX, BX                    \
	SHRXL CX, BX, BX                \
	SARQ  $32, AX                   \
	ADDQ  BX, AX                    \
	MOVWLZX fseTable_states(table)(AX*2), state

// NEXT goes to the state of symbol AX.
#define NEXT(table, state) \
	MOVL  (fseTable_symbol+symbolCode_bits)(table)(AX*8), CX   \
	ADDL  state, CX                   \
	SHRL  $16, CX                     \
	BZHIL CX, state, BX               \
	SHLXQ R9, BX, BX                  \
	ORQ   BX, R8                      \
	ADDQ  CX, R9                      \
	SHRXL CX, state, state            \
	ADDL  (fseTable_symbol+symbolCode_state)(table)(AX*8), state \
	MOVWLZX fseTable_states(table)(state*2), state

// ADD appends the lowest CX bits of AX.
#define ADD \
	BZHIL CX, AX, AX  \
	SHLXQ R9, AX, AX  \
	ORQ   AX, R8      \
	ADDQ  CX, R9

#define FLUSH \
	MOVQ  R8, (DI)      \
	MOVQ  R9, CX        \
	MOVQ  R9, AX        \
	SHRQ  $3, AX        \
	ADDQ  AX, DI        \
	ANDQ  $56, CX       \
	SHRXQ CX, R8, R8    \
	ANDQ  $7, R9

// func encodeSequencesBMI2(w *sequenceWriter, dst []byte, seqs []lz77.Seq,
// packed []uint32)
TEXT ·encodeSequencesBMI2(SB), NOSPLIT, $0-80
	MOVQ w+0(FP), AX
	MOVQ (sequenceWriter_tables+0)(AX), R13
	MOVQ (sequenceWriter_tables+8)(AX), R14
	MOVQ (sequenceWriter_tables+16)(AX), R15
	MOVQ sequenceWriter_out(AX), DI
	ADDQ dst_base+8(FP), DI
	MOVQ seqs_len+40(FP), DX
	DECQ DX
	IMUL3Q $const_seqSize, DX, SI
	ADDQ seqs_base+32(FP), SI
	SHLQ $2, DX
	ADDQ packed_base+56(FP), DX
	XORL R8, R8
	XORL R9, R9
	MOVBLZX (DX), AX
	FIRST(R13, R10)
	MOVBLZX 1(DX), AX
	FIRST(R14, R11)
	MOVBLZX 2(DX), AX
	FIRST(R15, R12)

sequence:
	MOVL (DX), BX
	TESTL $0xe000f0, BX
	JNZ  extra

	// Both lengths are codes without extra bits. Up to 33 bits are pending here.
	MOVBLZX BH, CX
	MOVL const_seqOff(SI), AX
	ADD
	FLUSH

advance:
	SUBQ $4, DX
	CMPQ DX, packed_base+56(FP)
	JCS  end
	SUBQ $const_seqSize, SI
	MOVBLZX 1(DX), AX
	NEXT(R14, R11)
	MOVBLZX 2(DX), AX
	NEXT(R15, R12)
	MOVBLZX (DX), AX
	NEXT(R13, R10)
	JMP  sequence

extra:
	MOVBLZX BX, CX
	LEAQ ·literalBits(SB), AX
	MOVBLZX (AX)(CX*1), CX
	MOVL const_seqLiterals(SI), AX
	ADD
	FLUSH
	MOVBLZX 2(DX), CX
	LEAQ ·matchBits(SB), BX
	MOVBLZX (BX)(CX*1), CX
	MOVL const_seqLength(SI), AX
	SUBL $3, AX
	ADD
	MOVBLZX 1(DX), CX
	MOVL const_seqOff(SI), AX
	ADD
	FLUSH
	JMP  advance

end:
	MOVL R12, AX
	MOVQ fseTable_log(R15), CX
	ADD
	MOVL R11, AX
	MOVQ fseTable_log(R14), CX
	ADD
	MOVL R10, AX
	MOVQ fseTable_log(R13), CX
	ADD
	BTSQ R9, R8
	MOVQ R8, (DI)
	ADDQ $8, R9                // one more bit, rounded up to bytes
	SHRQ $3, R9
	ADDQ R9, DI
	SUBQ dst_base+8(FP), DI
	MOVQ w+0(FP), AX
	MOVQ DI, sequenceWriter_out(AX)
	RET
