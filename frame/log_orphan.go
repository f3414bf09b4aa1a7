package frame

// A power failure can lose flushed data and keep later data. appendLog continues
// before the first loss. The later data are no longer part of the frame, and must
// not be found again when the writer reaches them. So the log destroys the
// beginning of whatever is at the next offset of a chunk or an open chunk before it
// gets there.

// clear destroys the beginning of the bytes that were at an offset when the file
// was opened. At an offset in use there is nothing to be found.
func (l *chunkLog) clear(at int64) error {
	s := span64{at, at + recordLen}
	if at >= l.found || l.pinned(s) || l.open != nil && s.meets(l.open.span()) || l.short != nil && s.meets(l.short.span64) {
		return nil
	}
	return l.write(make([]byte, recordLen), at)
}

// clearOpen does the same at the offset of the open chunk or slab of the next
// chunk, which is chunk n at the given offset.
func (l *chunkLog) clearOpen(next, n int64) error {
	size := int64(l.b.h.ChunkSize)
	if y := l.rows; size <= 0 || l.b.h.VariableChunks || y != nil && n%y.chunks != 0 {
		return nil
	}
	return l.clear(placeAfter(next, size, l.rows, l.sealedTail()))
}
