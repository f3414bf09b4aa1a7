//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// The state of a stream is a word with the next bits, highest first, and a 1 after the
// last of them, which shows how many were used; the position in dst; and, on the stack,
// the positions of the word and of the 8 bytes before the stream.
//
//	decodeOnes      decodeTwos
//	R8-R11          R8-R11      words
//	SI, DI, BP, DX  R12-R15     positions in dst
//	R13             DI          table
//	R12             SI          shift from a word to an index
//	AX              AX          the streams
//	BX, CX, R14     BX, CX, DX  scratch
//
// decodeOnes stores BH, which saves it a fifth of its instructions. An instruction with BH
// cannot have any of R8 to R15, so the positions are in other registers.

#define WORDS 0
#define LOWS  32

// BEGIN loads a stream, and shifts out the bits of its word that have been used.
#define BEGIN(i, word, out) \
	MOVQ  (i*byteStream__size+byteStream_left)(AX), BX          \
	MOVQ  (i*byteStream__size+byteStream_begin)(AX), DX         \
	MOVQ  BX, CX                         \
	NEGQ  CX                             \
	ANDQ  $7, CX                         \
	ADDQ  $7, BX                         \
	SARQ  $3, BX                         \
	MOVQ  src_base+40(FP), R9            \
	LEAQ  -8(R9)(DX*1), DX               \ // 8 bytes before the stream
	LEAQ  (DX)(BX*1), BX                 \
	MOVQ  BX, (WORDS+i*8)(SP)            \
	MOVQ  DX, (LOWS+i*8)(SP)             \
	MOVQ  CX, (64+i*8)(SP)               \
	MOVQ  (i*byteStream__size+byteStream_out)(AX), out          \
	ADDQ  dst_base+16(FP), out

#define LOAD(i, word) \
	MOVQ  (WORDS+i*8)(SP), BX            \
	MOVQ  (64+i*8)(SP), CX               \
	MOVQ  (BX), word                     \
	ORQ   $1, word                       \
	SHLXQ CX, word, word

// ROOM lowers CX to the iterations that stream i allows: each iteration writes at most 5
// or 10 bytes (part is 64 Ki divided by that number), reads at most 7 bytes, and begins
// with a word that is entirely in the stream.
#define ROOM(i, out, part) \
	MOVQ  (i*byteStream__size+byteStream_end)(AX), BX           \
	ADDQ  dst_base+16(FP), BX            \
	SUBQ  out, BX                        \
	IMULQ $part, BX                      \
	SHRQ  $16, BX                        \
	CMPQ  BX, CX                         \
	CMOVQLT BX, CX                       \
	MOVQ  (WORDS+i*8)(SP), BX            \
	SUBQ  (LOWS+i*8)(SP), BX             \
	SARQ  $3, BX                         \ // divides by a word of 8, rather than by 7 bytes
	CMPQ  BX, CX                         \
	CMOVQLT BX, CX

// ONE computes a byte, the k-th of an iteration.
#define ONE(k, word, out) \
	SHRXQ R12, word, BX                  \
	MOVWLZX (R13)(BX*2), BX              \
	SHLXQ BX, word, word                 \
	MOVB  BH, k(out)

// TWO computes one byte or two.
#define TWO(word, out) \
	SHRXQ SI, word, BX                   \
	MOVL  (DI)(BX*4), BX                 \
	SHLXQ BX, word, word                 \
	MOVBLZX BH, CX                       \
	SHRL  $16, BX                        \
	MOVW  BX, (out)                      \
	ADDQ  CX, out

#define ONES(k) \
	ONE(k, R8, SI)   \
	ONE(k, R9, DI)   \
	ONE(k, R10, BP)  \
	ONE(k, R11, DX)

#define TWOS \
	TWO(R8, R12)      \
	TWO(R9, R13)      \
	TWO(R10, R14)     \
	TWO(R11, R15)

#define FILL(i, word, at) \
	TZCNTQ word, CX                       \
	MOVQ  CX, BX                         \
	SHRQ  $3, BX                         \
	ANDL  $7, CX                         \
	MOVQ  (WORDS+i*8)(SP), at            \
	SUBQ  BX, at                         \
	MOVQ  at, (WORDS+i*8)(SP)            \
	MOVQ  (at), word                     \
	ORQ   $1, word                       \
	SHLXQ CX, word, word

// END stores a stream. The number of used bits of its word is that of the bits after
// the 1.
#define END(i, word, out) \
	TZCNTQ word, CX                       \
	MOVQ  (WORDS+i*8)(SP), BX            \
	SUBQ  (LOWS+i*8)(SP), BX             \
	SHLQ  $3, BX                         \
	SUBQ  CX, BX                         \
	MOVQ  BX, (i*byteStream__size+byteStream_left)(AX)          \
	SUBQ  dst_base+16(FP), out           \
	MOVQ  out, (i*byteStream__size+byteStream_out)(AX)

// BEGINS uses DX and R9. Of the positions only the last may be in DX, and none in R9.
#define BEGINS(out0, out1, out2, out3) \
	BEGIN(0, R8, out0)  \
	BEGIN(1, R9, out1)  \
	BEGIN(2, R10, out2) \
	BEGIN(3, R11, out3) \
	LOAD(0, R8)        \
	LOAD(1, R9)        \
	LOAD(2, R10)       \
	LOAD(3, R11)

#define ROOMS(out0, out1, out2, out3, part) \
	MOVQ $65536, CX     \
	ROOM(0, out0, part) \
	ROOM(1, out1, part) \
	ROOM(2, out2, part) \
	ROOM(3, out3, part) \
	MOVQ CX, iterations-8(SP)

#define FILLS(at) \
	FILL(0, R8, at)    \
	FILL(1, R9, at)    \
	FILL(2, R10, at)   \
	FILL(3, R11, at)

#define ENDS(out0, out1, out2, out3) \
	END(0, R8, out0)   \
	END(1, R9, out1)   \
	END(2, R10, out2)  \
	END(3, R11, out3)

// func decodeOnesBMI2(one *[1 << maxCodeBits]uint16, streams *[4]byteStream,
// dst, src []byte, shift uint)
TEXT ·decodeOnesBMI2(SB), NOSPLIT, $104-72
	MOVQ streams+8(FP), AX
	MOVQ one+0(FP), R13
	BEGINS(SI, DI, BP, DX)
	MOVQ shift+64(FP), R12

again:
	ROOMS(SI, DI, BP, DX, 13107) // 64 Ki divided by 5
	TESTQ CX, CX
	JLE  end

loop:
	ONES(0)
	ONES(1)
	ONES(2)
	ONES(3)
	ONES(4)
	ADDQ $5, SI
	ADDQ $5, DI
	ADDQ $5, BP
	ADDQ $5, DX
	FILLS(R14)
	DECQ iterations-8(SP)
	JNZ  loop
	JMP  again

end:
	ENDS(SI, DI, BP, DX)
	RET

// func decodeTwosBMI2(two *[1 << maxCodeBits]uint32, streams *[4]byteStream,
// dst, src []byte)
TEXT ·decodeTwosBMI2(SB), NOSPLIT, $104-64
	MOVQ streams+8(FP), AX
	MOVQ two+0(FP), DI
	BEGINS(R12, R13, R14, R15)
	MOVL $53, SI

again:
	ROOMS(R12, R13, R14, R15, 6553) // 64 Ki divided by 10
	TESTQ CX, CX
	JLE  end

loop:
	TWOS
	TWOS
	TWOS
	TWOS
	TWOS
	FILLS(DX)
	DECQ iterations-8(SP)
	JNZ  loop
	JMP  again

end:
	ENDS(R12, R13, R14, R15)
	RET
