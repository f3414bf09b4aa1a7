package tree

import (
	"io"
	"sync"
)

const (
	tailRead  = 256 << 10 // the end of a zip, read at once: its directory and mostly embed.b2e
	aheadRead = 64 << 10  // what a small read brings with it, of a zip
	innerRead = 60 << 10  // the same of a member: no more than what follows its local header in that
	aheads    = 3         // how many of them are kept: begin, end, and what is read
)

// ahead makes small reads of a source that may be far away fewer: each brings
// what follows it, or the end of the source, and is kept for the next. Large
// reads go to the source.
type ahead struct {
	r    io.ReaderAt
	size int64
	tail int64 // what is from here on is read at once; 0 if nothing is
	step int64

	mu   sync.Mutex
	kept [aheads]piece
	next int
}

type piece struct {
	at int64
	b  []byte
}

func newAhead(r io.ReaderAt, size, tail, step int64) *ahead {
	return &ahead{r: r, size: size, tail: max(tail, 0), step: step}
}

// ReadAt implements io.ReaderAt.
func (a *ahead) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 || off >= a.size || int64(len(p)) >= a.step {
		return a.r.ReadAt(p, off)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, k := range a.kept {
		if off >= k.at && min(off+int64(len(p)), a.size) <= k.at+int64(len(k.b)) {
			return a.answer(p, k, off)
		}
	}
	from, n := off, a.step
	if a.tail > 0 && off >= a.tail {
		from, n = a.tail, a.size-a.tail
	} else if a.size-off < a.step { // the end: index and trailer are read together
		from = max(0, a.size-a.step)
	}
	k := &a.kept[a.next]
	a.next = (a.next + 1) % aheads
	n = min(n, a.size-from)
	if int64(cap(k.b)) < n {
		k.b = make([]byte, n)
	}
	k.at, k.b = from, k.b[:n]
	got, err := a.r.ReadAt(k.b, from)
	k.b = k.b[:got]
	if int64(got) < n {
		if err == nil || err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		*k = piece{}
		return 0, err
	}
	return a.answer(p, *k, off)
}

func (a *ahead) answer(p []byte, k piece, off int64) (int, error) {
	n := copy(p, k.b[off-k.at:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}
