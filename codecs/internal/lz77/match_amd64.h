// These macros are for the fast searches and for the flat one.

// COUNT compares the bytes at R8 and R9, up to the end in R12, and leaves R8 at
// the first difference.
#define COUNT(start, loop, tail, differ, differ32, done) \
start:                        \
	LEAQ  8(R8), R15          \
	CMPQ  R15, R12            \
	JA    tail                \
	MOVQ  (R8), R15           \
	XORQ  (R9), R15           \
	JNZ   differ              \
	ADDQ  $8, R8              \
	ADDQ  $8, R9              \
loop:                         \
	LEAQ  32(R8), R15         \
	CMPQ  R15, R12            \
	JA    start               \
	VMOVDQU (R8), Y0          \
	VPCMPEQB (R9), Y0, Y0     \
	VPMOVMSKB Y0, R15         \
	XORL  $-1, R15            \
	JNZ   differ32            \
	ADDQ  $32, R8             \
	ADDQ  $32, R9             \
	JMP   loop                \
differ32:                     \
	TZCNTL R15, R15           \
	ADDQ  R15, R8             \
	JMP   done                \
differ:                       \
	TZCNTQ R15, R15            \
	SHRQ  $3, R15             \
	ADDQ  R15, R8             \
	JMP   done                \
tail:                         \
	CMPQ  R8, R12             \
	JAE   done                \
	MOVBLZX (R8), R15         \
	CMPB  R15, (R9)           \
	JNE   done                \
	INCQ  R8                  \
	INCQ  R9                  \
	JMP   tail                \
done:

#define LOAD16(table, hash, to)    MOVWLZX (table)(hash*2), to
#define STORE16(from, table, hash) MOVW from, (table)(hash*2)
#define LOAD32(table, hash, to)    MOVL (table)(hash*4), to
#define STORE32(from, table, hash) MOVL from, (table)(hash*4)

// BEFORE sets DX to the start of the match at BX of the bytes at AX, whose addresses are R8
// and R9: it may begin earlier, with bytes after anchor. There is no branch for the number of
// these bytes, which would be mispredicted. It jumps to few if fewer than 8 bytes precede AX,
// and to many if all of the 8 bytes before are equal.
#define BEFORE(anchor, few, many) \
	CMPQ AX, $8               \
	JLT  few                  \
	MOVQ -8(R8), DX           \
	XORQ -8(R9), DX           \
	BSWAPQ DX                 \
	TZCNTQ DX, DX             \
	SHRQ $3, DX               \
	CMPQ DX, $8               \
	JEQ  many                 \
	MOVQ BX, R15              \
	SUBQ anchor, R15          \
	CMPQ R15, DX              \
	CMOVQLT R15, DX           \
	NEGQ DX                   \
	ADDQ BX, DX
