// Parts of the encoders, which encode_amd64.s puts together.

#define MATCH_LIMIT  5     // LASTLITERALS
#define SEARCH_LIMIT 11    // MFLIMIT - 1
#define TOO_FAR      65535
#define AHEAD        80    // to the end of the search: more than what is read or copied at once
#define ROOM         6     // bytes that must stay free in dst after a sequence

// What the registers hold at first, and the stack all along.
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

// With positions of 16 bits, for inputs of less than 64 KiB + 11: hash4 of the
// word at p, and a table's entry.
#define HASH16(p, h) \
	IMUL3L $-1640531535, p, h \
	SHRL   $19, h

#define LOAD16(h, r)  MOVWLZX (R10)(h*2), r
#define STORE16(r, h) MOVW r, (R10)(h*2)
#define FAR16(p, r, label)

// With positions of 32 bits: hash5.
#define HASH32(p, h) \
	MOVQ  prime-8(SP), h \
	IMULQ p, h           \
	SHRQ  $52, h

#define LOAD32(h, r)  MOVL (R10)(h*4), r
#define STORE32(r, h) MOVL r, (R10)(h*4)

// p is the position, R14 the match's: over 64 KiB is too far.
#define FAR32(p, r, label) \
	MOVQ p, r        \
	SUBQ R14, r      \
	CMPQ r, $TOO_FAR \
	JA   label

// The bytes at p that are others than those at q, as bits of r.
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

// The length in CX is often the one that followed the two before it four times
// already: planes of regular data are the same few sequences over and over.
// Then GUESS goes to right with that length in the low byte of AX, which was
// known much earlier than CX. As the processor predicts the branch, the next
// sequence need not wait for the end of this one. BP is made of the lengths
// before. What the table holds at first is of no matter.
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

// The length of a match in CX, 15 or more or less, to the token in r and to the
// byte at DI+at; the flags say whether DI has to pass that.
#define LENGTH(at, r) \
	LEAL    -15(CX), r \
	MOVB    r, at(DI)  \
	MOVL    $15, r     \
	CMPL    CX, $15    \
	CMOVLCS CX, r

// The bytes of 255 that say a number of literals, R15, of which the last byte
// is left.
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

// The same for the length of a match, CX, that is long or is near the end of
// dst.
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

// Near the begin of src, the bytes before a match one by one.
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
