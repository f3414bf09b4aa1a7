package stream

import "errors"

// errPanicked is the error of a Writer or Reader after a panic in the goroutine
// of its caller: of the sink or the source, a callback, a codec or a filter.
var errPanicked = errors.New("blosc2: a panic ended the stream")

// guard is deferred by the methods of a Writer that call foreign code. If that
// code panics or exits the goroutine, guard ends the Writer and releases its
// resources. The panic continues.
func (w *Writer) guard(returned *bool) {
	if !*returned {
		w.abort(errPanicked)
		w.coder = new(encoder) // the old encoder's codecs may be in an invalid state
	}
}

// leave is like guard, for a Reader, which it also unlocks.
func (r *Reader) leave(returned *bool) {
	defer r.mu.Unlock()
	if !*returned && r.err == nil {
		r.fail(errPanicked)
		r.renew()
	}
}

// renew replaces the decoder, whose codecs may be in an invalid state.
func (r *Reader) renew() {
	d := r.dec
	r.dec = &decoder{cfg: d.cfg, src: d.src, mayBlock: d.mayBlock, memory: d.memory, started: d.started}
}
