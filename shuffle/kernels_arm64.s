//go:build !purego

#include "textflag.h"

// Operands of VUZP, VZIP and VEXT are in the order m, n, d: the bytes of n come
// first in the result.

// STORE8 stores V16 to V23 to eight planes. The first is at R0, and they are R2 bytes
// apart. It advances R0 by 16 and overwrites R3. LOAD8 loads V16 to V23 from such planes,
// with the same registers.
#define STORE8 \
	MOVD R0, R3                  \
	VST1 [V16.B16], (R3)         \
	ADD  R2, R3                  \
	VST1 [V17.B16], (R3)         \
	ADD  R2, R3                  \
	VST1 [V18.B16], (R3)         \
	ADD  R2, R3                  \
	VST1 [V19.B16], (R3)         \
	ADD  R2, R3                  \
	VST1 [V20.B16], (R3)         \
	ADD  R2, R3                  \
	VST1 [V21.B16], (R3)         \
	ADD  R2, R3                  \
	VST1 [V22.B16], (R3)         \
	ADD  R2, R3                  \
	VST1 [V23.B16], (R3)         \
	ADD  $16, R0

#define LOAD8 \
	MOVD R0, R3                  \
	VLD1 (R3), [V16.B16]         \
	ADD  R2, R3                  \
	VLD1 (R3), [V17.B16]         \
	ADD  R2, R3                  \
	VLD1 (R3), [V18.B16]         \
	ADD  R2, R3                  \
	VLD1 (R3), [V19.B16]         \
	ADD  R2, R3                  \
	VLD1 (R3), [V20.B16]         \
	ADD  R2, R3                  \
	VLD1 (R3), [V21.B16]         \
	ADD  R2, R3                  \
	VLD1 (R3), [V22.B16]         \
	ADD  R2, R3                  \
	VLD1 (R3), [V23.B16]         \
	ADD  $16, R0

// GATHER8 makes the eight planes V16 to V23 of sixteen items of eight bytes.
#define GATHER8 \
	VLD4.P 64(R1), [V0.H8, V1.H8, V2.H8, V3.H8] \
	VLD4.P 64(R1), [V4.H8, V5.H8, V6.H8, V7.H8] \
	VUZP1  V4.B16, V0.B16, V16.B16              \
	VUZP2  V4.B16, V0.B16, V17.B16              \
	VUZP1  V5.B16, V1.B16, V18.B16              \
	VUZP2  V5.B16, V1.B16, V19.B16              \
	VUZP1  V6.B16, V2.B16, V20.B16              \
	VUZP2  V6.B16, V2.B16, V21.B16              \
	VUZP1  V7.B16, V3.B16, V22.B16              \
	VUZP2  V7.B16, V3.B16, V23.B16

// SCATTER8 undoes GATHER8.
#define SCATTER8 \
	VZIP1  V17.B16, V16.B16, V0.B16             \
	VZIP2  V17.B16, V16.B16, V4.B16             \
	VZIP1  V19.B16, V18.B16, V1.B16             \
	VZIP2  V19.B16, V18.B16, V5.B16             \
	VZIP1  V21.B16, V20.B16, V2.B16             \
	VZIP2  V21.B16, V20.B16, V6.B16             \
	VZIP1  V23.B16, V22.B16, V3.B16             \
	VZIP2  V23.B16, V22.B16, V7.B16             \
	VST4.P [V0.H8, V1.H8, V2.H8, V3.H8], 64(R1) \
	VST4.P [V4.H8, V5.H8, V6.H8, V7.H8], 64(R1)

// SWAP exchanges the bits of b under a mask with the bits of a that are shift positions
// higher.
#define SWAP(a, b, mask, shift) \
	VUSHR $shift, a.B16, V24.B16   \
	VEOR  b.B16, V24.B16, V24.B16  \
	VAND  mask.B16, V24.B16, V24.B16 \
	VEOR  V24.B16, b.B16, b.B16    \
	VSHL  $shift, V24.B16, V24.B16 \
	VEOR  V24.B16, a.B16, a.B16

// BITS transposes the bits of V16 to V23. It needs the masks that MASKS loads.
#define MASKS \
	VMOVI $0x0f, V25.B16 \
	VMOVI $0x33, V26.B16 \
	VMOVI $0x55, V27.B16

#define BITS \
	SWAP(V16, V20, V25, 4) \
	SWAP(V17, V21, V25, 4) \
	SWAP(V18, V22, V25, 4) \
	SWAP(V19, V23, V25, 4) \
	SWAP(V16, V18, V26, 2) \
	SWAP(V17, V19, V26, 2) \
	SWAP(V20, V22, V26, 2) \
	SWAP(V21, V23, V26, 2) \
	SWAP(V16, V17, V27, 1) \
	SWAP(V18, V19, V27, 1) \
	SWAP(V20, V21, V27, 1) \
	SWAP(V22, V23, V27, 1)
// Each of the following functions processes n items, which is a multiple of 16.

// func gather2NEON(dst *byte, stride int, src *byte, n int)
TEXT ·gather2NEON(SB), NOSPLIT, $0-32
	MOVD planes+0(FP), R0
	MOVD stride+8(FP), R2
	MOVD items+16(FP), R1
	MOVD n+24(FP), R4

loop:
	VLD2.P 32(R1), [V0.B16, V1.B16]
	ADD    R2, R0, R3
	VST1.P [V0.B16], 16(R0)
	VST1   [V1.B16], (R3)
	SUBS $16, R4
	BNE  loop
	RET

// func gather4NEON(dst *byte, stride int, src *byte, n int)
TEXT ·gather4NEON(SB), NOSPLIT, $0-32
	MOVD planes+0(FP), R0
	MOVD stride+8(FP), R2
	MOVD items+16(FP), R1
	MOVD n+24(FP), R4

loop:
	VLD4.P 64(R1), [V0.B16, V1.B16, V2.B16, V3.B16]
	ADD    R2, R0, R3
	ADD    R2, R3, R5
	ADD    R2, R5, R6
	VST1.P [V0.B16], 16(R0)
	VST1   [V1.B16], (R3)
	VST1   [V2.B16], (R5)
	VST1   [V3.B16], (R6)
	SUBS $16, R4
	BNE  loop
	RET

// func gather8NEON(dst *byte, stride int, src *byte, n int)
TEXT ·gather8NEON(SB), NOSPLIT, $0-32
	MOVD planes+0(FP), R0
	MOVD stride+8(FP), R2
	MOVD items+16(FP), R1
	MOVD n+24(FP), R4

loop:
	GATHER8
	STORE8
	SUBS $16, R4
	BNE  loop
	RET

// PLANES4 stores four planes of sixteen items of sixteen bytes. The first is at R3, and
// they are R2 bytes apart. R3 is then the address of the next plane. Each argument holds
// four bytes of four items.
#define PLANES4(a, b, c, d) \
	VUZP1  b.H8, a.H8, V16.H8        \
	VUZP2  b.H8, a.H8, V17.H8        \
	VUZP1  d.H8, c.H8, V18.H8        \
	VUZP2  d.H8, c.H8, V19.H8        \
	VUZP1  V18.B16, V16.B16, V20.B16 \
	VUZP2  V18.B16, V16.B16, V21.B16 \
	VUZP1  V19.B16, V17.B16, V22.B16 \
	VUZP2  V19.B16, V17.B16, V23.B16 \
	VST1   [V20.B16], (R3)           \
	ADD    R2, R3                    \
	VST1   [V21.B16], (R3)           \
	ADD    R2, R3                    \
	VST1   [V22.B16], (R3)           \
	ADD    R2, R3                    \
	VST1   [V23.B16], (R3)           \
	ADD    R2, R3

// func gather16NEON(dst *byte, stride int, src *byte, n int)
TEXT ·gather16NEON(SB), NOSPLIT, $0-32
	MOVD planes+0(FP), R0
	MOVD stride+8(FP), R2
	MOVD items+16(FP), R1
	MOVD n+24(FP), R4

loop:
	VLD4.P 64(R1), [V0.S4, V1.S4, V2.S4, V3.S4]
	VLD4.P 64(R1), [V4.S4, V5.S4, V6.S4, V7.S4]
	VLD4.P 64(R1), [V8.S4, V9.S4, V10.S4, V11.S4]
	VLD4.P 64(R1), [V12.S4, V13.S4, V14.S4, V15.S4]
	MOVD   R0, R3
	PLANES4(V0, V4, V8, V12)
	PLANES4(V1, V5, V9, V13)
	PLANES4(V2, V6, V10, V14)
	PLANES4(V3, V7, V11, V15)
	ADD    $16, R0
	SUBS $16, R4
	BNE  loop
	RET

// func scatter2NEON(dst *byte, src *byte, stride int, n int)
TEXT ·scatter2NEON(SB), NOSPLIT, $0-32
	MOVD planes+0(FP), R0
	MOVD stride+8(FP), R2
	MOVD items+16(FP), R1
	MOVD n+24(FP), R4

loop:
	ADD    R2, R0, R3
	VLD1.P 16(R0), [V0.B16]
	VLD1   (R3), [V1.B16]
	VST2.P [V0.B16, V1.B16], 32(R1)
	SUBS $16, R4
	BNE  loop
	RET

// func scatter4NEON(dst *byte, src *byte, stride int, n int)
TEXT ·scatter4NEON(SB), NOSPLIT, $0-32
	MOVD planes+0(FP), R0
	MOVD stride+8(FP), R2
	MOVD items+16(FP), R1
	MOVD n+24(FP), R4

loop:
	ADD    R2, R0, R3
	ADD    R2, R3, R5
	ADD    R2, R5, R6
	VLD1.P 16(R0), [V0.B16]
	VLD1   (R3), [V1.B16]
	VLD1   (R5), [V2.B16]
	VLD1   (R6), [V3.B16]
	VST4.P [V0.B16, V1.B16, V2.B16, V3.B16], 64(R1)
	SUBS $16, R4
	BNE  loop
	RET

// func scatter8NEON(dst *byte, src *byte, stride int, n int)
TEXT ·scatter8NEON(SB), NOSPLIT, $0-32
	MOVD planes+0(FP), R0
	MOVD stride+8(FP), R2
	MOVD items+16(FP), R1
	MOVD n+24(FP), R4

loop:
	LOAD8
	SCATTER8
	SUBS $16, R4
	BNE  loop
	RET

// ITEMS4 undoes PLANES4.
#define ITEMS4(a, b, c, d) \
	VLD1   (R3), [V20.B16]           \
	ADD    R2, R3                    \
	VLD1   (R3), [V21.B16]           \
	ADD    R2, R3                    \
	VLD1   (R3), [V22.B16]           \
	ADD    R2, R3                    \
	VLD1   (R3), [V23.B16]           \
	ADD    R2, R3                    \
	VZIP1  V21.B16, V20.B16, V16.B16 \
	VZIP2  V21.B16, V20.B16, V18.B16 \
	VZIP1  V23.B16, V22.B16, V17.B16 \
	VZIP2  V23.B16, V22.B16, V19.B16 \
	VZIP1  V17.H8, V16.H8, a.H8      \
	VZIP2  V17.H8, V16.H8, b.H8      \
	VZIP1  V19.H8, V18.H8, c.H8      \
	VZIP2  V19.H8, V18.H8, d.H8

// func scatter16NEON(dst *byte, src *byte, stride int, n int)
TEXT ·scatter16NEON(SB), NOSPLIT, $0-32
	MOVD planes+0(FP), R0
	MOVD stride+8(FP), R2
	MOVD items+16(FP), R1
	MOVD n+24(FP), R4

loop:
	MOVD   R0, R3
	ITEMS4(V0, V4, V8, V12)
	ITEMS4(V1, V5, V9, V13)
	ITEMS4(V2, V6, V10, V14)
	ITEMS4(V3, V7, V11, V15)
	VST4.P [V0.S4, V1.S4, V2.S4, V3.S4], 64(R1)
	VST4.P [V4.S4, V5.S4, V6.S4, V7.S4], 64(R1)
	VST4.P [V8.S4, V9.S4, V10.S4, V11.S4], 64(R1)
	VST4.P [V12.S4, V13.S4, V14.S4, V15.S4], 64(R1)
	ADD    $16, R0
	SUBS $16, R4
	BNE  loop
	RET

// func bitRowsNEON(dst *byte, stride int, plane *byte, n int)
//
// n is a multiple of 128.
TEXT ·bitRowsNEON(SB), NOSPLIT, $0-32
	MOVD planes+0(FP), R0
	MOVD stride+8(FP), R2
	MOVD items+16(FP), R1
	MOVD n+24(FP), R4
	MASKS

loop:
	GATHER8
	BITS
	STORE8
	SUBS $128, R4
	BNE  loop
	RET

// func bitBytesNEON(plane *byte, src *byte, stride int, n int)
//
// n is a multiple of 128.
TEXT ·bitBytesNEON(SB), NOSPLIT, $0-32
	MOVD planes+0(FP), R0
	MOVD stride+8(FP), R2
	MOVD items+16(FP), R1
	MOVD n+24(FP), R4
	MASKS

loop:
	LOAD8
	BITS
	SCATTER8
	SUBS $128, R4
	BNE  loop
	RET

// func xorNEON(dst *byte, a *byte, b *byte, n int)
//
// n is a multiple of 64.
TEXT ·xorNEON(SB), NOSPLIT, $0-32
	MOVD dst+0(FP), R0
	MOVD a+8(FP), R1
	MOVD b+16(FP), R2
	MOVD n+24(FP), R4

loop:
	VLD1.P 64(R1), [V0.B16, V1.B16, V2.B16, V3.B16]
	VLD1.P 64(R2), [V4.B16, V5.B16, V6.B16, V7.B16]
	VEOR   V4.B16, V0.B16, V0.B16
	VEOR   V5.B16, V1.B16, V1.B16
	VEOR   V6.B16, V2.B16, V2.B16
	VEOR   V7.B16, V3.B16, V3.B16
	VST1.P [V0.B16, V1.B16, V2.B16, V3.B16], 64(R0)
	SUBS   $64, R4
	BNE    loop
	RET

// func maskNEON(dst *byte, src *byte, mask uint64, n int)
//
// n is a multiple of 64.
TEXT ·maskNEON(SB), NOSPLIT, $0-32
	MOVD dst+0(FP), R0
	MOVD src+8(FP), R1
	MOVD mask+16(FP), R2
	MOVD n+24(FP), R4
	VDUP R2, V4.D2

loop:
	VLD1.P 64(R1), [V0.B16, V1.B16, V2.B16, V3.B16]
	VAND   V4.B16, V0.B16, V0.B16
	VAND   V4.B16, V1.B16, V1.B16
	VAND   V4.B16, V2.B16, V2.B16
	VAND   V4.B16, V3.B16, V3.B16
	VST1.P [V0.B16, V1.B16, V2.B16, V3.B16], 64(R0)
	SUBS   $64, R4
	BNE    loop
	RET

// func byteDeltaNEON(dst *byte, src *byte, n int)
//
// n is a multiple of 64.
TEXT ·byteDeltaNEON(SB), NOSPLIT, $0-24
	MOVD dst+0(FP), R0
	MOVD src+8(FP), R1
	MOVD n+16(FP), R4
	ADD  $1, R1, R2

loop:
	VLD1.P 64(R1), [V0.B16, V1.B16, V2.B16, V3.B16]
	VLD1.P 64(R2), [V4.B16, V5.B16, V6.B16, V7.B16]
	VSUB   V0.B16, V4.B16, V4.B16
	VSUB   V1.B16, V5.B16, V5.B16
	VSUB   V2.B16, V6.B16, V6.B16
	VSUB   V3.B16, V7.B16, V7.B16
	VST1.P [V4.B16, V5.B16, V6.B16, V7.B16], 64(R0)
	SUBS   $64, R4
	BNE    loop
	RET

// The scans combine every byte with a result some bytes before it. n, the number of bytes,
// is a multiple of 16. V30 holds the end of the previous register, so only one operation
// per register has to wait for the previous register. V31 is zero.
#define BEGINSCAN \
	MOVD dst+0(FP), R0             \
	MOVD src+8(FP), R1             \
	MOVD n+16(FP), R4              \
	VEOR V30.B16, V30.B16, V30.B16 \
	VEOR V31.B16, V31.B16, V31.B16

#define STEP(op, shift) \
	VEXT $(16-shift), V0.B16, V31.B16, V1.B16 \
	op   V1.B16, V0.B16, V0.B16

#define ENDSCAN(op) \
	op     V30.B16, V0.B16, V0.B16  \
	op     V2.B16, V30.B16, V30.B16 \
	VST1.P [V0.B16], 16(R0)         \
	SUBS   $16, R4                  \
	BNE    loop                     \
	RET

// func unByteDeltaNEON(dst *byte, src *byte, n int)
TEXT ·unByteDeltaNEON(SB), NOSPLIT, $0-24
	BEGINSCAN

loop:
	VLD1.P 16(R1), [V0.B16]
	STEP(VADD, 1)
	STEP(VADD, 2)
	STEP(VADD, 4)
	STEP(VADD, 8)
	VDUP V0.B[15], V2.B16
	ENDSCAN(VADD)

// func undelta1NEON(dst *byte, src *byte, n int)
TEXT ·undelta1NEON(SB), NOSPLIT, $0-24
	BEGINSCAN

loop:
	VLD1.P 16(R1), [V0.B16]
	STEP(VEOR, 1)
	STEP(VEOR, 2)
	STEP(VEOR, 4)
	STEP(VEOR, 8)
	VDUP V0.B[15], V2.B16
	ENDSCAN(VEOR)

// func undelta2NEON(dst *byte, src *byte, n int)
TEXT ·undelta2NEON(SB), NOSPLIT, $0-24
	BEGINSCAN

loop:
	VLD1.P 16(R1), [V0.B16]
	STEP(VEOR, 2)
	STEP(VEOR, 4)
	STEP(VEOR, 8)
	VDUP V0.H[7], V2.H8
	ENDSCAN(VEOR)

// func undelta4NEON(dst *byte, src *byte, n int)
TEXT ·undelta4NEON(SB), NOSPLIT, $0-24
	BEGINSCAN

loop:
	VLD1.P 16(R1), [V0.B16]
	STEP(VEOR, 4)
	STEP(VEOR, 8)
	VDUP V0.S[3], V2.S4
	ENDSCAN(VEOR)

// func undelta8NEON(dst *byte, src *byte, n int)
TEXT ·undelta8NEON(SB), NOSPLIT, $0-24
	BEGINSCAN

loop:
	VLD1.P 16(R1), [V0.B16]
	STEP(VEOR, 8)
	VDUP V0.D[1], V2.D2
	ENDSCAN(VEOR)
