// This is the beginning of the fast searches (fast.go, double.go) in assembly, which make
// the same choices. One of fast_single_amd64.h and fast_double_amd64.h follows, and then
// fast_match_amd64.h. The file that includes them defines LOAD(table, hash, to) and
// STORE(from, table, hash), which access an entry of a table.
//
// SI, DI    start of src, hash table
// BX        position that is searched
// DX        candidate, or position
// AX        candidate
// R8, R9    hashes; then the positions of the two sides of a match
// R10       the distance that can be repeated
// R11, R12  step, position where it grows
// R13       the first position that is too near the end for a search
// CX, R14   factor of the hash, and shift of the product
// R15, BP   scratch

	MOVQ table+0(FP), DI
	MOVQ src_base+8(FP), SI
	MOVQ from+32(FP), BX
	MOVQ to+40(FP), R13
	SUBQ $8, R13
	MOVQ rep+48(FP), AX
	MOVQ (AX), R10
	MOVQ 8(AX), R15
	MOVQ R15, second-8(SP)
	MOVQ seqs_base+56(FP), R15
	MOVQ R15, seq-16(SP)
	MOVQ ignored+80(FP), CX
	MOVQ $0x9e3779b185ebca87, R14
	SHLQ CX, R14               // shifts the ignored bytes out of the product
	MOVQ R14, CX
	MOVQ shift+88(FP), R14
	MOVQ BX, anchor-24(SP)
	TESTQ BX, BX
	JNE  begun
	INCQ BX

begun:
