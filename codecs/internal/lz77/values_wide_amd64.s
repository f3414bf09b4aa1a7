//go:build !purego

#include "textflag.h"

// These functions are scanGeneric (values.go) for many words at once. Hashes, distances
// and the choice are computed for 16 words at a time. Positions are exchanged with the
// tables one by one, so that each word finds the words just before it, and words are also
// compared one by one. Each of the four steps is done for all words before the next step
// begins, because a small load directly after a large store to the same bytes would wait
// for the store.
//
// SI, R10   src, the current words
// DX, CX    numbers of the first word and of the current one
// R8, R9    the tables of words and of pairs
// DI, R11   input of the next step, for pairs in repeats and for words in
//           scratch: indices in the tables, then the words to compare with
// R12       in scratch, 1 KiB each: which of these differ, one bit for each word
// AX, BX    scratch
//
// Z16, Z17  the primes; X18, X19 shifts from products to hashes
// Z20       the numbers of the words; Z21 their increment
// Z22, Z23  the window, the window less one; Z24 ones
// Z25       mask of the valid bits of a position

DATA scanSteps<>+0(SB)/4, $0
DATA scanSteps<>+4(SB)/4, $1
DATA scanSteps<>+8(SB)/4, $2
DATA scanSteps<>+12(SB)/4, $3
DATA scanSteps<>+16(SB)/4, $4
DATA scanSteps<>+20(SB)/4, $5
DATA scanSteps<>+24(SB)/4, $6
DATA scanSteps<>+28(SB)/4, $7
DATA scanSteps<>+32(SB)/4, $8
DATA scanSteps<>+36(SB)/4, $9
DATA scanSteps<>+40(SB)/4, $10
DATA scanSteps<>+44(SB)/4, $11
DATA scanSteps<>+48(SB)/4, $12
DATA scanSteps<>+52(SB)/4, $13
DATA scanSteps<>+56(SB)/4, $14
DATA scanSteps<>+60(SB)/4, $15
GLOBL scanSteps<>(SB), RODATA|NOPTR, $64

// scanEqual maps a mask of differing words to the number of equal words before the first.
DATA scanEqual<>+0(SB)/4, $4
DATA scanEqual<>+4(SB)/4, $0
DATA scanEqual<>+8(SB)/4, $1
DATA scanEqual<>+12(SB)/4, $0
DATA scanEqual<>+16(SB)/4, $2
DATA scanEqual<>+20(SB)/4, $0
DATA scanEqual<>+24(SB)/4, $1
DATA scanEqual<>+28(SB)/4, $0
DATA scanEqual<>+32(SB)/4, $3
DATA scanEqual<>+36(SB)/4, $0
DATA scanEqual<>+40(SB)/4, $1
DATA scanEqual<>+44(SB)/4, $0
DATA scanEqual<>+48(SB)/4, $2
DATA scanEqual<>+52(SB)/4, $0
DATA scanEqual<>+56(SB)/4, $1
DATA scanEqual<>+60(SB)/4, $0
GLOBL scanEqual<>(SB), RODATA|NOPTR, $64

#define EXCHANGE16(k, n, x, y) \
	MOVL     (4*k)(R11), AX            \
	MOVL     (4*k)(DI), BX             \
	VPINSRW  $n, (R8)(AX*2), x, x      \
	MOVW     CX, (R8)(AX*2)            \
	VPINSRW  $n, (R9)(BX*2), y, y      \
	MOVW     CX, (R9)(BX*2)            \
	INCL     CX

#define EXCHANGED16 \
	EXCHANGE16(0, 0, X10, X12)         \
	EXCHANGE16(1, 1, X10, X12)         \
	EXCHANGE16(2, 2, X10, X12)         \
	EXCHANGE16(3, 3, X10, X12)         \
	EXCHANGE16(4, 4, X10, X12)         \
	EXCHANGE16(5, 5, X10, X12)         \
	EXCHANGE16(6, 6, X10, X12)         \
	EXCHANGE16(7, 7, X10, X12)         \
	EXCHANGE16(8, 0, X11, X13)         \
	EXCHANGE16(9, 1, X11, X13)         \
	EXCHANGE16(10, 2, X11, X13)        \
	EXCHANGE16(11, 3, X11, X13)        \
	EXCHANGE16(12, 4, X11, X13)        \
	EXCHANGE16(13, 5, X11, X13)        \
	EXCHANGE16(14, 6, X11, X13)        \
	EXCHANGE16(15, 7, X11, X13)        \
	VINSERTI128 $1, X11, Y10, Y10      \
	VINSERTI128 $1, X13, Y12, Y12      \
	VPMOVZXWD Y10, Z10                 \
	VPMOVZXWD Y12, Z12

#define EXCHANGE32(k, n, x, y) \
	MOVL     (4*k)(R11), AX            \
	MOVL     (4*k)(DI), BX             \
	VPINSRD  $n, (R8)(AX*4), x, x      \
	MOVL     CX, (R8)(AX*4)            \
	VPINSRD  $n, (R9)(BX*4), y, y      \
	MOVL     CX, (R9)(BX*4)            \
	INCL     CX

#define EXCHANGED32 \
	EXCHANGE32(0, 0, X10, X12)         \
	EXCHANGE32(1, 1, X10, X12)         \
	EXCHANGE32(2, 2, X10, X12)         \
	EXCHANGE32(3, 3, X10, X12)         \
	EXCHANGE32(4, 0, X11, X13)         \
	EXCHANGE32(5, 1, X11, X13)         \
	EXCHANGE32(6, 2, X11, X13)         \
	EXCHANGE32(7, 3, X11, X13)         \
	EXCHANGE32(8, 0, X14, X2)          \
	EXCHANGE32(9, 1, X14, X2)          \
	EXCHANGE32(10, 2, X14, X2)         \
	EXCHANGE32(11, 3, X14, X2)         \
	EXCHANGE32(12, 0, X15, X3)         \
	EXCHANGE32(13, 1, X15, X3)         \
	EXCHANGE32(14, 2, X15, X3)         \
	EXCHANGE32(15, 3, X15, X3)         \
	VINSERTI32X4 $1, X11, Z10, Z10     \
	VINSERTI32X4 $2, X14, Z10, Z10     \
	VINSERTI32X4 $3, X15, Z10, Z10     \
	VINSERTI32X4 $1, X13, Z12, Z12     \
	VINSERTI32X4 $2, X2, Z12, Z12      \
	VINSERTI32X4 $3, X3, Z12, Z12

#define COMPARE(k) \
	MOVL     (4*k)(R11), AX            \
	MOVL     (4*k)(DI), BX             \
	VMOVDQU  (8*k)(R10), Y0            \
	VPCMPQ   $4, (SI)(AX*8), X0, K1    \
	VPCMPQ   $4, (SI)(BX*8), Y0, K2    \
	KMOVB    K1, k(R12)                \
	KMOVB    K2, (1024+k)(R12)

#define SCAN(WHOLE, EXCHANGED) \
	MOVQ     one+0(FP), R8             \
	MOVQ     two+8(FP), R9             \
	VMOVQ    oneShift+16(FP), X18      \
	VMOVQ    twoShift+24(FP), X19      \
	MOVQ     repeats+32(FP), DI        \
	MOVQ     src+40(FP), SI            \
	MOVQ     from+48(FP), DX           \
	LEAQ     (SI)(DX*8), R10           \
	MOVQ     scratch+72(FP), R11       \
	LEAQ     4096(R11), R12            \
	MOVQ     $0x9e3779b185ebca87, AX   \
	VPBROADCASTQ AX, Z16               \
	MOVQ     $0xc2b2ae3d27d4eb4f, AX   \
	VPBROADCASTQ AX, Z17               \
	VPBROADCASTD DX, Z20               \
	VPADDD   scanSteps<>(SB), Z20, Z20 \
	MOVL     $16, AX                   \
	VPBROADCASTD AX, Z21               \
	MOVQ     window+64(FP), AX         \
	VPBROADCASTD AX, Z22               \
	DECL     AX                        \
	VPBROADCASTD AX, Z23               \
	MOVL     $1, AX                    \
	VPBROADCASTD AX, Z24               \
	MOVL     $WHOLE, AX                \
	VPBROADCASTD AX, Z25               \
	MOVL     DX, CX                    \
words:                                 \
	VMOVDQU64 (R10), Z0                \
	VMOVDQU64 64(R10), Z1              \
	VMOVDQU64 8(R10), Z2               \
	VMOVDQU64 72(R10), Z3              \
	VPMULLQ  Z16, Z0, Z0               \
	VPMULLQ  Z16, Z1, Z1               \
	VPMULLQ  Z16, Z2, Z2               \
	VPMULLQ  Z16, Z3, Z3               \
	VPSRLQ   $7, Z2, Z2                \
	VPSRLQ   $7, Z3, Z3                \
	VPXORQ   Z0, Z2, Z2                \
	VPXORQ   Z1, Z3, Z3                \
	VPMULLQ  Z17, Z2, Z2               \
	VPMULLQ  Z17, Z3, Z3               \
	VPSRLQ   X18, Z0, Z0               \
	VPSRLQ   X18, Z1, Z1               \
	VPSRLQ   X19, Z2, Z2               \
	VPSRLQ   X19, Z3, Z3               \
	VPMOVQD  Z0, Y0                    \
	VPMOVQD  Z1, Y1                    \
	VPMOVQD  Z2, Y2                    \
	VPMOVQD  Z3, Y3                    \
	VMOVDQU  Y0, (R11)                 \
	VMOVDQU  Y1, 32(R11)               \
	VMOVDQU  Y2, (DI)                  \
	VMOVDQU  Y3, 32(DI)                \
	ADDQ     $128, R10                 \
	ADDQ     $64, DI                   \
	ADDQ     $64, R11                  \
	ADDQ     $16, CX                   \
	CMPQ     CX, to+56(FP)             \
	JB       words                     \
	MOVQ     from+48(FP), CX           \
	MOVQ     repeats+32(FP), DI        \
	MOVQ     scratch+72(FP), R11       \
exchange:                              \
	EXCHANGED                          \
	VPSUBD   Z10, Z20, Z10             \
	VPSUBD   Z12, Z20, Z12             \
	VPANDD   Z25, Z10, Z10             \
	VPANDD   Z25, Z12, Z12             \
	VPCMPUD  $2, Z22, Z10, K1          \
	VMOVDQA32.Z Z10, K1, Z10           \
	VPSUBD   Z24, Z12, Z11             \
	VPCMPUD  $6, Z23, Z11, K2          \
	VMOVDQA32 Z10, K2, Z12             \
	VPSUBD   Z10, Z20, Z10             \
	VPSUBD   Z12, Z20, Z12             \
	VMOVDQU32 Z10, (R11)               \
	VMOVDQU32 Z12, (DI)                \
	VPADDD   Z21, Z20, Z20             \
	ADDQ     $64, DI                   \
	ADDQ     $64, R11                  \
	CMPQ     CX, to+56(FP)             \
	JB       exchange                  \
	MOVQ     from+48(FP), CX           \
	MOVQ     repeats+32(FP), DI        \
	MOVQ     scratch+72(FP), R11       \
	LEAQ     4096(R11), R12            \
	LEAQ     (SI)(CX*8), R10           \
compare:                               \
	COMPARE(0)                         \
	COMPARE(1)                         \
	COMPARE(2)                         \
	COMPARE(3)                         \
	COMPARE(4)                         \
	COMPARE(5)                         \
	COMPARE(6)                         \
	COMPARE(7)                         \
	COMPARE(8)                         \
	COMPARE(9)                         \
	COMPARE(10)                        \
	COMPARE(11)                        \
	COMPARE(12)                        \
	COMPARE(13)                        \
	COMPARE(14)                        \
	COMPARE(15)                        \
	ADDQ     $128, R10                 \
	ADDQ     $64, DI                   \
	ADDQ     $64, R11                  \
	ADDQ     $16, R12                  \
	ADDQ     $16, CX                   \
	CMPQ     CX, to+56(FP)             \
	JB       compare                   \
	VMOVD    DX, X20                   \
	VPBROADCASTD X20, Z20              \
	VPADDD   scanSteps<>(SB), Z20, Z20 \
	MOVQ     to+56(FP), CX             \
	SUBQ     from+48(FP), CX           \
	MOVQ     repeats+32(FP), DI        \
	MOVQ     scratch+72(FP), R11       \
	LEAQ     4096(R11), R12            \
	VMOVDQU32 scanEqual<>(SB), Z16     \
	VPADDD   Z24, Z24, Z17             \ // all words 2
	VPSLLD   $3, Z24, Z18              \ // all words 8
choose:                                \
	VPMOVZXBD (R12), Z0                \
	VPMOVZXBD 1024(R12), Z1            \
	VMOVDQU32 (R11), Z2                \
	VMOVDQU32 (DI), Z3                 \
	VPSUBD   Z2, Z20, Z2               \
	VPSUBD   Z3, Z20, Z3               \
	VPADDD   Z21, Z20, Z20             \
	VPERMD   Z16, Z1, Z1               \
	VPSLLD   $3, Z2, Z2                \
	VPSLLD   $3, Z3, Z3                \
	VPTESTNMD Z24, Z0, K1              \
	VPORD    Z24, Z2, Z2               \
	VPCMPUD  $5, Z17, Z1, K2           \
	VPORD    Z1, Z3, Z3                \
	VMOVDQA32.Z Z2, K1, Z2             \
	VMOVDQA32 Z3, K2, Z2               \
	VPCMPUD  $5, Z18, Z2, K1           \
	VMOVDQA32.Z Z2, K1, Z2             \
	VMOVDQU32 Z2, (DI)                 \
	ADDQ     $64, DI                   \
	ADDQ     $64, R11                  \
	ADDQ     $16, R12                  \
	SUBQ     $16, CX                   \
	JA       choose                    \
	VZEROUPPER                         \
	RET

// func scanWide16(one, two *uint16, oneShift, twoShift uint, repeats *Repeat,
// src *byte, from, to, window int, scratch *scanScratch)
TEXT ·scanWide16(SB), NOSPLIT, $0-80
	SCAN(0xffff, EXCHANGED16)

// func scanWide32(one, two *uint32, oneShift, twoShift uint, repeats *Repeat,
// src *byte, from, to, window int, scratch *scanScratch)
TEXT ·scanWide32(SB), NOSPLIT, $0-80
	SCAN(0xffffffff, EXCHANGED32)
