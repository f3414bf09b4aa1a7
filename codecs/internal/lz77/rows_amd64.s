//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// SEARCH is searchGeneric (rows.go): it inserts all positions before ip, searches for the
// longest match at ip, and inserts ip.
//
// SI, DI    start of src, rows
// BX        ip
// R13       end of the bytes that a match may cover
// R12, DX   length and distance of the best match; shorter than a key and 0 if there is none
//
// R8-R11, R14   row, tag, positions with that tag, index of the latest, attempts
// AX CX R15     scratch
// BP            the structure; scratch after PLACE

// A row consists of tags, of which there are 16, and of the index of the latest one, in as
// many bytes: 32 bytes, and 64 for wide rows, which have 32 tags (rows.go). Positions of 16
// bits follow the tags of their row. Those of 32 bits are apart, and the positions of a row
// take twice as much space as the row.

// ROW16, ROW32 and ROWWIDE turn the number R8 of a row into its offset.
#define ROW16 \
	SHLL  $6, R8

#define ROW32 \
	SHLL  $5, R8

#define ROWWIDE \
	SHLL  $6, R8

// BEGIN16 and BEGIN32 load the start of the rows from the structure BP. BEGIN32 also stores
// where the positions of a row at address 0 would be.
#define BEGIN16 \
	MOVQ  rowSearch__size(BP), DI

#define BEGIN32 \
	MOVQ  rowSearch__size+24(BP), DI   \
	MOVQ  rowSearch__size+48(BP), R14  \
	SUBQ  DI, R14                      \
	SUBQ  DI, R14                      \
	MOVQ  R14, origin-8(SP)

// PLACES turns the row R8 into its positions, if they are apart.
#define PLACES \
	MOVQ  origin-8(SP), AX             \
	LEAQ  (AX)(R8*2), R8

// TAG16 and TAG32 make a tag: that of positions that are apart is not 0.
#define TAG16

#define TAG32 \
	CMPB  R9, $1              \
	ADCL  $0, R9

// PLACE computes the row R8 and the tag R9 of a word; R10 is the shift, and BP the structure.
#define PLACE(word, ROW, TAG) \
	MOVQ  word, R8            \
	IMULQ rowSearch_factor(BP), R8 \
	SHRXQ R10, R8, R8         \
	MOVL  R8, R9              \
	SHRL  $const_tagBits, R8  \
	ROW                       \
	ADDQ  DI, R8              \
	TAG

// AHEAD16 does nothing, and AHEAD32 and AHEADWIDE prefetch the row of the last key in a word,
// AHEADWIDE with its positions: larger tables may exceed the second-level cache.
#define AHEAD16(word)

#define PREFETCH(word, ROW) \
	MOVQ  word, R8            \
	MOVQ  rowSearch_ignored(BP), AX \
	SHRXQ AX, R8, R8          \
	IMULQ rowSearch_factor(BP), R8 \
	SHRXQ R10, R8, R8         \
	SHRL  $const_tagBits, R8  \
	ROW                       \
	PREFETCHT0 (DI)(R8*1)

#define AHEAD32(word) PREFETCH(word, ROW32)
#define AHEADWIDE(word) \
	PREFETCH(word, ROWWIDE)   \
	ADDQ  DI, R8              \
	MOVQ  origin-8(SP), AX    \
	PREFETCHT0 (AX)(R8*2)     \
	PREFETCHT0 64(AX)(R8*2)

// LATEST and LATESTWIDE load the index R11 of the latest position of the row.
#define LATEST \
	MOVBLZX 16(R8), R11

#define LATESTWIDE \
	MOVBLZX 32(R8), R11

// ENTER16, ENTER32 and ENTERWIDE insert position p into the row, at the index that they
// set R11 to. ENTER32 and ENTERWIDE turn R8 into the positions of the row.
#define ENTER16(p) \
	DECL  R11            \
	ANDL  $15, R11       \
	MOVB  R11, 16(R8)    \
	MOVB  R9, (R8)(R11*1) \
	MOVW  p, 32(R8)(R11*2)

#define ENTER32(p) \
	DECL  R11            \
	ANDL  $15, R11       \
	MOVB  R11, 16(R8)    \
	MOVB  R9, (R8)(R11*1) \
	PLACES               \
	MOVL  p, (R8)(R11*4)

#define ENTERWIDE(p) \
	DECL  R11            \
	ANDL  $31, R11       \
	MOVB  R11, 32(R8)    \
	MOVB  R9, (R8)(R11*1) \
	PLACES               \
	MOVL  p, (R8)(R11*4)

// GET16, GET32 and GETWIDE load the position with index AX, modulo the size of a row,
// after ENTER.
#define GET16 \
	ANDL  $15, AX              \
	MOVWLZX 32(R8)(AX*2), AX

#define GET32 \
	ANDL  $15, AX              \
	MOVL  (R8)(AX*4), AX

#define GETWIDE \
	ANDL  $31, AX              \
	MOVL  (R8)(AX*4), AX

// EQUAL and EQUALWIDE set a bit of R10 for each position with the tag, the lowest for the
// latest, but not for the oldest one, which ip replaces. They set R11 as LATEST does.
#define EQUAL \
	MOVQ  R9, X0                     \
	PXOR  X1, X1                     \
	PSHUFB X1, X0                    \
	MOVOU (R8), X1                   \
	PCMPEQB X1, X0                   \
	PMOVMSKB X0, R10                 \
	LATEST                           \
	MOVL  R10, AX                    \
	SHLL  $16, AX                    \
	ORL   AX, R10                    \
	SHRXL R11, R10, R10              \
	ANDL  $0x7fff, R10

#define EQUALWIDE \
	MOVQ  R9, X0                     \
	PXOR  X1, X1                     \
	PSHUFB X1, X0                    \
	MOVOU (R8), X1                   \
	MOVOU 16(R8), X2                 \
	PCMPEQB X0, X1                   \
	PCMPEQB X0, X2                   \
	PMOVMSKB X1, R10                 \
	PMOVMSKB X2, AX                  \
	SHLL  $16, AX                    \
	ORL   AX, R10                    \
	LATESTWIDE                       \
	MOVL  R11, CX                    \
	RORL  CX, R10                    \
	BTRL  $31, R10

#define SEARCH(ROW, TAG, BEGIN, AHEAD, LATEST, ENTER, GET, EQUAL, r, insert, insertLast, inserted, try, wrong, count, count16, differ8, differ16, count1, counted, searched) \
	MOVQ  r, BP                      \
	BEGIN                            \
	MOVQ  rowSearch_shift(BP), R10           \
	MOVQ  rowSearch_attempts(BP), R14        \
	MOVQ  rowSearch_next(BP), CX             \
	LEAQ  1(BX), R15                 \
	MOVQ  R15, rowSearch_next(BP)            \
	MOVQ  BX, R15                    \
	LEAQ  -const_longSkip(BX), DX               \
	CMPQ  CX, DX                     \
	JGE   insertLast                 \
	LEAQ  const_skipFirst(CX), R15                \
insert:                              \
	AHEAD(1(SI)(CX*1))               \
	PLACE((SI)(CX*1), ROW, TAG)                \
	LATEST                           \
	ENTER(CX)                        \
	INCQ  CX                         \
	CMPQ  CX, R15                    \
	JLT   insert                     \
	CMPQ  R15, BX                    \
	JEQ   inserted                   \
	LEAQ  -const_skipLast(BX), CX                \
	MOVQ  BX, R15                    \
insertLast:                          \
	CMPQ  CX, R15                    \
	JLT   insert                     \
inserted:                            \
	AHEAD(1(SI)(BX*1))               \
	PLACE((SI)(BX*1), ROW, TAG)                \
	EQUAL                            \
	MOVQ  rowSearch_shorter(BP), R12         \
	MOVL  $0, DX                     \
	MOVQ  R11, CX                    \ // index of the latest position before ip
	ENTER(BX)                        \
	TESTL R10, R10                   \
	JEQ   searched                   \
	LEAQ  (SI)(R12*1), R9            \
	MOVL  -3(R9)(BX*1), R9           \ // the last four bytes of a longer match
try:                                 \
	TZCNTL R10, AX                   \
	ADDL  CX, AX                     \
	GET                              \
	LEAQ  (SI)(R12*1), R15           \
	CMPL  R9, -3(R15)(AX*1)          \
	JEQ   count                      \
wrong:                               \
	DECQ  R14                        \
	JEQ   searched                   \
	BLSRL R10, R10                   \
	JNE   try                        \
	JMP   searched                   \
count:                               \
	LEAQ  (SI)(AX*1), AX             \ // the position of the match
	LEAQ  (SI)(BX*1), BP             \
	LEAQ  8(BP), R15                 \
	CMPQ  R15, R13                   \
	JA    count1                     \
	MOVQ  (BP), R15                  \
	XORQ  (AX), R15                  \
	JNE   differ8                    \
	ADDQ  $8, BP                     \
	ADDQ  $8, AX                     \
count16:                             \
	LEAQ  16(BP), R15                \
	CMPQ  R15, R13                   \
	JA    count1                     \
	MOVOU (BP), X0                   \
	MOVOU (AX), X1                   \
	PCMPEQB X1, X0                   \
	PMOVMSKB X0, R15                 \
	XORL  $0xffff, R15               \
	JNE   differ16                   \
	ADDQ  $16, BP                    \
	ADDQ  $16, AX                    \
	JMP   count16                    \
differ8:                             \
	TZCNTQ R15, R15                   \
	SHRL  $3, R15                    \
	ADDQ  R15, BP                    \
	ADDQ  R15, AX                    \
	JMP   counted                    \
differ16:                            \
	TZCNTL R15, R15                   \
	ADDQ  R15, BP                    \
	ADDQ  R15, AX                    \
	JMP   counted                    \
count1:                              \
	CMPQ  BP, R13                    \
	JAE   counted                    \
	MOVBLZX (BP), R15                \
	CMPB  R15, (AX)                  \
	JNE   counted                    \
	INCQ  BP                         \
	INCQ  AX                         \
	JMP   count1                     \
counted:                             \
	MOVQ  BP, R15                    \
	SUBQ  SI, R15                    \
	SUBQ  BX, R15                    \
	CMPQ  R15, R12                   \
	JLE   wrong                      \
	MOVQ  R15, R12                   \
	MOVQ  BP, DX                     \
	SUBQ  AX, DX                     \
	CMPQ  BP, R13                    \
	JAE   searched                   \
	MOVL  -3(BP), R9                 \
	JMP   wrong                      \
searched:

// SEARCHROWS is the body of the functions that search at ip.
#define SEARCHROWS(ROW, TAG, BEGIN, AHEAD, LATEST, ENTER, GET, EQUAL) \
	MOVQ src_base+8(FP), SI            \
	MOVQ ip+32(FP), BX                 \
	MOVQ to+40(FP), R13                \
	ADDQ SI, R13                       \
	SEARCH(ROW, TAG, BEGIN, AHEAD, LATEST, ENTER, GET, EQUAL, r+0(FP), insert, insertLast, inserted, try, wrong, count, count16, differ8, differ16, count1, counted, searched) \
	XORL AX, AX                        \
	TESTQ DX, DX                       \
	CMOVQEQ AX, R12                    \
	MOVQ r+0(FP), AX                   \
	MOVQ R12, rowSearch_look+look_length(AX) \
	MOVQ DX, rowSearch_look+look_distance(AX) \
	RET

// SEEKROWS is the body of the functions that seek from ip up to limit. A distance of
// 0 fails its comparison because it becomes the largest number.
#define SEEKROWS(ROW, TAG, BEGIN, AHEAD, LATEST, ENTER, GET, EQUAL) \
	MOVQ src_base+8(FP), SI            \
	MOVQ ip+32(FP), BX                 \
	MOVQ to+56(FP), R13                \
	ADDQ SI, R13                       \
next:                               \
	CMPQ BX, limit+48(FP)              \
	JGE  none                          \
	MOVQ r+0(FP), AX                   \
	MOVQ rowSearch_look+look_rep(AX), CX \
	MOVB $0, rowSearch_look+look_repeated(AX) \
	LEAQ -1(CX), DX                    \
	CMPQ DX, BX                        \
	JAE  search                        \
	LEAQ 1(SI)(BX*1), DX               \
	MOVL (DX), R15                     \
	SUBQ CX, DX                        \
	CMPL R15, (DX)                     \
	JEQ  repeated                      \
search:                             \
	SEARCH(ROW, TAG, BEGIN, AHEAD, LATEST, ENTER, GET, EQUAL, r+0(FP), insert, insertLast, inserted, try, wrong, count, count16, differ8, differ16, count1, counted, searched) \
	TESTQ DX, DX                       \
	JNE  match                         \
	MOVQ r+0(FP), AX                   \
	CMPB rowSearch_look+look_repeated(AX), $0 \
	JNE  nothingElse                   \
	MOVQ BX, CX                        \
	SUBQ anchor+40(FP), CX             \
	SHRQ $8, CX                        \
	LEAQ 1(BX)(CX*1), BX               \
	CMPQ CX, $4                        \
	JLT  next                          \
	MOVQ BX, rowSearch_next(AX)        \
	JMP  next                          \
repeated:                           \
	MOVB $1, rowSearch_look+look_repeated(AX) \
	CMPB rowSearch_look+look_greedy(AX), $0 \
	JEQ  search                        \
	XORL DX, DX                        \
nothingElse:                        \
	XORL R12, R12                      \
match:                              \
	MOVQ r+0(FP), AX                   \
	MOVQ BX, rowSearch_look+look_ip(AX) \
	MOVQ R12, rowSearch_look+look_length(AX) \
	MOVQ DX, rowSearch_look+look_distance(AX) \
	MOVB $1, found+64(FP)              \
	RET                                \
none:                               \
	MOVB $0, found+64(FP)              \
	RET

// func searchRows16BMI2(r *rows16, src []byte, ip, to int)
TEXT ·searchRows16BMI2(SB), NOSPLIT, $8-48
	SEARCHROWS(ROW16, TAG16, BEGIN16, AHEAD16, LATEST, ENTER16, GET16, EQUAL)

// func seekRows16BMI2(r *rows16, src []byte, ip, anchor, limit, to int) (found bool)
TEXT ·seekRows16BMI2(SB), NOSPLIT, $8-65
	SEEKROWS(ROW16, TAG16, BEGIN16, AHEAD16, LATEST, ENTER16, GET16, EQUAL)

// func searchRows32BMI2(r *rows32, src []byte, ip, to int)
TEXT ·searchRows32BMI2(SB), NOSPLIT, $8-48
	SEARCHROWS(ROW32, TAG32, BEGIN32, AHEAD32, LATEST, ENTER32, GET32, EQUAL)

// func seekRows32BMI2(r *rows32, src []byte, ip, anchor, limit, to int) (found bool)
TEXT ·seekRows32BMI2(SB), NOSPLIT, $8-65
	SEEKROWS(ROW32, TAG32, BEGIN32, AHEAD32, LATEST, ENTER32, GET32, EQUAL)

// func searchWideRowsBMI2(r *wideRows, src []byte, ip, to int)
TEXT ·searchWideRowsBMI2(SB), NOSPLIT, $8-48
	SEARCHROWS(ROWWIDE, TAG32, BEGIN32, AHEADWIDE, LATESTWIDE, ENTERWIDE, GETWIDE, EQUALWIDE)

// func seekWideRowsBMI2(r *wideRows, src []byte, ip, anchor, limit, to int) (found bool)
TEXT ·seekWideRowsBMI2(SB), NOSPLIT, $8-65
	SEEKROWS(ROWWIDE, TAG32, BEGIN32, AHEADWIDE, LATESTWIDE, ENTERWIDE, GETWIDE, EQUALWIDE)
