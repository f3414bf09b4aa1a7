// This is the body of fast (fast.go) in assembly. It makes the same choices. The file
// that includes it defines LOAD(hash, to) and STORE(from, hash), which access an entry of
// the hash table.
//
// SI, DI    start of src, hash table
// BX        the first position of the pair that is searched
// DX        the first position of the next pair
// AX        the candidate
// R8, R9    hashes of the position and of the one after it
// R10       the distance that can be repeated
// R11, R12  step from BX to DX, position where it grows
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
	JNE  search
	INCQ BX

search:
	MOVL $2, R11
	LEAQ 128(BX), R12
	LEAQ 2(BX), DX
	LEAQ 3(BX), R15
	CMPQ R15, R13
	JGE  end
	HASH((SI)(BX*1), R8)
	HASH(1(SI)(BX*1), R9)
	LOAD(R8, AX)

next:
	STORE(BX, R8)
	MOVL (SI)(DX*1), R15
	MOVQ DX, BP
	SUBQ R10, BP
	CMPL R15, (SI)(BP*1)
	JEQ  repeated
	MOVL (SI)(BX*1), R15
	CMPL R15, (SI)(AX*1)
	JEQ  first
	LOAD(R9, AX)
	HASH((SI)(DX*1), R8)
	LEAQ 1(BX), BP
	STORE(BP, R9)
	MOVL 1(SI)(BX*1), R15
	CMPL R15, (SI)(AX*1)
	JEQ  after

miss:
	LOAD(R8, AX)
	HASH(1(SI)(DX*1), R9)
	MOVQ DX, BX
	ADDQ R11, DX
	CMPQ DX, R12
	JGE  faster

slower:
	LEAQ 1(DX), R15
	CMPQ R15, R13
	JLT  next
	JMP  end

faster:
	INCQ R11
	ADDQ $128, R12
	JMP  slower

repeated:
	LEAQ 1(BX), R15
	STORE(R15, R9)
	MOVQ BX, current-32(SP)
	LEAQ (SI)(DX*1), R8
	LEAQ (SI)(BP*1), R9
	MOVL $1, AX                // offset code
	XORL BX, BX
	MOVBLZX -1(R8), R15
	CMPB R15, -1(R9)
	SETEQ BX
	SUBQ BX, DX                // start of the match
	JMP  extend

after:
	INCQ BX
	CMPQ literal+96(FP), $0
	JNE  priceAfter

takeAfter:
	MOVQ BX, current-32(SP)
	CMPQ R11, $4
	JHI  new
	HASH((SI)(DX*1), R8)
	STORE(DX, R8)
	JMP  new

first:
	LEAQ 1(BX), R15
	STORE(R15, R9)
	CMPQ literal+96(FP), $0
	JNE  priceFirst

takeFirst:
	MOVQ BX, current-32(SP)

new:
	MOVQ R10, second-8(SP)
	MOVQ BX, R10
	SUBQ AX, R10
	LEAQ (SI)(BX*1), R8
	LEAQ (SI)(AX*1), R9
	// Count the equal bytes before the match, of those that are literals. This is done
	// without branches, which would be mispredicted.
	CMPQ AX, $8
	JLT  few
	MOVQ -8(R8), DX
	XORQ -8(R9), DX
	BSWAPQ DX
	TZCNTQ DX, DX
	SHRQ $3, DX
	CMPQ DX, $8
	JEQ  many
	MOVQ BX, R15
	SUBQ anchor-24(SP), R15
	CMPQ R15, DX
	CMOVQLT R15, DX
	NEGQ DX
	ADDQ BX, DX
	LEAQ const_RepeatCodes(R10), AX

extend:
	ADDQ $4, R8
	ADDQ $4, R9
	MOVQ to+40(FP), R12
	ADDQ SI, R12
	LEAQ 16(R8), R15
	CMPQ R15, R12
	JA   count
	MOVQ (R8), R15
	XORQ (R9), R15
	MOVQ 8(R8), BX
	XORQ 8(R9), BX
	TZCNTQ BX, BX
	ADDQ $64, BX
	TZCNTQ R15, R15
	CMOVQCS BX, R15
	CMPQ R15, $128
	JEQ  long
	SHRQ $3, R15
	ADDQ R15, R8
	JMP  counted

few: // fewer than 8 bytes precede
many:
	MOVQ BX, DX

backwards:
	CMPQ DX, anchor-24(SP)
	JLE  left
	TESTQ AX, AX
	JE   left
	MOVBLZX -1(SI)(DX*1), R15
	CMPB R15, -1(SI)(AX*1)
	JNE  left
	DECQ DX
	DECQ AX
	JMP  backwards

left:
	LEAQ const_RepeatCodes(R10), AX
	JMP  extend

long:
	ADDQ $16, R8
	ADDQ $16, R9
	COUNT(count, count32, count1, differ8, differ32, counted)
	SUBQ SI, R8                // end of the match
	MOVQ seq-16(SP), BP
	MOVQ DX, R15
	SUBQ anchor-24(SP), R15
	MOVL R15, Seq_Literals(BP)
	MOVQ R8, R15
	SUBQ DX, R15
	MOVL R15, Seq_Length(BP)
	MOVL AX, Seq_Off(BP)
	ADDQ $Seq__size, BP
	MOVQ R8, BX
	MOVQ BX, anchor-24(SP)
	CMPQ BX, R13
	JGT  last
	MOVQ current-32(SP), DX
	HASH(2(SI)(DX*1), R8)
	ADDQ $2, DX
	STORE(DX, R8)
	HASH(-2(SI)(BX*1), R8)
	LEAQ -2(BX), DX
	STORE(DX, R8)

again:
	// The distance before the last one may recur immediately.
	MOVQ second-8(SP), AX
	TESTQ AX, AX
	JE   resume
	LEAQ (SI)(BX*1), R8
	MOVQ R8, R9
	SUBQ AX, R9
	MOVL (R8), R15
	CMPL R15, (R9)
	JNE  resume
	MOVQ R10, second-8(SP)
	MOVQ AX, R10
	HASH((R8), DX)
	STORE(BX, DX)
	ADDQ $4, R8
	ADDQ $4, R9
	COUNT(more, more32, more1, differMore8, differMore32, countedMore)
	SUBQ SI, R8
	MOVQ R8, R15
	SUBQ BX, R15
	MOVL $0, Seq_Literals(BP)
	MOVL R15, Seq_Length(BP)
	MOVL $1, Seq_Off(BP)
	ADDQ $Seq__size, BP
	MOVQ R8, BX
	MOVQ BX, anchor-24(SP)
	CMPQ BX, R13
	JLE  again

last:
resume:
	MOVQ BP, seq-16(SP)
	JMP  search

priceAfter:
	SAVES(BX, AX, R8, R9, takeAfter)
	JMP  costly

priceFirst:
	SAVES(BX, AX, R8, R9, takeFirst)

costly: // continue as if there were no match
	HASH((SI)(DX*1), R8)
	JMP  miss

end:
	MOVQ rep+48(FP), AX
	MOVQ R10, (AX)
	MOVQ second-8(SP), R15
	MOVQ R15, 8(AX)
	MOVQ seq-16(SP), AX
	SUBQ seqs_base+56(FP), AX
	XORL DX, DX
	MOVL $Seq__size, CX
	DIVQ CX
	VZEROUPPER
	MOVQ AX, n+104(FP)
	RET
