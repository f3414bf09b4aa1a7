package stream

import (
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/tune"
)

// Auto has codec, level, filters and splitting chosen for an aim by the first
// chunk, whatever other options say of them; see package tune. The header
// records what was picked, unless a Flush sent it before there was a chunk to
// look at.
func Auto(aim tune.Aim) WriterOption {
	return writerOption(func(c *writerConfig) { c.aim = aim })
}

// choose looks at the first chunk of a stream, before any is compressed.
func (w *Writer) choose(sample []byte) error {
	if w.cfg.aim == 0 {
		return nil
	}
	p, err := tune.Choose(sample, w.cfg.chunk, w.cfg.aim)
	if err != nil {
		return w.abort(err)
	}
	w.cfg.chunk, w.cfg.aim = p, 0
	if err := w.coder.retune(p); err != nil {
		return w.abort(err)
	}
	return nil
}

// retune sets other parameters for all workers, none of which is at work.
func (e *encoder) retune(p chunk.Params) error {
	for i := range e.chunks {
		c, err := chunk.NewEncoder(p)
		if err != nil {
			return err
		}
		e.chunks[i] = c
	}
	e.retuned = true
	return nil
}
