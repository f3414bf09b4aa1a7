//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// These functions are searchGeneric (search.go) for tables of both widths, and write,
// which encodes matches during the search: that costs hardly anything, because the search
// for the next match waits for memory. Very long matches, and those near the end of dst,
// are left to Go.
//
// SI        src
// DI        the table
// CX        shift of the hash
// R8        the current position
// R13       limit of the loop of four positions, 3 less than that of the search
// R12       the last byte of src
// AX        four bytes to look up; later the end of the match
// BX        their hash; later the distance
// DX        the earlier position of such a word
// R10, R11  search: where the next match is written, and the end of found
//           write: where the next byte is written, and the end of dst less writeRoom
// R9        write: the first literal

#define HASH(word, to) \
	IMUL3L $-1640531535, word, to \
	SHRL   CX, to

// The bytes at k(SI)(R8*1) are looked up and entered; AX becomes 0 if seven of them match.
#define NEAR(k) \
	MOVQ    k(SI)(R8*1), AX \
	HASH(AX, BX)            \
	MOVWLZX (DI)(BX*2), DX  \
	LEAL    k(R8), R14      \
	MOVW    R14, (DI)(BX*2) \
	XORQ    (SI)(DX*1), AX  \
	SHLQ    $8, AX

#define FAR(k) \
	MOVQ k(SI)(R8*1), AX \
	HASH(AX, BX)         \
	MOVL (DI)(BX*4), DX  \
	LEAL k(R8), R14      \
	MOVL R14, (DI)(BX*4) \
	XORQ (SI)(DX*1), AX  \
	SHLQ $8, AX

#define PUTNEAR(place) MOVW place, (DI)(R14*2)
#define PUTFAR(place) MOVL place, (DI)(R14*4)

// FIND searches for a match, and jumps to near, far or done. The code at near and far
// continues at put or none.
#define FIND(LOOK) \
four:                             \
	CMPQ    R8, R13           \
	JGE     one               \
	LOOK(0)                   \
	JEQ     match0            \
	LOOK(1)                   \
	JEQ     match1            \
	LOOK(2)                   \
	JEQ     match2            \
	LOOK(3)                   \
	JEQ     match3            \
	ADDQ    $4, R8            \
	JMP     four              \
one:                              \
	LEAQ    3(R13), R14       \
	CMPQ    R8, R14           \
	JGE     done              \
	LOOK(0)                   \
	JEQ     match0            \
none:                             \
	INCQ    R8                \
	JMP     four              \
match3:                           \
	INCQ    R8                \
match2:                           \
	INCQ    R8                \
match1:                           \
	INCQ    R8                \
match0:                           \
	MOVQ    R8, BX            \
	SUBQ    DX, BX            \
	JEQ     none              \
	CMPQ    BX, $73725        \
	JAE     none              \
	ADDQ    SI, DX            \
	SUBQ    R8, DX            \
	LEAQ    7(R8), AX         \
	LEAQ    -16(R12), R14     \
	CMPQ    AX, R14           \
	JGT     last              \
	MOVQ    (SI)(AX*1), R15   \
	XORQ    (DX)(AX*1), R15   \
	JEQ     compare           \
	BSFQ    R15, R15          \
	SHRL    $3, R15           \
	LEAQ    -3(AX)(R15*1), AX \
	JMP     ended             \
compare:                          \
	ADDQ    $8, AX            \
sixteen:                          \
	CMPQ    AX, R14           \
	JGT     last              \
	MOVOU   (SI)(AX*1), X0    \
	MOVOU   (DX)(AX*1), X1    \
	PCMPEQB X0, X1            \
	PMOVMSKB X1, R15          \
	XORL    $0xffff, R15      \
	JNE     differ            \
	ADDQ    $16, AX           \
	JMP     sixteen           \
differ:                           \
	BSFL    R15, R15          \
	LEAQ    -3(AX)(R15*1), AX \
	JMP     ended             \
last:                             \
	CMPQ    AX, R12           \
	JGE     bound             \
	MOVBLZX (SI)(AX*1), R15   \
	INCQ    AX                \
	CMPB    R15, -1(DX)(AX*1) \
	JEQ     last              \
bound:                            \
	SUBQ    $4, AX            \
ended:

// REMEMBER enters the word at the match's end and, if deep is set, another word.
#define REMEMBER(PUT, deep) \
	MOVL (SI)(AX*1), DX \
	HASH(DX, R14)       \
	PUT(AX)             \
	CMPB deep, $0       \
	JEQ  remembered     \
	SHRL $8, DX         \
	HASH(DX, R14)       \
	LEAL 1(AX), DX      \
	PUT(DX)             \
remembered:

#define SEARCH(LOOK, PUT) \
	MOVQ    at+0(FP), DI           \
	MOVBLZX shift+8(FP), CX        \
	MOVQ    src_base+16(FP), SI    \
	MOVQ    src_len+24(FP), R12    \
	DECQ    R12                    \
	MOVQ    i+40(FP), R8           \
	MOVQ    limit+48(FP), R13      \
	SUBQ    $3, R13                \
	MOVQ    found_base+72(FP), R10 \
	MOVQ    found_len+80(FP), R11  \
	LEAQ    (R11)(R11*2), R11      \
	LEAQ    (R10)(R11*4), R11      \
	FIND(LOOK)                     \
	CMPQ    BX, $8191              \
	JLE     near                   \
	MOVQ    AX, DX                 \
	SUBQ    R8, DX                 \
	CMPQ    DX, minFar+56(FP)      \
	JLT     none                   \
near:                                  \
	MOVL    R8, match_at(R10)      \
	MOVL    AX, match_end(R10)     \
	MOVL    BX, match_distance(R10) \
	ADDQ    $match__size, R10      \
	REMEMBER(PUT, deep+64(FP))     \
	LEAQ    2(AX), R8              \
	CMPQ    R10, R11               \
	JB      four                   \
done:                                  \
	SUBQ    found_base+72(FP), R10 \
	MOVQ    R10, AX                \
	MOVL    $match__size, BX       \
	XORL    DX, DX                 \
	DIVQ    BX                     \
	MOVQ    AX, n+96(FP)           \
	MOVQ    R8, next+104(FP)       \
	RET

// func search16SSE(at *uint16, shift uint8, src []byte, i, limit, minFar int,
// deep bool, found []match) (n, next int)
TEXT ·search16SSE(SB), NOSPLIT, $0-112
	SEARCH(NEAR, PUTNEAR)

// func search32SSE(at *uint32, shift uint8, src []byte, i, limit, minFar int,
// deep bool, found []match) (n, next int)
TEXT ·search32SSE(SB), NOSPLIT, $0-112
	SEARCH(FAR, PUTFAR)

DATA farBits<>(SB)/4, $31
GLOBL farBits<>(SB), RODATA|NOPTR, $4

// The form of the next instruction is hard to predict, so there are no branches between
// the common forms: superfluous bytes are overwritten.
#define WRITE(LOOK, PUT) \
	MOVQ    at+0(FP), DI           \
	MOVBLZX shift+8(FP), CX        \
	MOVQ    dst_base+16(FP), R10   \
	MOVQ    dst_len+24(FP), R11    \
	MOVQ    src_base+40(FP), SI    \
	MOVQ    src_len+48(FP), R12    \
	DECQ    R12                    \
	MOVQ    op+64(FP), AX          \
	MOVQ    anchor+72(FP), R9      \
	MOVQ    i+80(FP), R8           \
	MOVQ    limit+88(FP), R13      \
	SUBQ    $3, R13                \
	LEAQ    -80(R10)(R11*1), R11   \
	ADDQ    AX, R10                \
	FIND(LOOK)                     \
	CMPQ    BX, $8191              \
	JLE     near                   \
	MOVQ    AX, DX                 \
	SUBQ    R8, DX                 \
	CMPQ    DX, $6                 \
	JLT     none                   \
near:                                  \
	REMEMBER(PUT, deep+96(FP))     \
	MOVQ    AX, DX                 \
	SUBQ    R8, DX                 \
	CMPQ    DX, $262               \
	JGE     give                   \
	MOVQ    R8, R14                \
	SUBQ    R9, R14                \
	CMPQ    R14, $32               \
	JHI     longRun                \
	CMPQ    R10, R11               \
	JHI     give                   \
run:                                   \
	MOVOU   (SI)(R9*1), X0         \
	MOVOU   16(SI)(R9*1), X1       \
	LEAL    -1(R14), R15           \
	MOVB    R15, (R10)             \
	MOVOU   X0, 1(R10)             \
	MOVOU   X1, 17(R10)            \
	ADDQ    R14, R10               \
	CMPQ    R14, $1                \
	SBBQ    $-1, R10               \
	LEAL    -7(DX), R14            \
	MOVB    R14, 1(R10)            \
	MOVL    $7, R14                \
	CMPQ    DX, R14                \
	CMOVQCS DX, R14                \
	LEAQ    1(R10), R15            \
	CMPQ    DX, $7                 \
	SBBQ    $-1, R15               \
	SHLL    $5, R14                \
	DECL    BX                     \
	LEAL    -8191(BX), DX          \
	ROLW    $8, DX                 \
	SHLL    $8, DX                 \
	ORL     $255, DX               \
	MOVL    BX, R9                 \
	SHRL    $8, R9                 \
	CMPL    BX, $8190              \
	CMOVLHI farBits<>(SB), R9      \
	CMOVLLS BX, DX                 \
	ORL     R9, R14                \
	MOVB    R14, (R10)             \
	MOVL    DX, (R15)              \
	CMPL    BX, $8191              \
	SBBQ    DX, DX                 \
	LEAQ    3(R15)(DX*2), R10      \
	LEAQ    2(AX), R8              \
	MOVQ    R8, R9                 \
	JMP     four                   \
longRun:                               \
	MOVQ    R14, R15               \
	SHRQ    $5, R15                \
	ADDQ    R14, R15               \
	ADDQ    R10, R15               \
	CMPQ    R15, R11               \
	JHI     give                   \
whole:                                 \
	MOVOU   (SI)(R9*1), X0         \
	MOVOU   16(SI)(R9*1), X1       \
	MOVB    $31, (R10)             \
	MOVOU   X0, 1(R10)             \
	MOVOU   X1, 17(R10)            \
	ADDQ    $33, R10               \
	ADDQ    $32, R9                \
	SUBQ    $32, R14               \
	CMPQ    R14, $32               \
	JHI     whole                  \
	JMP     run                    \
give:                                  \
	MOVQ    found_base+104(FP), DX \
	MOVL    R8, match_at(DX)       \
	MOVL    AX, match_end(DX)      \
	MOVL    BX, match_distance(DX) \
	LEAQ    2(AX), R8              \
	MOVL    $1, DX                 \
	JMP     return                 \
done:                                  \
	XORL    DX, DX                 \
return:                                \
	SUBQ    dst_base+16(FP), R10   \
	MOVQ    DX, n+128(FP)          \
	MOVQ    R8, next+136(FP)       \
	MOVQ    R10, written+144(FP)   \
	MOVQ    R9, literals+152(FP)   \
	RET

// func write16SSE(at *uint16, shift uint8, dst, src []byte, op, anchor, i, limit
// int, deep bool, found []match) (n, next, written, literals int)
TEXT ·write16SSE(SB), NOSPLIT, $0-160
	WRITE(NEAR, PUTNEAR)

// func write32SSE(at *uint32, shift uint8, dst, src []byte, op, anchor, i, limit
// int, deep bool, found []match) (n, next, written, literals int)
TEXT ·write32SSE(SB), NOSPLIT, $0-160
	WRITE(FAR, PUTFAR)
