//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// The four streams are encoded in parallel, so that their words do not depend on
// each other.
//
// SI        end of the next byte of the first stream
// R8, R9    offsets from it to those of the second and the fourth; the third
//           is at twice the offset of the second
// DI        table
// R10-R13   words of bits
// BX CX DX R15  the number of bits not yet stored, in the lowest 6 bits
// AX, R14   scratch

// CODE adds the code of a byte to a word.
#define CODE(byte, bits, n) \
	MOVBLZX byte, AX           \
	MOVQ    (DI)(AX*8), AX     \
	SHRXQ   AX, bits, bits     \
	ADDQ    AX, n              \
	ORQ     AX, bits

// LAST is CODE without the length of the code, which CODE leaves in the lowest bits.
#define LAST(byte, bits, n) \
	MOVBLZX byte, AX           \
	MOVQ    (DI)(AX*8), AX     \
	SHRXQ   AX, bits, bits     \
	ADDQ    AX, n              \
	ANDQ    $-256, AX          \
	ORQ     AX, bits

#define CODES(k) \
	CODE(-k(SI), R10, BX)         \
	CODE(-k(SI)(R8*1), R11, CX)   \
	CODE(-k(SI)(R8*2), R12, DX)   \
	CODE(-k(SI)(R9*1), R13, R15)

// STORE stores the whole bytes of a word.
#define STORE(bits, n, out) \
	ANDL  $63, n               \
	MOVL  n, AX                \
	NEGL  AX                   \
	SHRXQ AX, bits, AX         \
	MOVQ  out, R14             \
	MOVQ  AX, (R14)            \
	MOVL  n, AX                \
	SHRL  $3, AX               \
	ADDQ  AX, R14              \
	MOVQ  R14, out             \
	ANDL  $7, n

#define SAVE(i, bits, n, out) \
	MOVQ bits, (i*codeStream__size+codeStream_bits)(SI) \
	MOVQ n, (i*codeStream__size+codeStream_n)(SI)       \
	MOVQ out, AX                     \
	SUBQ dst_base+16(FP), AX         \
	MOVQ AX, (i*codeStream__size+codeStream_out)(SI)    \
	SUBQ R14, (i*codeStream__size+codeStream_to)(SI)

// func encode4BMI2(table *[256]uint64, streams *[4]codeStream, dst, src []byte,
// n int)
TEXT ·encode4BMI2(SB), NOSPLIT, $40-72
	MOVQ  n+64(FP), AX
	TESTQ AX, AX
	JLE   none
	MOVQ  AX, left-8(SP)
	MOVQ  table+0(FP), DI
	MOVQ  streams+8(FP), AX
	MOVQ  dst_base+16(FP), BX
	MOVQ  (0*codeStream__size+codeStream_out)(AX), CX
	ADDQ  BX, CX
	MOVQ  CX, out0-16(SP)
	MOVQ  (1*codeStream__size+codeStream_out)(AX), CX
	ADDQ  BX, CX
	MOVQ  CX, out1-24(SP)
	MOVQ  (2*codeStream__size+codeStream_out)(AX), CX
	ADDQ  BX, CX
	MOVQ  CX, out2-32(SP)
	MOVQ  (3*codeStream__size+codeStream_out)(AX), CX
	ADDQ  BX, CX
	MOVQ  CX, out3-40(SP)
	MOVQ  (0*codeStream__size+codeStream_to)(AX), SI
	MOVQ  (1*codeStream__size+codeStream_to)(AX), R8
	SUBQ  SI, R8
	MOVQ  (3*codeStream__size+codeStream_to)(AX), R9
	SUBQ  SI, R9
	ADDQ  src_base+40(FP), SI
	MOVQ  (0*codeStream__size+codeStream_bits)(AX), R10
	MOVQ  (1*codeStream__size+codeStream_bits)(AX), R11
	MOVQ  (2*codeStream__size+codeStream_bits)(AX), R12
	MOVQ  (3*codeStream__size+codeStream_bits)(AX), R13
	MOVQ  (0*codeStream__size+codeStream_n)(AX), BX
	MOVQ  (1*codeStream__size+codeStream_n)(AX), CX
	MOVQ  (2*codeStream__size+codeStream_n)(AX), DX
	MOVQ  (3*codeStream__size+codeStream_n)(AX), R15

loop:
	CODES(1)
	CODES(2)
	CODES(3)
	CODES(4)
	LAST(-5(SI), R10, BX)
	LAST(-5(SI)(R8*1), R11, CX)
	LAST(-5(SI)(R8*2), R12, DX)
	LAST(-5(SI)(R9*1), R13, R15)
	STORE(R10, BX, out0-16(SP))
	STORE(R11, CX, out1-24(SP))
	STORE(R12, DX, out2-32(SP))
	STORE(R13, R15, out3-40(SP))
	SUBQ  $5, SI
	DECQ  left-8(SP)
	JNZ   loop

	MOVQ  streams+8(FP), SI
	MOVQ  n+64(FP), R14
	LEAQ  (R14)(R14*4), R14
	SAVE(0, R10, BX, out0-16(SP))
	SAVE(1, R11, CX, out1-24(SP))
	SAVE(2, R12, DX, out2-32(SP))
	SAVE(3, R13, R15, out3-40(SP))

none:
	RET
