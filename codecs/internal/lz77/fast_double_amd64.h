// This is the loop of double (double.go).
//
// R9        the table of longer matches, which follows the other one
// AX, DX    candidates of both tables

	MOVQ R14, AX
	NEGQ AX
	MOVL $1, R15
	SHLXQ AX, R15, R15         // entries of a table
	LEAQ (DI)(R15*WIDTH), R15
	MOVQ R15, far-40(SP)

search:
	MOVL $1, R11
	LEAQ const_doublePatience(BX), R12
	CMPQ BX, R13
	JGE  end
	MOVQ far-40(SP), R9

next:
	HASH((SI)(BX*1), R8)
	FARHASH((SI)(BX*1), R15)
	LOAD(DI, R8, AX)
	LOAD(R9, R15, DX)
	STORE(BX, DI, R8)
	STORE(BX, R9, R15)
	LEAQ 1(BX), BP
	SUBQ R10, BP
	MOVL 1(SI)(BX*1), R15
	CMPL R15, (SI)(BP*1)
	JEQ  repeated
	MOVQ (SI)(BX*1), R15
	CMPQ R15, (SI)(DX*1)
	JEQ  longer
	CMPL R15, (SI)(AX*1)
	JEQ  short

miss:
	ADDQ R11, BX
	CMPQ BX, R12
	JGE  faster

slower:
	CMPQ BX, R13
	JLT  next
	JMP  end

faster:
	ADDQ $const_doublePatience, R12
	INCQ R11
	CMPQ R11, $const_fastLongest
	JLE  slower
	MOVL $(const_fastLongest/2), R11
	JMP  slower

repeated:
	MOVQ BX, current-32(SP)
	LEAQ 1(BX), DX             // start of the match
	LEAQ (SI)(DX*1), R8
	LEAQ (SI)(BP*1), R9
	MOVL $1, AX                // offset code
	JMP  extend

longer:
	MOVQ BX, current-32(SP)
	MOVQ DX, AX
	JMP  found

short:
	MOVQ BX, current-32(SP)
	CMPQ R15, (SI)(AX*1)
	JEQ  found
	FARHASH(1(SI)(BX*1), R8)
	LOAD(R9, R8, DX)
	MOVQ 1(SI)(BX*1), R15
	CMPQ R15, (SI)(DX*1)
	JNE  found
	INCQ BX
	MOVQ DX, AX

found:
	CMPQ literal+96(FP), $0
	JEQ  new
	SAVES(BX, AX, R8, DX, new)
	MOVQ current-32(SP), BX    // continue as if there were no match
	JMP  miss

