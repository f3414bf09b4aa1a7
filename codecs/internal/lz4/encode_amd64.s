//go:build !purego

#include "textflag.h"
#include "encode_amd64.h"

// This is LZ4_compress_generic of LZ4 1.10. It chooses the same matches, so it writes the
// same bytes.
//
// SI, R10   start of src, hash table
// R8        the current position: relative to SI during the search, then an
//           address
// R9        first literal of the next sequence
// R11, R12  limits of the search and of matches
// DI, R13   position in dst, and its limit before a sequence
// R14       the match, relative to SI
// AX        hash of the position ahead, BX; CX the step to the one after it
// BP        counts the steps until they become longer; DX is the count
//
// Once there is a match, AX is its token, to be stored at DX, and BP is the number
// of bytes before R8 that it covers. If a match directly follows another, DI is at
// the token, and BP selects the guess.
//
// A sequence takes 20 to 40 cycles, mostly latency: it depends on the length of
// the previous one, then on hash, table and match in turn, and a mispredicted
// branch costs as much again. Hence
//   - neither lengths of 15 and more, until they are long, nor the bytes before a
//     match have a branch,
//   - what both sides of a branch need is computed before it,
//   - GUESS predicts the length of a match.
// Words are hashed from memory: using a register that already holds them is
// slower.

#define ENCODE(HASH, LOAD, STORE, FAR, DIFFER, COPY, WIDTH, BEGINNING, AT_FIRST) \
	BEGIN                        \
	HASH(1(SI), AX)              \
	LOAD(AX, R14)                \
first:                               \ // no match follows directly: search, first by 1
	MOVQ  R8, R9                 \
	LEAQ  2(R8), BX              \
	CMPQ  BX, R11                \
	JA    end                    \
	SUBQ  SI, R8                 \
	SUBQ  SI, BX                 \
	INCQ  R8                     \
	STORE(R8, AX)                \
	HASH((SI)(BX*1), AX)         \
	FAR(R8, R15, search)         \
	MOVL  (SI)(R8*1), R15        \
	CMPL  R15, (SI)(R14*1)       \
	JEQ   foundNear              \
search:                              \
	MOVQ  acceleration+56(FP), CX \
	LEAQ  1(CX), DX              \
	MOVL  $64, BP                \
next:                                \
	MOVQ  BX, R8                 \
	ADDQ  CX, BX                 \
	CMPQ  BX, limit-16(SP)       \
	JA    end                    \
	LOAD(AX, R14)                \
	STORE(R8, AX)                \
	HASH((SI)(BX*1), AX)         \
	DECL  BP                     \
	JEQ   faster                 \
look:                                \
	FAR(R8, R15, next)           \
	MOVL  (SI)(R8*1), R15        \
	CMPL  R15, (SI)(R14*1)       \
	JNE   next                   \
	CMPL  CX, $1                 \
	JEQ   foundNear              \
backwards:                           \ // extend by up to 16 equal literals
	CMPQ  R14, $16               \
	JB    bytesBackwards         \
	MOVOU -16(SI)(R8*1), X0      \
	MOVOU -16(SI)(R14*1), X1     \
	PCMPEQB X1, X0               \
	PMOVMSKB X0, R15             \
	XORL  $0xffff, R15           \
	LEAL  1(R15)(R15*1), R15     \
	BSRL  R15, R15               \
	MOVL  $16, BP                \
	SUBL  R15, BP                \
	ADDQ  SI, R8                 \
	MOVQ  R8, CX                 \
	SUBQ  R9, CX                 \
	CMPQ  BP, CX                 \
	CMOVQHI CX, BP               \
	CMPQ  BP, $16                \
	JEQ   backwards16            \
	SUBQ  BP, CX                 \
literals:                            \
	MOVQ  DI, DX                 \
	CMPQ  CX, $15                \
	JAE   manyLiterals           \
	MOVL  CX, AX                 \
	SHLL  $4, AX                 \
	LEAQ  (17-ROOM)(DI)(CX*1), R15 \
	CMPQ  R15, R13               \
	JA    fewLiterals            \
	CMPQ  R8, ahead-24(SP)       \
	JA    fewLiterals            \
	MOVOU (R9), X0               \
	MOVOU X0, 1(DI)              \
	LEAQ  1(DI)(CX*1), DI        \
match:                               \
	MOVQ  R8, CX                 \
	SUBQ  SI, CX                 \
	SUBQ  R14, CX                \
	MOVW  CX, (DI)               \
	ADDQ  $2, DI                 \
	MOVQ  4(R8), CX              \
	XORQ  4(SI)(R14*1), CX       \
	JZ    wideMatch              \
	BSFQ  CX, CX                 \
	SHRL  $3, CX                 \
	LEAQ  4(R8)(CX*1), R8        \
	ADDL  BP, CX                 \
	CMPL  CX, $15                \
	JAE   length                 \
	ADDL  CX, AX                 \
	MOVB  AX, (DX)               \
	CMPQ  DI, R13                \
	JA    full                   \
matched:                             \ // a match has just ended
	MOVQ  R8, CX                 \
	SUBQ  SI, CX                 \
	HASH(-2(R8), AX)             \
	LEAQ  -2(CX), R15            \
	STORE(R15, AX)               \
	HASH((R8), AX)               \
	LOAD(AX, R14)                \
	STORE(CX, AX)                \
	HASH(1(R8), AX)              \
	LOAD(AX, R9)                 \
	MOVL  (R8), BX               \
	CMPL  BX, (SI)(R14*1)        \
	JNE   notBehind              \
	FAR(CX, R15, notBehind)      \
	CMPQ  R8, ahead-24(SP)       \
	JA    nearEndMatched         \
	SUBQ  R14, CX                \
	MOVW  CX, 1(DI)              \
	MOVQ  4(R8), CX              \
	XORQ  4(SI)(R14*1), CX       \
	BEGINNING(12(R8), 12(SI)(R14*1), R15) \
	BSFQ  CX, CX                 \
	JZ    wideMatched            \
	SHRL  $3, CX                 \
	GUESS(right)                 \
guessed:                             \
	GUESSED                      \
	LEAQ  4(R8)(CX*1), R8        \
	MOVB  CX, (DI)               \
	ADDQ  $3, DI                 \
	CMPQ  DI, R13                \
	JBE   matched                \
full:                                \
	MOVQ  $-1, ret+64(FP)        \
	MOVQ  $0, ret1+72(FP)        \
	RET                          \
right:                               \
	MOVBLZX AX, CX               \
	JMP   guessed                \
notBehind:                           \
	MOVQ  R9, R14                \
	JMP   first                  \
wideMatched:                         \ // 12 bytes match
	BSFQ  R15, CX                \
	JZ    longMatched            \
	ADDL  $8, CX                 \
	GUESS(rightWide)             \
guessedWide:                         \
	GUESSED                      \
	LEAQ  4(R8)(CX*1), R8        \
	LENGTH(3, R15)               \
	MOVB  R15, (DI)              \
	SBBQ  $-4, DI                \
	CMPQ  DI, R13                \
	JBE   matched                \
	JMP   full                   \
rightWide:                           \
	MOVBLZX AX, CX               \
	JMP   guessedWide            \
foundNear:                           \ // after steps of 1 the byte before rarely matches
	TESTQ R14, R14               \
	JEQ   noBackwards            \
	MOVBLZX -1(SI)(R8*1), R15    \
	CMPB  R15, -1(SI)(R14*1)     \
	JEQ   backwards              \
noBackwards:                         \
	ADDQ  SI, R8                 \
	XORL  BP, BP                 \
	MOVQ  R8, CX                 \
	SUBQ  R9, CX                 \
	JMP   literals               \
wideMatch:                           \ // 12 bytes match
	BEGINNING(12(R8), 12(SI)(R14*1), R15) \
	BSFQ  R15, CX                \
	JZ    longMatch              \
	ADDL  $8, CX                 \
	LEAQ  4(R8)(CX*1), R8        \
	ADDL  BP, CX                 \
length:                              \
	LENGTH(0, R15)               \
	SBBQ  $-1, DI                \
	ADDL  R15, AX                \
	MOVB  AX, (DX)               \
	CMPQ  DI, R13                \
	JBE   matched                \
	JMP   full                   \
nearEndMatched:                      \
	MOVQ  DI, DX                 \
	XORL  AX, AX                 \
	INCQ  DI                     \
	XORL  BP, BP                 \
nearEnd:                             \
	SUBQ  BP, R8                 \
	SUBQ  BP, R14                \
	MOVQ  R8, CX                 \
	SUBQ  SI, CX                 \
	SUBQ  R14, CX                \
	MOVW  CX, (DI)               \
	ADDQ  $2, DI                 \
	LEAQ  4(R8), CX              \
	MOVQ  CX, R8                 \
	LEAQ  4(SI)(R14*1), R14      \
	JMP   count16                \
longMatched:                         \
	MOVQ  DI, DX                 \
	XORL  AX, AX                 \
	ADDQ  $3, DI                 \
	XORL  BP, BP                 \
longMatch:                           \ // AT_FIRST more bytes match
	LEAQ  4(R8), CX              \
	SUBQ  BP, CX                 \
	ADDQ  SI, R14                \
	ADDQ  $(12+AT_FIRST), R8        \
	ADDQ  $(12+AT_FIRST), R14       \
countWide:                           \ // compare at the addresses R8 and R14; CX is where the count began
	LEAQ  WIDTH(R8), R15         \
	CMPQ  R15, R12               \
	JA    count16                \
	DIFFER((R8), (R14), R15)     \
	TESTQ R15, R15               \
	JNZ   differ                 \
	ADDQ  $WIDTH, R8             \
	ADDQ  $WIDTH, R14            \
	JMP   countWide              \
count16:                             \
	LEAQ  16(R8), R15            \
	CMPQ  R15, R12               \
	JA    count1                 \
	DIFFER16((R8), (R14), R15)   \
	JNZ   differ                 \
	ADDQ  $16, R8                \
	ADDQ  $16, R14               \
	JMP   count16                \
count1:                              \
	CMPQ  R8, R12                \
	JAE   counted                \
	MOVBLZX (R8), R15            \
	CMPB  R15, (R14)             \
	JNE   counted                \
	INCQ  R8                     \
	INCQ  R14                    \
	JMP   count1                 \
differ:                              \
	BSFQ  R15, R15               \
	ADDQ  R15, R8                \
counted:                             \
	MOVQ  R8, R15                \
	SUBQ  CX, R15                \
	MOVQ  R15, CX                \
	CMPQ  CX, $15                \
	JAE   longLength             \
	ADDL  CX, AX                 \
	MOVB  AX, (DX)               \
	CMPQ  DI, R13                \
	JA    full                   \
after:                               \
	MOVQ  R8, R9                 \
	XORL  BP, BP                 \
	CMPQ  R8, R11                \
	JB    matched                \
end:                                 \
	SUBQ  dst_base+8(FP), DI     \
	SUBQ  SI, R9                 \
	MOVQ  DI, ret+64(FP)         \
	MOVQ  R9, ret1+72(FP)        \
	RET                          \
faster:                              \
	MOVQ  DX, CX                 \
	INCQ  DX                     \
	MOVL  $64, BP                \
	JMP   look                   \
backwards16:                         \
	SUBQ  $16, R8                \
	SUBQ  $16, R14               \
	SUBQ  SI, R8                 \
	JMP   backwards              \
	BYTES_BACKWARDS              \
manyLiterals:                        \
	INCQ  DI                     \
	MOVL  $0x80808081, R15       \ // divides by 255
	IMULQ CX, R15                \
	SHRQ  $39, R15               \
	ADDQ  CX, R15                \
	LEAQ  (8-ROOM)(DI)(R15*1), R15 \
	CMPQ  R15, R13               \
	JA    full                   \
	MOVL  $0xf0, AX              \
	LEAQ  -15(CX), R15           \
	CMPQ  R15, $2040             \
	JB    lengthOfLiterals       \
	FULL_LITERAL_BYTES           \
lastOfLiterals:                      \
	MOVB  R15, (DI)              \
	INCQ  DI                     \
	LEAQ  (WIDTH-ROOM)(DI)(CX*1), R15 \
	CMPQ  R15, R13               \
	JA    copyNear               \
	CMPQ  R8, ahead-24(SP)       \
	JA    copyNear               \
	SUBQ  $(WIDTH-ROOM), R15     \
copyWide:                            \
	COPY((R9), (DI))             \
	ADDQ  $WIDTH, R9             \
	ADDQ  $WIDTH, DI             \
	CMPQ  DI, R15                \
	JB    copyWide               \
	MOVQ  R15, DI                \
	JMP   match                  \
fewLiterals:                         \
	INCQ  DI                     \
	LEAQ  (8-ROOM)(DI)(CX*1), R15 \
	CMPQ  R15, R13               \
	JA    full                   \
copyNear:                            \
	LEAQ  (DI)(CX*1), R15        \
copy8:                               \
	MOVQ  (R9), CX               \
	MOVQ  CX, (DI)               \
	ADDQ  $8, R9                 \
	ADDQ  $8, DI                 \
	CMPQ  DI, R15                \
	JB    copy8                  \
	MOVQ  R15, DI                \
	CMPQ  R8, ahead-24(SP)       \
	JBE   match                  \
	JMP   nearEnd                \
longLength:                          \ // write R15 length bytes
	LEAQ  240(CX), R14           \
	MOVL  $0x80808081, R15       \
	IMULQ R14, R15               \
	SHRQ  $39, R15               \
	LEAQ  (DI)(R15*1), R14       \
	CMPQ  R14, R13               \
	JA    full                   \
	ADDL  $15, AX                \
	MOVB  AX, (DX)               \
	SUBQ  $15, CX                \
	CMPQ  CX, $2040              \
	JAE   match2040              \
	LEAQ  (8-ROOM)(DI), BX       \
	CMPQ  BX, R13                \
	JA    lengthOfMatch          \
	MOVQ  $-1, (DI)              \
	MOVQ  R14, DI                \
	LEAL  -1(CX)(R15*1), CX      \
	MOVB  CX, -1(DI)             \
	JMP   after                  \
	FULL_MATCH_BYTES             \
lastOfMatch:                         \
	MOVB  CX, (DI)               \
	INCQ  DI                     \
	JMP   after

// func encode16SSE(table *[1 << 13]uint16, dst, src []byte, acceleration int) (op,
// anchor int)
TEXT ·encode16SSE(SB), NOSPLIT, $280-80
	ENCODE(HASH16, LOAD16, STORE16, FAR16, DIFFER16, COPY16, 16, DIFFER16, 16)

// func encode32SSE(table *[1 << 12]uint32, dst, src []byte, acceleration int) (op,
// anchor int)
TEXT ·encode32SSE(SB), NOSPLIT, $280-80
	ENCODE(HASH32, LOAD32, STORE32, FAR32, DIFFER16, COPY16, 16, DIFFER16, 16)

// func encode16Wide(table *[1 << 13]uint16, dst, src []byte, acceleration int)
// (op, anchor int)
TEXT ·encode16Wide(SB), NOSPLIT, $280-80
	ENCODE(HASH16, LOAD16, STORE16, FAR16, DIFFER64, COPY64, 64, DIFFER32, 32)

// func encode32Wide(table *[1 << 12]uint32, dst, src []byte, acceleration int)
// (op, anchor int)
TEXT ·encode32Wide(SB), NOSPLIT, $280-80
	ENCODE(HASH32, LOAD32, STORE32, FAR32, DIFFER64, COPY64, 64, DIFFER32, 32)
