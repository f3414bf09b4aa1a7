package frame

// Keep leaves the bytes of Pending in their chunk, which remains short. The next chunk
// follows it, so the frame gets a variable chunk size. Keep does nothing if Unfinished
// returns true.
func (l *chunkLog) Keep() error {
	if l.short == nil || l.Unfinished() {
		return nil
	}
	if err := l.b.add(l.short.nbytes, l.short.start-l.b.headerLen); err != nil {
		return err
	}
	l.b.pos, l.short = l.short.end, nil
	return nil
}
