package stream

import "errors"

// errPanicked is the error of a Writer or Reader after a panic in the goroutine
// of its caller: of the sink or the source, a callback, a codec or a filter.
var errPanicked = errors.New("blosc2: a panic ended the stream")

// guarded calls f, which calls foreign code. If that code panics or exits the
// goroutine, guarded ends the Writer and releases its resources. The panic continues.
func (w *Writer) guarded(f func()) {
	returned := false
	defer func() {
		if !returned {
			w.abort(errPanicked)
			w.coder = new(encoder) // the old encoder's codecs may be in an invalid state
		}
	}()
	f()
	returned = true
}

// guarded is like that of a Writer. It holds the lock of the Reader.
func (r *Reader) guarded(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	returned := false
	defer func() {
		if !returned && r.err == nil {
			r.fail(errPanicked)
			r.renew()
		}
	}()
	f()
	returned = true
}

// renew replaces the decoder, whose codecs may be in an invalid state.
func (r *Reader) renew() {
	d := r.dec
	r.dec = &decoder{cfg: d.cfg, src: d.src, mayBlock: d.mayBlock, memory: d.memory, started: d.started}
}
