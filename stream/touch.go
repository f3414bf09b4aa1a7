package stream

// touch makes the pages of the memory for a first chunk present while the caller searches for
// its parameters: those of its compressed form, and those of the chunk from held bytes to n,
// into which nothing was read yet. The caller must call wait before it uses either.
//
// The first access to a page of new memory is a page fault, in which the system clears the
// page, or 2 MiB with transparent huge pages. In a process that compresses 1 to 4 MB these
// take longer than it takes to start another goroutine, for which there is a processor during
// the search. docs/search.md has the effect, which the section process of bench measures. It
// may go when searches keep all processors busy.
func (e *encoder) touch(t *task, held, n int) (wait func()) {
	if e.used || e.inline() || e.cfg.lent || t.into != nil || cap(t.out) >= roomFor(n) {
		return func() {}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		t.out = make([]byte, 0, roomFor(n))
		const page = 4 << 10 // larger pages are touched more than once
		for out, i := t.out[:cap(t.out)], 0; i < len(out); i += page {
			out[i] = 0
		}
		for i := held; i < min(n, cap(t.buf)); i += page {
			t.buf[:cap(t.buf)][i] = 0
		}
	}()
	return func() { <-done }
}
