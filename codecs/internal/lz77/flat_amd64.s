//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "match_amd64.h"

// HASH sets h to the hash of 8 bytes with one of the two factors.
#define HASH(bytes, factor, h) \
	MOVQ  factor, h         \
	IMULQ bytes, h          \
	SHRXQ R14, h, h

// EQUAL sets n to the number of the first 16 bytes at a and b that are equal.
#define EQUAL(a, a8, b, b8, n, scratch) \
	MOVQ  a, n              \
	XORQ  b, n              \
	MOVQ  a8, scratch       \
	XORQ  b8, scratch       \
	TZCNTQ scratch, scratch \
	ADDQ  $64, scratch      \
	TZCNTQ n, n             \
	CMOVQCS scratch, n      \
	SHRQ  $3, n

// ENTER enters a position into a table, which has a factor of its own.
#define ENTER(at, table, factor) \
	LEAQ  at, R9            \
	HASH((SI)(R9*1), factor, R8) \
	STORE(R9, table, R8)

// func flat16BMI(table *uint16, src []byte, at, anchor, to int, seqs []Seq, shift, window int) (n,
// nextAt, nextAnchor int)
TEXT ·flat16BMI(SB), NOSPLIT, $16-120
#define LOAD(table, hash, to) LOAD16(table, hash, to)
#define STORE(from, table, hash) STORE16(from, table, hash)
#define WIDTH 2
#include "flat_amd64.h"
#undef LOAD
#undef STORE
#undef WIDTH

// func flat32BMI(table *uint32, src []byte, at, anchor, to int, seqs []Seq, shift, window int) (n,
// nextAt, nextAnchor int)
TEXT ·flat32BMI(SB), NOSPLIT, $16-120
#define LOAD(table, hash, to) LOAD32(table, hash, to)
#define STORE(from, table, hash) STORE32(from, table, hash)
#define WIDTH 4
#include "flat_amd64.h"
