// This is flat (flat.go) in assembly, which makes the same choices. The file that includes it
// defines LOAD(table, hash, to) and STORE(from, table, hash), which access an entry of a
// table, and WIDTH, the size of an entry.
//
// SI, DI, BP  start of src, table of short matches, table of long ones
// BX          position that is searched; then start of the match
// AX, DX      candidates for long and for short matches
// R8, R9      the two sides of a match
// CX, R10     factors of the hashes of 4 and of 7 bytes
// R11         the first position that no sequence covers
// R12         end of src
// R13         the first position that is too near the end for a search
// R14         shift of the hashes
// R15         scratch

	MOVQ table+0(FP), DI
	MOVQ src_base+8(FP), SI
	MOVQ at+32(FP), BX
	MOVQ anchor+40(FP), R11
	MOVQ to+48(FP), R13
	LEAQ (SI)(R13*1), R12
	SUBQ $const_flatTail, R13
	MOVQ seqs_base+56(FP), R15
	MOVQ R15, seq-8(SP)
	MOVQ shift+80(FP), R14
	MOVQ $const_prime1, R10
	MOVQ R10, CX
	SHLQ $32, CX
	SHLQ $8, R10
	MOVQ R14, AX
	NEGQ AX
	MOVL $1, R15
	SHLXQ AX, R15, R15         // entries of a table
	LEAQ (DI)(R15*WIDTH), BP

next:
	MOVQ (SI)(BX*1), R15
	HASH(R15, CX, R8)
	HASH(R15, R10, R9)
	LOAD(BP, R9, AX)
	LOAD(DI, R8, DX)
	STORE(BX, BP, R9)
	STORE(BX, DI, R8)
	CMPL R15, (SI)(AX*1)
	JEQ  longer

distant: // the candidate for a long match is
	CMPL R15, (SI)(DX*1)
	JEQ  short

miss:
	MOVQ BX, R15
	SUBQ R11, R15
	SHRQ $const_flatSkip, R15
	ANDQ $const_flatSteps, R15
	LEAQ 1(BX)(R15*1), BX
	CMPQ BX, R13
	JLT  next
	JMP  end

longer:
	MOVQ BX, R8
	SUBQ AX, R8
	CMPQ R8, window+88(FP)
	JGT  distant
	MOVQ BX, looked-16(SP)
	JMP  found

short:
	MOVQ BX, R8
	SUBQ DX, R8
	CMPQ R8, window+88(FP)
	JGT  miss
	MOVQ BX, looked-16(SP)
	MOVQ 1(SI)(BX*1), R15
	HASH(R15, R10, R8)
	LOAD(BP, R8, AX)
	EQUAL(1(SI)(BX*1), 9(SI)(BX*1), (SI)(AX*1), 8(SI)(AX*1), R15, R9)
	EQUAL((SI)(BX*1), 8(SI)(BX*1), (SI)(DX*1), 8(SI)(DX*1), R8, R9)
	LEAQ 1(BX), R9
	SUBQ AX, R9
	CMPQ R9, window+88(FP)
	MOVL $0, R9
	CMOVQGT R9, R15
	CMPQ R15, R8
	SETGT R9
	CMOVQLE DX, AX
	ADDQ R9, BX

found:
	LEAQ (SI)(BX*1), R8
	LEAQ (SI)(AX*1), R9
	BEFORE(R11, few, many)

extend:
	MOVQ R8, AX
	SUBQ R9, AX                // distance
	ADDQ $4, R8
	ADDQ $4, R9
	LEAQ 16(R8), R15
	CMPQ R15, R12
	JA   count
	EQUAL((R8), 8(R8), (R9), 8(R9), R15, BX)
	CMPQ R15, $16
	JEQ  long
	ADDQ R15, R8
	JMP  counted

few: // fewer than 8 bytes precede
many:
	MOVQ BX, DX

backwards:
	CMPQ DX, R11
	JLE  extend
	TESTQ AX, AX
	JE   extend
	MOVBLZX -1(SI)(DX*1), R15
	CMPB R15, -1(SI)(AX*1)
	JNE  extend
	DECQ DX
	DECQ AX
	JMP  backwards

long:
	ADDQ $16, R8
	ADDQ $16, R9
	COUNT(count, count32, count1, differ8, differ32, counted)
	MOVQ seq-8(SP), R9
	ADDQ $const_RepeatCodes, AX
	MOVL AX, Seq_Off(R9)
	LEAQ 8(R8), R15
	SUBQ SI, R8
	MOVQ R8, BX
	SUBQ DX, R8
	MOVL R8, Seq_Length(R9)
	SUBQ R11, DX
	MOVL DX, Seq_Literals(R9)
	ADDQ $Seq__size, R9
	MOVQ R9, seq-8(SP)
	MOVQ BX, R11
	CMPQ R15, R12
	JA   end
	MOVQ looked-16(SP), DX
	ENTER(1(DX), BP, R10)
	ENTER(1(DX), DI, CX)
	ENTER(-5(BX), BP, R10)
	ENTER(-3(BX), BP, R10)
	ENTER(-2(BX), BP, R10)
	ENTER(-2(BX), DI, CX)
	ENTER(-1(BX), DI, CX)
	CMPQ BX, R13
	JLT  next

end:
	MOVQ BX, nextAt+104(FP)
	MOVQ R11, nextAnchor+112(FP)
	MOVQ seq-8(SP), AX
	SUBQ seqs_base+56(FP), AX
	XORL DX, DX
	MOVL $Seq__size, CX
	DIVQ CX
	VZEROUPPER
	MOVQ AX, n+96(FP)
	RET
