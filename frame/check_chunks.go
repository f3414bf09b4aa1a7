package frame

import (
	"cmp"
	"context"
	"errors"
	"io"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/workpool"
)

// A task is a chunk to check.
type task struct {
	it    Item
	buf   []byte
	err   error
	parts []error // the errors of the workers that decode its parts
}

// A checker checks chunks. It has a decoder for each worker.
type checker struct {
	lim     Limits
	workers []checkWorker
	pool    *workpool.Pool[task] // nil if there is only one worker
	part    func(worker int, t *task, part int)
}

type checkWorker struct {
	dec chunk.Decoder
	h   *header.Header // the header for which dec is set up
}

func newChecker(cfg *config) *checker {
	return &checker{lim: cfg.limits, workers: make([]checkWorker, max(cfg.jobs, 1))}
}

// check compares a chunk with its digest and decodes it.
func (c *checker) check(worker int, t *task) error {
	if t.err = nil; t.it.Offset < 0 {
		return nil // a chunk that is only an entry of the index is always valid
	}
	if t.err = t.it.Verify(); t.err == nil && !c.share(worker, t) {
		c.checkPart(worker, t, 0)
	}
	if t.err == nil {
		t.err = blosc2.At(cmp.Or(cmp.Or(t.parts...), misstored(&t.it)), t.it.N, t.it.Offset)
	}
	return nil
}

// misstored returns the error for a special chunk that should be only an entry of the
// index. C-Blosc2 fails to read it, because it expects blocks in a chunk from a file.
func misstored(it *Item) error {
	h, err := chunk.ParseHeader(it.Chunk)
	if err != nil || !bare(h.Special()) || it.Header.Type != header.Contiguous {
		return err
	}
	return blosc2.Errorf(blosc2.PartChunk, blosc2.ErrUnsupported, "special chunk (%s) among the stored ones, which C-Blosc2 cannot read from a file; compact rewrites it", h.Special())
}

// shareMin is the size of the smallest chunk that several workers share: that of a default
// chunk. There are usually enough shorter ones for all workers.
const shareMin = 1 << 20

// share checks a large chunk with the help of idle workers.
func (c *checker) share(worker int, t *task) bool {
	n := 1
	if c.pool != nil && t.it.NBytes >= shareMin {
		n = 2 * c.pool.Workers()
	}
	if cap(t.parts) < n {
		t.parts = make([]error, n)
	}
	t.parts = t.parts[:n]
	clear(t.parts)
	if n > 1 && c.pool.Share(worker, t, n, c.part) {
		return true
	}
	t.parts = t.parts[:1]
	return false
}

// checkPart decodes one part of a chunk.
func (c *checker) checkPart(worker int, t *task, part int) {
	w := &c.workers[worker]
	if w.h != t.it.Header {
		w.h = t.it.Header
		setUp(&w.dec, w.h, c.lim)
	}
	t.parts[part] = w.dec.CheckPart(t.it.Chunk, part, len(t.parts))
}

// chunks checks the chunks that next returns, until next returns io.EOF.
func (v *verifier) chunks(next func(buf []byte) (Item, error)) (err error) {
	c := newChecker(&v.cfg)
	if v.cfg.jobs <= 1 {
		var t task
		for {
			it, err := next(t.buf)
			if err != nil {
				return ended(err)
			}
			t.it, t.buf = it, it.Chunk[:0]
			c.check(0, &t)
			v.done(&t)
		}
	}
	pool := workpool.New(v.cfg.jobs, v.cfg.jobs+workpool.Spare, c.check)
	c.pool, c.part = pool, c.checkPart
	pool.Start(context.Background(), nil)
	defer func() {
		pool.Close()
		workpool.Raise(err)
	}()
	queued, last := 0, error(nil)
	for last == nil || queued > 0 {
		for last == nil && queued < pool.Jobs() {
			j, err := pool.Acquire()
			if err != nil {
				return err
			}
			j.Value.it, last = next(j.Value.buf)
			if last != nil {
				pool.Release(j)
				break
			}
			j.Value.buf = j.Value.it.Chunk[:0]
			pool.Submit(j)
			queued++
		}
		if queued > 0 {
			j, err := pool.Next()
			if err != nil {
				return err
			}
			v.done(&j.Value)
			pool.Release(j)
			queued--
		}
	}
	return ended(last)
}

// ended returns nil if err is io.EOF, and err otherwise.
func ended(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}
