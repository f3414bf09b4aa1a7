//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// The state of a stream is a word with the next bits, highest first, and a 1 after the
// last of them, which shows how many were used; the position in dst; and, on the stack,
// the positions of the word and of the 8 bytes before the stream.
//
// R8-R11    words
// R12-R15   positions in dst
// DI        table
// BX, CX, DX  scratch
// SI        shift from a word to an index
// AX        the streams, then the number of iterations that all streams allow

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
	SHRXQ SI, word, BX                   \
	MOVWLZX (DI)(BX*2), BX               \
	SHLXQ BX, word, word                 \
	SHRL  $8, BX                         \
	MOVB  BX, k(out)

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
	ONE(k, R8, R12)   \
	ONE(k, R9, R13)   \
	ONE(k, R10, R14)  \
	ONE(k, R11, R15)

#define TWOS \
	TWO(R8, R12)      \
	TWO(R9, R13)      \
	TWO(R10, R14)     \
	TWO(R11, R15)

#define FILL(i, word) \
	TZCNTQ word, CX                       \
	MOVQ  CX, BX                         \
	SHRQ  $3, BX                         \
	ANDL  $7, CX                         \
	MOVQ  (WORDS+i*8)(SP), DX            \
	SUBQ  BX, DX                         \
	MOVQ  DX, (WORDS+i*8)(SP)            \
	MOVQ  (DX), word                     \
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

#define BEGINS \
	BEGIN(0, R8, R12)  \
	BEGIN(1, R9, R13)  \
	BEGIN(2, R10, R14) \
	BEGIN(3, R11, R15) \
	LOAD(0, R8)        \
	LOAD(1, R9)        \
	LOAD(2, R10)       \
	LOAD(3, R11)

#define ROOMS(part) \
	MOVQ $65536, CX    \
	ROOM(0, R12, part) \
	ROOM(1, R13, part) \
	ROOM(2, R14, part) \
	ROOM(3, R15, part) \
	MOVQ CX, iterations-8(SP)

#define FILLS \
	FILL(0, R8)        \
	FILL(1, R9)        \
	FILL(2, R10)       \
	FILL(3, R11)

#define ENDS \
	END(0, R8, R12)    \
	END(1, R9, R13)    \
	END(2, R10, R14)   \
	END(3, R11, R15)

// func decodeOnesBMI2(one *[1 << maxCodeBits]uint16, streams *[4]byteStream,
// dst, src []byte, shift uint)
TEXT ·decodeOnesBMI2(SB), NOSPLIT, $104-72
	MOVQ streams+8(FP), AX
	MOVQ one+0(FP), DI
	BEGINS
	MOVQ shift+64(FP), SI

again:
	ROOMS(13107)               // 64 Ki divided by 5
	TESTQ CX, CX
	JLE  end

loop:
	ONES(0)
	ONES(1)
	ONES(2)
	ONES(3)
	ONES(4)
	ADDQ $5, R12
	ADDQ $5, R13
	ADDQ $5, R14
	ADDQ $5, R15
	FILLS
	DECQ iterations-8(SP)
	JNZ  loop
	JMP  again

end:
	ENDS
	RET

// func decodeTwosBMI2(two *[1 << maxCodeBits]uint32, streams *[4]byteStream,
// dst, src []byte)
TEXT ·decodeTwosBMI2(SB), NOSPLIT, $104-64
	MOVQ streams+8(FP), AX
	MOVQ two+0(FP), DI
	BEGINS
	MOVL $53, SI

again:
	ROOMS(6553)                // 64 Ki divided by 10
	TESTQ CX, CX
	JLE  end

loop:
	TWOS
	TWOS
	TWOS
	TWOS
	TWOS
	FILLS
	DECQ iterations-8(SP)
	JNZ  loop
	JMP  again

end:
	ENDS
	RET
