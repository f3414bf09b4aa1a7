package frame

// A power failure can lose flushed data and keep data that were flushed later. appendLog
// continues before the first loss. The later data are then no longer part of the frame,
// and must not be found again when the writer reaches them. So before the log writes at
// the offset of a chunk or an open chunk, it destroys the beginning of the bytes that are
// there.

// clear destroys the beginning of the bytes that were at an offset when the file was
// opened. It leaves an offset that is in use.
func (l *chunkLog) clear(at int64) error {
	s := span64{at, at + recordLen}
	if at >= l.found || l.pinned(s) || l.open != nil && s.meets(l.open.span()) || l.short != nil && s.meets(l.short.span64) {
		return nil
	}
	return l.write(make([]byte, recordLen), at)
}

// clearOpen does what clear does at the offset of the open chunk or slab for chunk n. The
// finished form of that chunk will be at the given offset.
func (l *chunkLog) clearOpen(next, n int64) error {
	size := int64(l.b.h.ChunkSize)
	if y := l.rows; size <= 0 || l.b.h.VariableChunks || y != nil && n%y.chunks != 0 {
		return nil
	}
	return l.clear(placeAfter(next, size, l.rows, l.sealedTail()))
}
