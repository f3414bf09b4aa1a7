// These macros are the parts of the encoders in encode_amd64.s.

#define MATCH_LIMIT  5     // LASTLITERALS
#define SEARCH_LIMIT 11    // MFLIMIT - 1
#define TOO_FAR      65535
#define AHEAD        80    // bytes before the end of the search: more than are read or copied at once
#define ROOM         6     // bytes that must stay free in dst after a sequence

// BEGIN sets the initial values of the registers, and the values on the stack.
#define BEGIN \
	MOVQ  dst_base+8(FP), DI       \
	MOVQ  dst_len+16(FP), R13      \
	LEAQ  -ROOM(DI)(R13*1), R13    \
	MOVQ  src_base+32(FP), SI      \
	MOVQ  src_len+40(FP), R12      \
	ADDQ  SI, R12                  \
	LEAQ  -SEARCH_LIMIT(R12), R11  \
	SUBQ  $MATCH_LIMIT, R12        \
	MOVQ  table+0(FP), R10         \
	MOVQ  R11, DX                  \
	SUBQ  SI, DX                   \
	MOVQ  DX, limit-16(SP)         \
	LEAQ  -AHEAD(R11), DX          \
	MOVQ  DX, ahead-24(SP)         \
	MOVQ  $889523592379<<24, DX    \
	MOVQ  DX, prime-8(SP)          \
	MOVQ  SI, R8

// These macros are for positions of 16 bits, in inputs of less than 64 KiB + 11 bytes.
// HASH16 computes LZ4's hash4 of the word at p; the others access entries of the table.
#define HASH16(p, h) \
	IMUL3L $-1640531535, p, h \
	SHRL   $19, h

#define LOAD16(h, r)  MOVWLZX (R10)(h*2), r
#define STORE16(r, h) MOVW r, (R10)(h*2)
#define FAR16(p, r, label)

// These macros are for positions of 32 bits. HASH32 computes LZ4's hash5.
#define HASH32(p, h) \
	MOVQ  prime-8(SP), h \
	IMULQ p, h           \
	SHRQ  $52, h

#define LOAD32(h, r)  MOVL (R10)(h*4), r
#define STORE32(r, h) MOVL r, (R10)(h*4)

// p is the current position, and R14 that of the match, which must be less than 64 KiB
// away.
#define FAR32(p, r, label) \
	MOVQ p, r        \
	SUBQ R14, r      \
	CMPQ r, $TOO_FAR \
	JA   label

// These macros set a bit of r for each byte at p that differs from the one at q.
#define DIFFER16(p, q, r) \
	MOVOU    p, X0     \
	MOVOU    q, X1     \
	PCMPEQB  X1, X0    \
	PMOVMSKB X0, r     \
	XORL     $0xffff, r

#define DIFFER32(p, q, r) \
	VMOVDQU64 p, Y16        \
	VPCMPUB   $4, q, Y16, K1 \
	KMOVD     K1, r

#define DIFFER64(p, q, r) \
	VMOVDQU64 p, Z16        \
	VPCMPUB   $4, q, Z16, K1 \
	KMOVQ     K1, r

#define COPY16(p, q) \
	MOVOU p, X0 \
	MOVOU X0, q

#define COPY64(p, q) \
	VMOVDQU64 p, Z16 \
	VMOVDQU64 Z16, q

// GUESS predicts the length of a match, because planes of regular data repeat the same
// few sequences. The table holds, for the two previous lengths, from which BP is made,
// the four lengths that followed them last. If all four equal the length in CX, GUESS
// jumps to right with the length in the low byte of AX, which is known much earlier
// than CX. The processor predicts that branch, so the next sequence need not wait for
// the end of this one. The initial contents of the table affect only the speed.
#define GUESSES 64
#define GUESS(right) \
	MOVL   guesses-280(SP)(BP*4), AX \
	IMUL3L $0x01010101, CX, BX       \
	CMPL   AX, BX                    \
	JEQ    right                     \
	SHLL   $8, AX                    \
	ORL    CX, AX                    \
	MOVL   AX, guesses-280(SP)(BP*4)

#define GUESSED \
	SHLL $3, BP           \
	XORL CX, BP           \
	ANDL $(GUESSES-1), BP

// LENGTH computes the token's part of the length of a match, CX, in r, and stores the
// length byte at DI+at. The flags say whether the length needs that byte.
#define LENGTH(at, r) \
	LEAL    -15(CX), r \
	MOVB    r, at(DI)  \
	MOVL    $15, r     \
	CMPL    CX, $15    \
	CMOVLCS CX, r

// FULL_LITERAL_BYTES writes the bytes of 255 for a number of literals, R15. The value of
// the last byte remains in R15.
#define FULL_LITERAL_BYTES \
literals2040:              \
	MOVQ  $-1, (DI)        \
	ADDQ  $8, DI           \
	SUBQ  $2040, R15       \
	CMPQ  R15, $2040       \
	JAE   literals2040     \
lengthOfLiterals:          \
	CMPQ  R15, $255        \
	JB    lastOfLiterals   \
	MOVB  $255, (DI)       \
	INCQ  DI               \
	SUBQ  $255, R15        \
	JMP   lengthOfLiterals

// FULL_MATCH_BYTES writes the bytes of 255 for the length of a match, CX, that is long or
// near the end of dst. The value of the last byte remains in CX.
#define FULL_MATCH_BYTES \
match2040:              \
	MOVQ  $-1, (DI)     \
	ADDQ  $8, DI        \
	SUBQ  $2040, CX     \
	CMPQ  CX, $2040     \
	JAE   match2040     \
lengthOfMatch:          \
	CMPQ  CX, $255      \
	JB    lastOfMatch   \
	MOVB  $255, (DI)    \
	INCQ  DI            \
	SUBQ  $255, CX      \
	JMP   lengthOfMatch

// Near the beginning of src, compare the bytes before a match one by one.
#define BYTES_BACKWARDS \
bytesBackwards:              \
	ADDQ  SI, R8             \
	XORL  BP, BP             \
byteBefore:                  \
	MOVQ  R8, CX             \
	SUBQ  R9, CX             \
	JEQ   literals           \
	TESTQ R14, R14           \
	JEQ   literals           \
	MOVBLZX -1(R8), R15      \
	CMPB  R15, -1(SI)(R14*1) \
	JNE   literals           \
	DECQ  R8                 \
	DECQ  R14                \
	JMP   byteBefore
