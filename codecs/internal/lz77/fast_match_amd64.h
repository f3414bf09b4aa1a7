// This is what the fast searches do with a match: it is extended in both directions, and
// the search continues after it. The file that includes this defines AFTER, which
// enters positions at both ends of the match that ends at BX and was found at DX, and AGAIN, which
// enters BX, whose bytes are at R8. AFTER may use R8, R9, and AGAIN R15; both may use DX.

new:
	MOVQ R10, second-8(SP)
	MOVQ BX, R10
	SUBQ AX, R10
	LEAQ (SI)(BX*1), R8
	LEAQ (SI)(AX*1), R9
	BEFORE(anchor-24(SP), few, many)
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
	AFTER

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
	AGAIN
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
