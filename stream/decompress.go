package stream

import (
	"bytes"
	"io"
	"slices"
	"sync"
)

// Decompress appends the bytes that the frames in src hold to dst, and returns
// the extended slice. dst may be nil, and must not overlap src. src is one
// frame or several in a row; anything else after the last one results in
// blosc2.ErrTrailing, unless AllowTrailing or SingleFrame is given. On error it
// returns dst unchanged.
//
// The options are those of NewReader. The result may be much larger than src:
// if src is not trusted, set a limit with Limits(frame.Limits{Total: n}). A
// larger result returns blosc2.ErrTooLarge.
//
// Large inputs are decompressed by several goroutines, unless Workers(1) is
// given; all have ended when Decompress returns. Decompress may be called by
// several goroutines concurrently, and keeps its buffers for later calls, until
// a garbage collection.
func Decompress(dst, src []byte, opts ...ReaderOption) ([]byte, error) {
	cfg := defaultReader()
	if len(opts) > 0 {
		cfg = readerOptions(opts)
	}
	u, _ := unpackers.Get().(*unpacker)
	if u == nil {
		u = new(unpacker)
		u.r.dec = &decoder{started: u.r.decoding}
	}
	dst, err := u.decompress(dst, src, cfg)
	if err == nil { // otherwise workers may still refer to parts of src and dst
		unpackers.Put(u)
	}
	return dst, err
}

// An unpacker holds the buffers of one call of Decompress.
type unpacker struct {
	r   Reader
	src bytes.Reader
}

var unpackers sync.Pool

func (u *unpacker) decompress(dst, src []byte, cfg readerConfig) ([]byte, error) {
	r := &u.r
	if err := cfg.check(); err != nil {
		return dst, err
	}
	if r.cfg.limits != cfg.limits { // memory allocated for other limits
		r.seek, r.spare, r.dec.workers = seekSource{}, nil, nil
	}
	r.cfg = cfg
	u.src.Reset(src)
	r.closed.Store(false)
	r.init(&u.src)
	r.seek.memory = src
	out, err := r.appendAll(dst)
	r.Close()
	u.src.Reset(nil)
	r.cfg.common = common{} // do not retain the caller's memory
	r.seek.forget()
	r.dec.single.data, r.dec.single.item.Chunk, r.dec.ctx = nil, nil, nil
	if err != nil {
		return dst, err
	}
	return out, nil
}

// appendAll appends all data to dst.
func (r *Reader) appendAll(dst []byte) (all []byte, err error) {
	r.guarded(func() { all, err = r.appendChunks(dst) })
	return all, err
}

func (r *Reader) appendChunks(dst []byte) ([]byte, error) {
	h, err := r.header()
	if err != nil {
		return dst, err
	}
	dst = slices.Grow(dst, firstRoom(h.NBytes, r.seek.size, r.cfg.limits.Total))
	for {
		n, err := r.advance(dst[len(dst):cap(dst)])
		switch {
		case err == io.EOF:
			return dst, nil
		case err != nil:
			return dst, err
		}
		dst = append(dst[:len(dst)+n], r.data...)
		r.data = nil
	}
}

// atOnce is the most memory that is allocated on the evidence of a header: so
// much that all but huge frames need one allocation. More is allocated as data arrive.
const atOnce = 1 << 30

// firstRoom returns how much memory to allocate at first for a frame of size
// bytes that holds nbytes according to its header, up to limit if that is not
// 0. It is proportional to the frame, whatever the header states.
func firstRoom(nbytes, size, limit int64) int {
	if limit > 0 {
		nbytes = min(nbytes, limit)
	}
	if size < atOnce/plausible {
		nbytes = min(nbytes, plausible*size)
	}
	return int(max(min(nbytes, atOnce), 0))
}

// plausible is the largest ratio of data to frame for which all memory is
// allocated at first. It is the best ratio of lz4, of whose matches each byte of
// length adds 255 bytes.
const plausible = 256
