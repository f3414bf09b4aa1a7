package shuffle

// within returns the start of b. It panics unless b holds a matrix of bytes whose rows
// are stride apart. The kernels do not check bounds.
func within(b []byte, stride, rows, cols int) *byte {
	_ = b[(rows-1)*stride+cols-1]
	return &b[0]
}
