package frame

// Reopen opens the frame in a file of size bytes, which begins at its start,
// to be continued behind its end, where the Builder stands. A commit that was
// interrupted is completed, and what was written but not committed is cut off;
// a frame that another one follows, or that cannot be continued, is
// blosc2.ErrUnsupported.
func Reopen(file File, size int64, opts ...Option) (*Reader, *Builder, error) {
	size, err := finish(file, size)
	if err != nil {
		return nil, nil, err
	}
	f, err := Open(file, size, opts...)
	if err != nil {
		return nil, nil, err
	}
	b, err := Resume(f)
	if err != nil {
		return nil, nil, err
	}
	return f, b, cutTail(file, f.frameLen, size)
}

// SetChunkSize decides the size of chunks, in decoded bytes, where a frame
// without data leaves it open; elsewhere it does nothing.
func (b *Builder) SetChunkSize(n int) {
	if len(b.offsets) == 0 && b.h.ChunkSize <= 0 && !b.h.VariableChunks {
		b.h.ChunkSize = int32(n)
	}
}
