//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "match_amd64.h"

#define HASH(p, h) \
	MOVQ  p, h              \
	IMULQ CX, h             \
	SHRXQ R14, h, h

// FARHASH is the hash of all 8 bytes.
#define FARHASH(p, h) \
	MOVQ  $const_prime1, h  \
	IMULQ p, h              \
	SHRXQ R14, h, h

// SAVES jumps to yes if fastSaves returns true for the positions ip and ref. It uses the
// registers a, b and R15.
#define SAVES(ip, ref, a, b, yes) \
	LEAQ  const_fastCounted(ip), a \
	CMPQ  a, to+40(FP)        \
	JGT   yes                 \
	MOVQ  (SI)(ip*1), a       \
	XORQ  (SI)(ref*1), a      \
	MOVQ  8(SI)(ip*1), b      \
	XORQ  8(SI)(ref*1), b     \
	TZCNTQ b, b               \
	ADDQ  $64, b              \
	TZCNTQ a, a               \
	CMOVQCS b, a              \
	SHRQ  $3, a               \
	CMPQ  a, $const_fastCounted \
	JEQ   yes                 \
	IMULQ literal+96(FP), a   \
	MOVQ  ip, R15             \
	SUBQ  ref, R15            \
	BSRQ  R15, R15            \
	ADDQ  $(1+const_sequenceCost), R15 \
	SHLQ  $8, R15             \
	CMPQ  a, R15              \
	JGE   yes

#define AFTER \
	HASH(2(SI)(DX*1), R8)     \
	ADDQ $2, DX               \
	STORE(DX, DI, R8)         \
	HASH(-2(SI)(BX*1), R8)    \
	LEAQ -2(BX), DX           \
	STORE(DX, DI, R8)

#define AGAIN \
	HASH((R8), DX)            \
	STORE(BX, DI, DX)

// func fast16BMI(table *uint16, src []byte, from, to int, rep *[2]int, seqs []Seq,
// ignored, shift, literal int) (n int)
TEXT ·fast16BMI(SB), NOSPLIT, $40-112
#define LOAD(table, hash, to) LOAD16(table, hash, to)
#define STORE(from, table, hash) STORE16(from, table, hash)
#include "fast_begin_amd64.h"
#include "fast_single_amd64.h"
#include "fast_match_amd64.h"
#undef LOAD
#undef STORE

// func fast32BMI(table *uint32, src []byte, from, to int, rep *[2]int, seqs []Seq,
// ignored, shift, literal int) (n int)
TEXT ·fast32BMI(SB), NOSPLIT, $40-112
#define LOAD(table, hash, to) LOAD32(table, hash, to)
#define STORE(from, table, hash) STORE32(from, table, hash)
#include "fast_begin_amd64.h"
#include "fast_single_amd64.h"
#include "fast_match_amd64.h"
#undef LOAD
#undef STORE

#undef AFTER
#define AFTER \
	MOVQ far-40(SP), R9       \
	INCQ DX                   \
	FARHASH((SI)(DX*1), R8)   \
	STORE(DX, R9, R8)         \
	INCQ DX                   \
	FARHASH((SI)(DX*1), R8)   \
	STORE(DX, R9, R8)         \
	HASH((SI)(DX*1), R8)      \
	STORE(DX, DI, R8)         \
	LEAQ -2(BX), DX           \
	FARHASH((SI)(DX*1), R8)   \
	STORE(DX, R9, R8)         \
	INCQ DX                   \
	HASH((SI)(DX*1), R8)      \
	STORE(DX, DI, R8)

#undef AGAIN
#define AGAIN \
	HASH((R8), DX)            \
	STORE(BX, DI, DX)         \
	MOVQ far-40(SP), R15      \
	FARHASH((R8), DX)         \
	STORE(BX, R15, DX)

// func double16BMI(table *uint16, src []byte, from, to int, rep *[2]int, seqs []Seq,
// ignored, shift, literal int) (n int)
TEXT ·double16BMI(SB), NOSPLIT, $40-112
#define LOAD(table, hash, to) LOAD16(table, hash, to)
#define STORE(from, table, hash) STORE16(from, table, hash)
#define WIDTH 2
#include "fast_begin_amd64.h"
#include "fast_double_amd64.h"
#include "fast_match_amd64.h"
#undef LOAD
#undef STORE
#undef WIDTH

// func double32BMI(table *uint32, src []byte, from, to int, rep *[2]int, seqs []Seq,
// ignored, shift, literal int) (n int)
TEXT ·double32BMI(SB), NOSPLIT, $40-112
#define LOAD(table, hash, to) LOAD32(table, hash, to)
#define STORE(from, table, hash) STORE32(from, table, hash)
#define WIDTH 4
#include "fast_begin_amd64.h"
#include "fast_double_amd64.h"
#include "fast_match_amd64.h"
