// This is the loop of fast (fast.go). BX is the first position of the pair that is searched,
// DX that of the next pair, and R11 the step between them. R8 and R9 are the hashes of a
// position and of the one after it.

search:
	MOVL $2, R11
	LEAQ 128(BX), R12
	LEAQ 2(BX), DX
	LEAQ 3(BX), R15
	CMPQ R15, R13
	JGE  end
	HASH((SI)(BX*1), R8)
	HASH(1(SI)(BX*1), R9)
	LOAD(DI, R8, AX)

next:
	STORE(BX, DI, R8)
	MOVL (SI)(DX*1), R15
	MOVQ DX, BP
	SUBQ R10, BP
	CMPL R15, (SI)(BP*1)
	JEQ  repeated
	MOVL (SI)(BX*1), R15
	CMPL R15, (SI)(AX*1)
	JEQ  first
	LOAD(DI, R9, AX)
	HASH((SI)(DX*1), R8)
	LEAQ 1(BX), BP
	STORE(BP, DI, R9)
	MOVL 1(SI)(BX*1), R15
	CMPL R15, (SI)(AX*1)
	JEQ  after

miss:
	LOAD(DI, R8, AX)
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
	ADDQ $128, R12
	INCQ R11
	CMPQ R11, $const_fastLongest
	JLE  slower
	MOVL $(const_fastLongest/2), R11
	JMP  slower

repeated:
	LEAQ 1(BX), R15
	STORE(R15, DI, R9)
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
	STORE(DX, DI, R8)
	JMP  new

first:
	LEAQ 1(BX), R15
	STORE(R15, DI, R9)
	CMPQ literal+96(FP), $0
	JNE  priceFirst

takeFirst:
	MOVQ BX, current-32(SP)
	JMP  new

priceAfter:
	SAVES(BX, AX, R8, R9, takeAfter)
	JMP  costly

priceFirst:
	SAVES(BX, AX, R8, R9, takeFirst)

costly: // continue as if there were no match
	HASH((SI)(DX*1), R8)
	JMP  miss

