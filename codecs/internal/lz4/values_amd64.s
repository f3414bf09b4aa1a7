//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// putBMI is cover.putGeneric (values.go) in assembly.
//
// SI, DI    src, position in dst
// R8        repeats, as if it began at word 0
// CX, R9    the current word, the end
// R10       the first word not covered by a sequence
// R11       the number of words that are literals
// AX, BX    distance and number of the words that repeat
// DX        scratch; then the literals that the match covers
// R12, R13  the literals, the bytes of the match
// R14, R15  positions of the match and of its source; scratch

// The token, and the byte that follows the distance, for matches of 1 to 3 words.
DATA oneToThree<>+0(SB)/4, $0
DATA oneToThree<>+4(SB)/4, $4
DATA oneToThree<>+8(SB)/4, $12
DATA oneToThree<>+12(SB)/4, $0x0500000f
GLOBL oneToThree<>(SB), RODATA|NOPTR, $16

// LENGTH writes the part of n that is not in the token. n is 15 or more, and is changed.
#define LENGTH(n, full, last) \
	SUBQ $15, n      \
full:               \
	MOVB $255, (DI)  \
	CMPQ n, $255     \
	JB   last        \
	INCQ DI          \
	SUBQ $255, n     \
	JMP  full        \
last:               \
	MOVB n, (DI)     \
	INCQ DI

// func putBMI(c *cover, dst, src []byte, repeats *lz77.Repeat, from, to, end
// int) (ok bool)
TEXT ·putBMI(SB), NOSPLIT, $16-89
	MOVQ c+0(FP), AX
	MOVQ dst_base+8(FP), DI
	ADDQ cover_op(AX), DI
	MOVQ dst_base+8(FP), DX
	ADDQ dst_len+16(FP), DX
	MOVQ DX, dstEnd-8(SP)
	MOVQ src_base+32(FP), SI
	MOVQ repeats+56(FP), R8
	MOVQ from+64(FP), DX
	SHLQ $2, DX
	SUBQ DX, R8
	MOVQ cover_anchor(AX), R10
	MOVQ cover_at(AX), CX
	MOVQ cover_unlike(AX), R11
	MOVQ to+72(FP), R9
	LEAQ oneToThree<>(SB), R15
	CMPQ CX, R10
	JNE  begun

next:
	CMPQ CX, R9
	JAE  covered
	MOVL (R8)(CX*4), AX
	MOVL AX, BX
	ANDL $7, BX
	LEAL -1(BX), DX
	CMPL DX, $3
	JAE  other
	ADDQ BX, CX
	XORL BX, AX
	SHLL $8, AX
	ORL  (R15)(BX*4), AX
	MOVL AX, (DI)
	INCL BX
	SHRL $2, BX
	LEAQ 3(DI)(BX*1), DI
	JMP  next

other:
	MOVQ CX, R10
	TESTL BX, BX
	JNE  match

literal:
	INCQ R11
	INCQ CX

begun:
	CMPQ CX, R9
	JAE  done
	MOVL (R8)(CX*4), AX
	MOVL AX, BX
	ANDL $7, BX
	JEQ  literal

match:
	SHRL $3, AX
	LEAQ (SI)(CX*8), R14
	LEAQ (AX*8), DX
	MOVQ R14, R15
	SUBQ DX, R15
	MOVQ end+80(FP), DX
	SUBQ CX, DX
	CMPQ BX, $4
	JB   counted

count:
	CMPQ BX, DX
	JAE  counted
	MOVQ (R14)(BX*8), R12
	CMPQ R12, (R15)(BX*8)
	JNE  counted
	INCQ BX
	JMP  count

counted:
	CMPQ BX, DX
	CMOVQHI DX, BX
	LEAQ (BX*8), R13
	MOVQ CX, R12
	SUBQ R10, R12
	JEQ  found
	SHLQ $3, R12
	CMPQ CX, AX
	JLS  found
	MOVQ -8(R14), DX
	XORQ -8(R15), DX
	BSWAPQ DX
	TZCNTQ DX, DX
	SHRQ $3, DX
	SUBQ DX, R12
	ADDQ DX, R13

found:
	ADDQ BX, CX
	MOVQ R12, DX
	SHRQ $7, DX
	LEAQ 32(DI)(DX*1), DX
	ADDQ R12, DX
	MOVQ R13, BX
	SHRQ $7, BX
	ADDQ BX, DX
	CMPQ DX, dstEnd-8(SP)
	JHI  full
	SUBQ $4, R13
	MOVQ DI, BX               // the token
	INCQ DI
	LEAQ (SI)(R10*8), R14
	MOVQ CX, R10
	MOVL $15, R15
	MOVQ R12, DX
	CMPQ R12, $15
	CMOVQHI R15, DX
	SHLL $4, DX
	MOVQ R13, R10
	CMPQ R13, $15
	CMOVQHI R15, R10
	ORL  R10, DX
	MOVB DX, (BX)
	MOVQ CX, R10
	CMPQ R12, $8
	JHI  literals
	MOVQ (R14), DX
	MOVQ DX, (DI)
	ADDQ R12, DI

distance:
	SHLL $3, AX
	MOVW AX, (DI)
	ADDQ $2, DI
	LEAQ oneToThree<>(SB), R15
	CMPQ R13, $15
	JB   next
	LENGTH(R13, full255, last255)
	JMP  next

literals:
	CMPQ R12, $15
	JB   copied
	MOVQ R12, DX
	LENGTH(DX, literals255, literalsLast)

copied:
	LEAQ (DI)(R12*1), R15

copy:
	MOVQ (R14), DX
	MOVQ DX, (DI)
	ADDQ $8, R14
	ADDQ $8, DI
	CMPQ DI, R15
	JB   copy
	MOVQ R15, DI
	JMP  distance

covered:
	MOVQ CX, R10

done:
	MOVQ c+0(FP), AX
	SUBQ dst_base+8(FP), DI
	MOVQ DI, cover_op(AX)
	MOVQ R10, cover_anchor(AX)
	MOVQ CX, cover_at(AX)
	MOVQ R11, cover_unlike(AX)
	MOVB $1, ok+88(FP)
	RET

full:
	MOVB $0, ok+88(FP)
	RET
