package stream

import "github.com/seed03b80dae/blosc2/chunk"

// lentPart is the largest buffer for headers and tails that a Writer keeps if it
// borrows the others: enough for a header with a few metalayers, and small compared
// with the 6 KiB of a Conn.
const lentPart = 1 << 10

// room returns the memory of the current chunk, whose first w.fill bytes are
// kept, with room for some of n more. It has room for a whole chunk, unless the
// Writer borrows its memory: then it grows as needed.
func (w *Writer) room(t *task, n int) []byte {
	if !w.cfg.lent {
		return t.room(w.cfg.chunkSize)
	}
	need := min(w.fill+n, w.cfg.chunkSize)
	if cap(t.buf) < need {
		b := borrow(need)[:need]
		copy(b, t.buf[:w.fill])
		giveBack(t.buf)
		t.buf = b
	}
	t.buf = t.buf[:need]
	return t.buf
}

// encodeLent is like encode, with borrowed memory.
func (e *encoder) encodeLent(worker int, t *task) (err error) {
	if need := roomFor(len(t.src)); cap(t.out) < need {
		giveBack(t.out)
		t.out = borrow(need)
	}
	if e.pool != nil && len(t.src) >= shareMin {
		return e.compress(worker, t, t.out[:0])
	}
	b := benches.Get().(*bench)
	t.data, err = b.encode(t.out[:0], t.src, e.params(t), e.cfg.search)
	benches.Put(b) // not deferred, so that a bench is not reused after a panic
	return err
}

// encode encodes src into dst, with the best of several parameters if search is
// set.
func (b *bench) encode(dst, src []byte, p *chunk.Params, search bool) ([]byte, error) {
	if err := b.given.Reset(*p); err != nil {
		return dst, err
	}
	dst, err := b.given.Encode(dst, src)
	if err != nil || !search {
		return dst, err
	}
	return b.shortest(dst, src)
}

// rest releases the memory that a Writer does not need until the next Write.
func (w *Writer) rest() {
	if j := w.coder.single; j != nil {
		t := &j.Value
		giveBack(t.out)
		t.out = nil
		if w.fill == 0 {
			giveBack(t.buf)
			t.buf, t.src = nil, nil
		}
	}
	if cap(w.part) > lentPart {
		w.part = nil
	}
}
