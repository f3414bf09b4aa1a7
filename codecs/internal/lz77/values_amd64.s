//go:build !purego

#include "textflag.h"

// SCAN is scanGeneric (values.go), one word at a time.
//
// SI        src
// R8, R9    the tables of words and of pairs; CX, DX shifts from products to hashes
// R10       number of the current word
// R12, R13  the word, the next one
// BX        the word's product
// R11, R14  distances of word and pair, then candidates for Repeat
// DI        position in repeats
// AX, R15   free

#define FIRST16(t, h, r)  MOVWLZX (t)(h*2), r
#define NOTE16(t, h)      MOVW R10, (t)(h*2)
#define DISTANCE16(d)     MOVWLZX d, d

#define FIRST32(t, h, r)  MOVL (t)(h*4), r
#define NOTE32(t, h)      MOVL R10, (t)(h*4)
#define DISTANCE32(d)

#define SCAN(FIRST, NOTE, DISTANCE) \
	MOVQ    one+0(FP), R8            \
	MOVQ    two+8(FP), R9            \
	MOVQ    oneShift+16(FP), CX      \
	MOVQ    twoShift+24(FP), DX      \
	MOVQ    repeats+32(FP), DI       \
	MOVQ    src+40(FP), SI           \
	MOVQ    from+48(FP), R10         \
	MOVQ    window+64(FP), AX        \
	MOVQ    AX, farthest-8(SP)       \
	DECQ    AX                       \
	MOVQ    AX, farthest1-16(SP)     \
	MOVQ    $0x9e3779b185ebca87, BX  \
	MOVQ    BX, prime1-24(SP)        \
	MOVQ    $0xc2b2ae3d27d4eb4f, AX  \
	MOVQ    AX, prime2-32(SP)        \
	MOVQ    (SI)(R10*8), R12         \
	MOVQ    8(SI)(R10*8), R13        \
	IMULQ   R12, BX                  \
word:                               \
	MOVQ    R13, AX                  \
	IMULQ   prime1-24(SP), AX        \
	SHRXQ   CX, BX, R11              \
	MOVQ    AX, R14                  \
	SHRQ    $7, R14                  \
	XORQ    BX, R14                  \
	IMULQ   prime2-32(SP), R14       \
	SHRXQ   DX, R14, R14             \
	MOVQ    AX, BX                   \
	FIRST(R8, R11, AX)               \
	NOTE(R8, R11)                    \
	FIRST(R9, R14, R15)              \
	NOTE(R9, R14)                    \
	MOVL    R10, R11                 \
	SUBL    AX, R11                  \
	DISTANCE(R11)                    \
	MOVL    R10, R14                 \
	SUBL    R15, R14                 \
	DISTANCE(R14)                    \
	XORL    AX, AX                   \
	CMPQ    R11, farthest-8(SP)      \
	CMOVQHI AX, R11                  \
	LEAQ    -1(R14), R15             \
	CMPQ    R15, farthest1-16(SP)    \
	CMOVQHI R11, R14                 \
	MOVQ    R10, R15                 \
	SUBQ    R11, R15                 \
	LEAQ    1(R11*8), R11            \
	CMPQ    R12, (SI)(R15*8)         \
	CMOVQNE AX, R11                  \
	MOVQ    R10, R15                 \
	SUBQ    R14, R15                 \
	VMOVDQU (SI)(R10*8), Y0          \
	VPCMPEQQ (SI)(R15*8), Y0, Y0     \
	VMOVMSKPD Y0, R15                \
	NOTL    R15                      \
	TZCNTL  R15, R15                 \
	LEAQ    (R15)(R14*8), R14        \
	CMPL    R15, $2                  \
	CMOVQCC R14, R11                 \
	CMPQ    R11, $8                  \
	CMOVQCS AX, R11                  \
	MOVL    R11, (DI)                \
	ADDQ    $4, DI                   \
	MOVQ    R13, R12                 \
	MOVQ    16(SI)(R10*8), R13       \
	INCQ    R10                      \
	CMPQ    R10, to+56(FP)           \
	JB      word                     \
	VZEROUPPER                       \
	RET

// func scan16(one, two *uint16, oneShift, twoShift uint, repeats *Repeat, src
// *byte, from, to, window int)
TEXT ·scan16(SB), NOSPLIT, $32-72
	SCAN(FIRST16, NOTE16, DISTANCE16)

// func scan32(one, two *uint32, oneShift, twoShift uint, repeats *Repeat, src
// *byte, from, to, window int)
TEXT ·scan32(SB), NOSPLIT, $32-72
	SCAN(FIRST32, NOTE32, DISTANCE32)
