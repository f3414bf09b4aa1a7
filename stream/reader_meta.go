package stream

import (
	"errors"
	"fmt"
	"io"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/meta"
)

// Header returns the header of the frame from which the last bytes were decoded, at
// first that of the first frame, reading it if necessary. It must not be changed.
func (r *Reader) Header() (h *header.Header, err error) {
	r.guarded(func() { h, err = r.header() })
	return h, err
}

func (r *Reader) header() (*header.Header, error) {
	if r.h == nil {
		if err := r.open(); err != nil {
			return nil, err
		}
	}
	return r.h, nil
}

// Metalayers returns the metalayers of the frame of Header. They must not be
// changed.
func (r *Reader) Metalayers() ([]meta.Layer, error) {
	h, err := r.Header()
	if err != nil {
		return nil, err
	}
	return h.Layers, nil
}

// Metalayer returns the value of a metalayer, which must not be changed. ok is
// false if there is none of that name, or the header cannot be read.
func (r *Reader) Metalayer(name string) (value []byte, ok bool) {
	layers, _ := r.Metalayers()
	return meta.Find(layers, name)
}

// learnVLMeta stores the vlmetalayers if the source has read them.
func (r *Reader) learnVLMeta() {
	if layers, known, err := r.src.VLMeta(); known {
		r.vlmeta = vlmeta{layers, known, err}
	}
}

// VLMetalayers returns the vlmetalayers of the last frame that was read to its end; those
// of a frame that is read by its index are known when it is open. Before that it returns
// blosc2.ErrNotSequential, because vlmetalayers are stored after the chunks.
func (r *Reader) VLMetalayers() ([]meta.Layer, error) {
	if !r.vlmetaKnown() {
		if _, err := r.Header(); err != nil {
			return nil, err
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.vlmeta.known {
		return nil, fmt.Errorf("%w: vlmetalayers come after the chunks, which were not all read", blosc2.ErrNotSequential)
	}
	return r.vlmeta.layers, r.vlmeta.err
}

// VLMeta returns the value of one vlmetalayer; ok is false if there is none of
// that name. Errors are those of VLMetalayers.
func (r *Reader) VLMeta(name string) (value []byte, ok bool, err error) {
	layers, err := r.VLMetalayers()
	value, ok = meta.Find(layers, name)
	return value, ok, err
}

func (r *Reader) vlmetaKnown() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.vlmeta.known
}

// Trailing returns, after Read has returned io.EOF or blosc2.ErrTrailing and
// until Close, a reader of the bytes after the last frame in the source, which
// was read no further; nil if there are none.
func (r *Reader) Trailing() io.Reader {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != io.EOF && !errors.Is(r.err, blosc2.ErrTrailing) || r.closed.Load() {
		return nil
	}
	r.spare = nil // the caller reads from the source, so its memory must not be reused
	return r.src.Trailing()
}

// Stats returns the statistics so far. It may be called by any goroutine.
func (r *Reader) Stats() Stats { return r.stats.get() }
