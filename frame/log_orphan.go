package frame

// A failure of power can lose what was flushed and keep what was flushed after
// it. appendLog goes on before the first loss. What is after that belongs to the
// frame no longer, and must not be found again when the writer comes near it
// with other bytes. So the log destroys the beginning of whatever may be at the next
// place of a chunk or of an open chunk before that place can be reached.

// clear destroys the beginning of what was at a place when the file was opened.
// A place that is in use holds nothing that could be found.
func (l *chunkLog) clear(at int64) error {
	s := span64{at, at + recordLen}
	if at >= l.found || l.pinned(s) || l.open != nil && s.meets(l.open.span()) || l.short != nil && s.meets(l.short.span64) {
		return nil
	}
	return l.write(make([]byte, recordLen), at)
}

// clearOpen does so with the place of the open chunk or slab while the next chunk
// belongs at a place. n is the number of that chunk.
func (l *chunkLog) clearOpen(next, n int64) error {
	size := int64(l.b.h.ChunkSize)
	switch y := l.rows; {
	case size <= 0 || l.b.h.VariableChunks || y != nil && n%y.chunks != 0:
		return nil
	case y != nil:
		return l.clear(y.place(next, l.sealedTail()))
	}
	return l.clear(openPlace(next, size, l.sealedTail()))
}
