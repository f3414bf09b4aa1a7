package shuffle

// within checks that b holds a matrix of bytes with rows stride apart, and returns
// its start. The kernels do not check bounds.
func within(b []byte, stride, rows, cols int) *byte {
	_ = b[(rows-1)*stride+cols-1]
	return &b[0]
}
