//go:build !purego

#include "textflag.h"

// LZ4_compress_generic of LZ4 1.10, once with a table of 16-bit positions for
// inputs of less than 64 KiB + 11, once with 32-bit ones. Every choice of
// match is the same, so the bytes are.
//
// SI, R10   begin of src, hash table
// R8        the position that is looked at
// R9        begin of the literals that wait for their match
// R11, R12  where the search ends, where matches end
// DI, R13   place in dst, its end
// R14       the match
// AX        hash of the position ahead, BX; CX the step to the one behind it
// BP        counts the steps until they get longer, to DX
// DX        later where the token stands

#define MATCH_LIMIT  5     // LASTLITERALS
#define SEARCH_LIMIT 11    // MFLIMIT - 1
#define TOO_FAR      65535

// hash4 of the word at p
#define HASH16(p, h) \
	IMUL3L $-1640531535, p, h \
	SHRL  $19, h

#define LOAD16(h, r)  MOVWLZX (R10)(h*2), r
#define STORE16(r, h) MOVW r, (R10)(h*2)
#define FAR16(p, r, label)

// hash5 of the word at p
#define HASH32(p, h) \
	MOVQ  prime-24(SP), h     \
	IMULQ p, h                \
	SHRQ  $52, h

#define LOAD32(h, r)  MOVL (R10)(h*4), r
#define STORE32(r, h) MOVL r, (R10)(h*4)

// p is the position, R14 the match's: over 64 KiB is too far.
#define FAR32(p, r, label) \
	MOVQ p, r                 \
	SUBQ R14, r               \
	CMPQ r, $TOO_FAR          \
	JA   label

#define ENCODE(HASH, LOAD, STORE, FAR) \
	MOVQ  dst_base+8(FP), DI          \
	MOVQ  dst_len+16(FP), R13         \
	ADDQ  DI, R13                     \
	MOVQ  src_base+32(FP), SI         \
	MOVQ  src_len+40(FP), R12         \
	ADDQ  SI, R12                     \
	LEAQ  -16(R12), R11               \
	MOVQ  R11, wide-8(SP)             \
	LEAQ  -SEARCH_LIMIT(R12), R11     \
	SUBQ  $MATCH_LIMIT, R12           \
	MOVQ  table+0(FP), R10            \
	MOVQ  R11, DX                     \
	SUBQ  SI, DX                      \
	MOVQ  DX, limit-16(SP)            \
	MOVQ  $889523592379<<24, DX       \
	MOVQ  DX, prime-24(SP)            \
	MOVQ  SI, R9                      \
	LEAQ  1(SI), BX                   \
	HASH((BX), AX)                    \
search:                               \
	SUBQ  SI, BX                      \ // until something is found, positions
	MOVQ  acceleration+56(FP), DX     \ // are counted from the begin of src
	MOVQ  $1, CX                      \
	MOVL  $1, BP                      \
next:                                 \
	MOVQ  BX, R8                      \
	ADDQ  CX, BX                      \
	CMPQ  BX, limit-16(SP)            \
	JA    end                         \
	LOAD(AX, R14)                     \
	STORE(R8, AX)                     \
	HASH((SI)(BX*1), AX)              \
	DECL  BP                          \
	JEQ   faster                      \
look:                                 \
	FAR(R8, R15, next)                \
	MOVL  (SI)(R8*1), R15             \
	CMPL  R15, (SI)(R14*1)            \
	JNE   next                        \
	ADDQ  SI, R8                      \
	ADDQ  SI, R14                     \
backwards:                            \
	LEAQ  -16(R8), R15                \
	CMPQ  R15, R9                     \
	JB    backwards1                  \
	LEAQ  -16(R14), R15               \
	CMPQ  R15, SI                     \
	JB    backwards1                  \
	MOVOU -16(R8), X0                 \
	MOVOU -16(R14), X1                \
	PCMPEQB X1, X0                    \
	PMOVMSKB X0, R15                  \
	XORL  $0xffff, R15                \
	JNZ   differBefore                \
	SUBQ  $16, R8                     \
	SUBQ  $16, R14                    \
	JMP   backwards                   \
faster:                               \
	MOVQ  DX, CX                      \
	INCQ  DX                          \
	MOVL  $64, BP                     \
	JMP   look                        \
differBefore:                         \
	BSRL  R15, R15                    \
	SUBQ  $15, R15                    \
	ADDQ  R15, R8                     \
	ADDQ  R15, R14                    \
	JMP   literals                    \
backwards1:                           \
	CMPQ  R8, R9                      \
	JLS   literals                    \
	CMPQ  R14, SI                     \
	JLS   literals                    \
	MOVBLZX -1(R8), R15               \
	CMPB  R15, -1(R14)                \
	JNE   literals                    \
	DECQ  R8                          \
	DECQ  R14                         \
	JMP   backwards1                  \
literals:                             \
	MOVQ  R8, CX                      \
	SUBQ  R9, CX                      \
	MOVQ  DI, DX                      \
	INCQ  DI                          \
	CMPQ  CX, $15                     \
	JAE   manyLiterals                \
	LEAQ  8(DI)(CX*1), R15            \
	CMPQ  R15, R13                    \
	JA    full                        \
	MOVQ  CX, R15                     \
	SHLQ  $4, R15                     \
	MOVB  R15, (DX)                   \
copyLiterals:                         \
	LEAQ  16(DI)(CX*1), R15           \
	CMPQ  R15, R13                    \
	JA    nearEnd                     \
	CMPQ  R8, wide-8(SP)              \
	JA    nearEnd                     \
	SUBQ  $16, R15                    \
	CMPQ  CX, $64                     \
	JAE   copyMany                    \
copy16:                               \
	MOVOU (R9), X0                    \
	MOVOU X0, (DI)                    \
	ADDQ  $16, R9                     \
	ADDQ  $16, DI                     \
	CMPQ  DI, R15                     \
	JB    copy16                      \
	MOVQ  R15, DI                     \
match:                                \
	MOVQ  R8, R15                     \
	SUBQ  R14, R15                    \
	MOVW  R15, (DI)                   \
	ADDQ  $2, DI                      \
	ADDQ  $4, R8                      \
	ADDQ  $4, R14                     \
	MOVQ  R8, CX                      \
	LEAQ  8(R8), R15                  \
	CMPQ  R15, R12                    \
	JA    count1                      \
	MOVQ  (R8), R15                   \
	XORQ  (R14), R15                  \
	JNZ   differ8                     \
	ADDQ  $8, R8                      \
	ADDQ  $8, R14                     \
count16:                              \
	LEAQ  16(R8), R15                 \
	CMPQ  R15, R12                    \
	JA    count1                      \
	MOVOU (R8), X0                    \
	MOVOU (R14), X1                   \
	PCMPEQB X1, X0                    \
	PMOVMSKB X0, R15                  \
	XORL  $0xffff, R15                \
	JNZ   differ16                    \
	ADDQ  $16, R8                     \
	ADDQ  $16, R14                    \
	CMPB  ·hasWide(SB), $0               \
	JEQ   count16                     \
count64:                              \
	LEAQ  64(R8), R15                 \
	CMPQ  R15, R12                    \
	JA    count16                     \
	VMOVDQU64 (R8), Z16               \
	VPCMPUB $4, (R14), Z16, K1        \
	KMOVQ K1, R15                     \
	TESTQ R15, R15                    \
	JNZ   differ64                    \
	ADDQ  $64, R8                     \
	ADDQ  $64, R14                    \
	JMP   count64                     \
differ64:                             \
	BSFQ  R15, R15                    \
	ADDQ  R15, R8                     \
	JMP   counted                     \
differ16:                             \
	BSFL  R15, R15                    \
	ADDQ  R15, R8                     \
	JMP   counted                     \
count1:                               \
	CMPQ  R8, R12                     \
	JAE   counted                     \
	MOVBLZX (R8), R15                 \
	CMPB  R15, (R14)                  \
	JNE   counted                     \
	INCQ  R8                          \
	INCQ  R14                         \
	JMP   count1                      \
differ8:                              \
	BSFQ  R15, R15                    \
	SHRQ  $3, R15                     \
	ADDQ  R15, R8                     \
counted:                              \
	MOVQ  R8, R15                     \
	SUBQ  CX, R15                     \
	MOVQ  R15, CX                     \
	CMPQ  CX, $15                     \
	JAE   longMatch                   \
	LEAQ  6(DI), R15                  \
	CMPQ  R15, R13                    \
	JA    full                        \
	ADDB  CX, (DX)                    \
matched:                              \
	MOVQ  R8, R9                      \
	CMPQ  R8, R11                     \
	JAE   end                         \
	HASH(-2(R8), AX)                  \
	LEAQ  -2(R8), CX                  \
	SUBQ  SI, CX                      \
	STORE(CX, AX)                     \
	HASH((R8), AX)                    \
	LOAD(AX, R14)                     \
	ADDQ  $2, CX                      \
	STORE(CX, AX)                     \
	FAR(CX, CX, apart)                \
	ADDQ  SI, R14                     \
	MOVL  (R8), CX                    \
	CMPL  CX, (R14)                   \
	JNE   apart                       \
	MOVQ  DI, DX                      \
	MOVB  $0, (DI)                    \
	INCQ  DI                          \
	JMP   match                       \
apart:                                \
	LEAQ  1(R8), BX                   \
	HASH((BX), AX)                    \
	JMP   search                      \
manyLiterals:                         \
	MOVL  $0x80808081, R15            \ // divides by 255
	IMULQ CX, R15                     \
	SHRQ  $39, R15                    \
	ADDQ  CX, R15                     \
	LEAQ  8(DI)(R15*1), R15           \
	CMPQ  R15, R13                    \
	JA    full                        \
	MOVB  $0xf0, (DX)                 \
	LEAQ  -15(CX), R15                \
	CMPQ  R15, $2040                  \
	JB    lengthOfLiterals            \
literals2040:                         \
	MOVQ  $-1, (DI)                   \
	ADDQ  $8, DI                      \
	SUBQ  $2040, R15                  \
	CMPQ  R15, $2040                  \
	JAE   literals2040                \
lengthOfLiterals:                     \
	CMPQ  R15, $255                   \
	JB    lastOfLiterals              \
	MOVB  $255, (DI)                  \
	INCQ  DI                          \
	SUBQ  $255, R15                   \
	JMP   lengthOfLiterals            \
lastOfLiterals:                       \
	MOVB  R15, (DI)                   \
	INCQ  DI                          \
	JMP   copyLiterals                \
copyMany:                             \
	CMPB  ·hasWide(SB), $0               \
	JEQ   copy16                      \
copy64:                               \
	VMOVDQU64 (R9), Z16               \
	VMOVDQU64 Z16, (DI)               \
	ADDQ  $64, R9                     \
	ADDQ  $64, DI                     \
	SUBQ  $64, CX                     \
	CMPQ  CX, $64                     \
	JAE   copy64                      \
	JMP   copy16                      \
nearEnd:                              \
	LEAQ  (DI)(CX*1), R15             \
copy8:                                \
	MOVQ  (R9), CX                    \
	MOVQ  CX, (DI)                    \
	ADDQ  $8, R9                      \
	ADDQ  $8, DI                      \
	CMPQ  DI, R15                     \
	JB    copy8                       \
	MOVQ  R15, DI                     \
	JMP   match                       \
longMatch:                            \
	LEAQ  240(CX), AX                 \
	MOVL  $0x80808081, R15            \
	IMULQ AX, R15                     \
	SHRQ  $39, R15                    \
	LEAQ  6(DI)(R15*1), R15           \
	CMPQ  R15, R13                    \
	JA    full                        \
	ADDB  $15, (DX)                   \
	SUBQ  $15, CX                     \
	CMPQ  CX, $2040                   \
	JB    lengthOfMatch               \
match2040:                            \
	MOVQ  $-1, (DI)                   \
	ADDQ  $8, DI                      \
	SUBQ  $2040, CX                   \
	CMPQ  CX, $2040                   \
	JAE   match2040                   \
lengthOfMatch:                        \
	CMPQ  CX, $255                    \
	JB    lastOfMatch                 \
	MOVB  $255, (DI)                  \
	INCQ  DI                          \
	SUBQ  $255, CX                    \
	JMP   lengthOfMatch               \
lastOfMatch:                          \
	MOVB  CX, (DI)                    \
	INCQ  DI                          \
	JMP   matched                     \
end:                                  \
	SUBQ  dst_base+8(FP), DI          \
	SUBQ  SI, R9                      \
	MOVQ  DI, ret+64(FP)              \
	MOVQ  R9, ret1+72(FP)             \
	RET                               \
full:                                 \
	MOVQ  $-1, ret+64(FP)             \
	MOVQ  $0, ret1+72(FP)             \
	RET

// func encode16(table *[1 << 13]uint16, dst, src []byte, acceleration int) (op, anchor int)
TEXT ·encode16(SB), NOSPLIT, $24-80
	ENCODE(HASH16, LOAD16, STORE16, FAR16)

// func encode32(table *[1 << 12]uint32, dst, src []byte, acceleration int) (op, anchor int)
TEXT ·encode32(SB), NOSPLIT, $24-80
	ENCODE(HASH32, LOAD32, STORE32, FAR32)
