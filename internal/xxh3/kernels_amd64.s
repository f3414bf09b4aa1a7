//go:build !purego

#include "textflag.h"

// The lanes of a block are not updated stripe by stripe. Instead the contributions of
// the stripes are summed in separate registers, one for products and one for input, so
// that only additions depend on the previous stripe. Input is added to the other lane
// of each pair, which needs one exchange for each block.

// STRIPE512 adds the stripe at off of b (SI), with the secret at key of k (DX),
// to products P and input D.
#define STRIPE512(off, key, P, D) \
	VMOVDQU64 off(SI), Z8        \
	VPXORQ    key(DX), Z8, Z9    \
	VPADDQ    Z8, D, D           \
	VPSRLQ    $32, Z9, Z10       \
	VPMULUDQ  Z9, Z10, Z9        \
	VPADDQ    Z9, P, P

// func stripesAVX512(s *state, b, key *byte, n int)
TEXT ·stripesAVX512(SB), NOSPLIT, $0-32
	MOVQ s+0(FP), DI
	MOVQ b+8(FP), SI
	MOVQ key+16(FP), DX
	MOVQ n+24(FP), CX
	VMOVDQU64 (DI), Z0
	VPXORQ Z1, Z1, Z1

stripe:
	STRIPE512(0, 0, Z0, Z1)
	ADDQ $64, SI
	ADDQ $8, DX
	DECQ CX
	JNZ  stripe

	VPSHUFD $0x4e, Z1, Z1
	VPADDQ Z1, Z0, Z0
	VMOVDQU64 Z0, (DI)
	VZEROUPPER
	RET

// KEYED512 is STRIPE512 with the secret in a register.
#define KEYED512(off, KEY, P, D) \
	VMOVDQU64 off(SI), Z8        \
	VPXORQ    KEY, Z8, Z9        \
	VPADDQ    Z8, D, D           \
	VPSRLQ    $32, Z9, Z10       \
	VPMULUDQ  Z9, Z10, Z9        \
	VPADDQ    Z9, P, P

// func blocksAVX512(s *state, b *byte, n int, secret *[192]byte)
TEXT ·blocksAVX512(SB), NOSPLIT, $0-32
	MOVQ s+0(FP), DI
	MOVQ b+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ secret+24(FP), DX
	VMOVDQU64 (DI), Z0
	VMOVDQU64 128(DX), Z11

	// All of the secret that a block needs stays in registers.
	VMOVDQU64 0(DX), Z16
	VMOVDQU64 8(DX), Z17
	VMOVDQU64 16(DX), Z18
	VMOVDQU64 24(DX), Z19
	VMOVDQU64 32(DX), Z20
	VMOVDQU64 40(DX), Z21
	VMOVDQU64 48(DX), Z22
	VMOVDQU64 56(DX), Z23
	VMOVDQU64 64(DX), Z24
	VMOVDQU64 72(DX), Z25
	VMOVDQU64 80(DX), Z26
	VMOVDQU64 88(DX), Z27
	VMOVDQU64 96(DX), Z28
	VMOVDQU64 104(DX), Z29
	VMOVDQU64 112(DX), Z30
	VMOVDQU64 120(DX), Z31
	MOVL $0x9e3779b1, AX
	VPBROADCASTQ AX, Z12

block:
	VPXORQ Z1, Z1, Z1
	VPXORQ Z2, Z2, Z2
	VPXORQ Z3, Z3, Z3
	VPXORQ Z4, Z4, Z4
	KEYED512(0, Z16, Z1, Z2)
	KEYED512(64, Z17, Z3, Z4)
	KEYED512(128, Z18, Z1, Z2)
	KEYED512(192, Z19, Z3, Z4)
	KEYED512(256, Z20, Z1, Z2)
	KEYED512(320, Z21, Z3, Z4)
	KEYED512(384, Z22, Z1, Z2)
	KEYED512(448, Z23, Z3, Z4)
	KEYED512(512, Z24, Z1, Z2)
	KEYED512(576, Z25, Z3, Z4)
	KEYED512(640, Z26, Z1, Z2)
	KEYED512(704, Z27, Z3, Z4)
	KEYED512(768, Z28, Z1, Z2)
	KEYED512(832, Z29, Z3, Z4)
	KEYED512(896, Z30, Z1, Z2)
	KEYED512(960, Z31, Z3, Z4)
	VPADDQ Z4, Z2, Z2
	VPSHUFD $0x4e, Z2, Z2
	VPADDQ Z3, Z1, Z1
	VPADDQ Z2, Z1, Z1

	// Only the following instructions depend on the previous block.
	VPADDQ Z1, Z0, Z0
	VPSRLQ $47, Z0, Z1
	VPTERNLOGQ $0x96, Z11, Z1, Z0
	VPSRLQ $32, Z0, Z1
	VPMULUDQ Z12, Z0, Z0
	VPMULUDQ Z12, Z1, Z1
	VPSLLQ $32, Z1, Z1
	VPADDQ Z1, Z0, Z0

	ADDQ $1024, SI
	DECQ CX
	JNZ  block

	VMOVDQU64 Z0, (DI)
	VZEROUPPER
	RET

// STRIPE256 does what STRIPE512 does, for half a stripe.
#define STRIPE256(off, key, P, D) \
	VMOVDQU  off(SI), Y8         \
	VPXOR    key(DX), Y8, Y9     \
	VPADDQ   Y8, D, D            \
	VPSRLQ   $32, Y9, Y10        \
	VPMULUDQ Y9, Y10, Y9         \
	VPADDQ   Y9, P, P

#define BOTH256(off, key) \
	STRIPE256(off, key, Y2, Y4)       \
	STRIPE256(off+32, key+32, Y3, Y5)

#define SCRAMBLE256(A, KEY) \
	VPSRLQ   $47, A, Y8   \
	VPXOR    Y8, A, A     \
	VPXOR    KEY, A, A    \
	VPSRLQ   $32, A, Y8   \
	VPMULUDQ Y12, A, A    \
	VPMULUDQ Y12, Y8, Y8  \
	VPSLLQ   $32, Y8, Y8  \
	VPADDQ   Y8, A, A

// func stripesAVX2(s *state, b, key *byte, n int)
TEXT ·stripesAVX2(SB), NOSPLIT, $0-32
	MOVQ s+0(FP), DI
	MOVQ b+8(FP), SI
	MOVQ key+16(FP), DX
	MOVQ n+24(FP), CX
	VMOVDQU (DI), Y2
	VMOVDQU 32(DI), Y3
	VPXOR Y4, Y4, Y4
	VPXOR Y5, Y5, Y5

stripe:
	BOTH256(0, 0)
	ADDQ $64, SI
	ADDQ $8, DX
	DECQ CX
	JNZ  stripe

	VPSHUFD $0x4e, Y4, Y4
	VPSHUFD $0x4e, Y5, Y5
	VPADDQ Y4, Y2, Y2
	VPADDQ Y5, Y3, Y3
	VMOVDQU Y2, (DI)
	VMOVDQU Y3, 32(DI)
	VZEROUPPER
	RET

// func blocksAVX2(s *state, b *byte, n int, secret *[192]byte)
TEXT ·blocksAVX2(SB), NOSPLIT, $0-32
	MOVQ s+0(FP), DI
	MOVQ b+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ secret+24(FP), DX
	VMOVDQU (DI), Y0
	VMOVDQU 32(DI), Y1
	VMOVDQU 128(DX), Y11
	VMOVDQU 160(DX), Y13
	MOVL $0x9e3779b1, AX
	VMOVQ AX, X12
	VPBROADCASTQ X12, Y12

block:
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	VPXOR Y4, Y4, Y4
	VPXOR Y5, Y5, Y5
	BOTH256(0, 0)
	BOTH256(64, 8)
	BOTH256(128, 16)
	BOTH256(192, 24)
	BOTH256(256, 32)
	BOTH256(320, 40)
	BOTH256(384, 48)
	BOTH256(448, 56)
	BOTH256(512, 64)
	BOTH256(576, 72)
	BOTH256(640, 80)
	BOTH256(704, 88)
	BOTH256(768, 96)
	BOTH256(832, 104)
	BOTH256(896, 112)
	BOTH256(960, 120)
	VPSHUFD $0x4e, Y4, Y4
	VPSHUFD $0x4e, Y5, Y5
	VPADDQ Y4, Y2, Y2
	VPADDQ Y5, Y3, Y3
	VPADDQ Y2, Y0, Y0
	VPADDQ Y3, Y1, Y1
	SCRAMBLE256(Y0, Y11)
	SCRAMBLE256(Y1, Y13)
	ADDQ $1024, SI
	DECQ CX
	JNZ  block

	VMOVDQU Y0, (DI)
	VMOVDQU Y1, 32(DI)
	VZEROUPPER
	RET
