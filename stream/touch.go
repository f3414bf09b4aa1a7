package stream

import "github.com/seed03b80dae/blosc2/tune"

// touch makes the pages of the memory for a first chunk present while the caller searches for
// its parameters: those of its compressed form, and those of the chunk from byte held on, into
// which nothing was read yet. The caller must call wait before it uses either.
//
// The first access to a page of new memory is a page fault, in which the system clears the
// page, or 2 MiB with transparent huge pages. In a process that compresses 1 to 4 MB these
// take longer than it takes to start another goroutine. docs/search.md has the effect, which
// the section process of bench measures. It can be removed once a search keeps all processors
// busy, as one for Archive does.
func (w *Writer) touch(held int) (wait func()) {
	e, t, n := w.coder, &w.cur.Value, w.cfg.chunkSize
	size := roomFor(n)
	s, ok := w.sink.(*memSink)
	inPlace := ok && s.room(size) != nil // see place
	if e.used || e.inline() || e.cfg.lent || inPlace || n > mostTouched || w.cfg.aim == tune.Archive || cap(t.out) >= size {
		return func() {}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		t.out = make([]byte, 0, size)
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

// mostTouched is the length of the longest chunk whose memory is touched. That of a longer one
// takes longer than a search, and the compressed chunk may need little of it.
const mostTouched = 4 << 20
