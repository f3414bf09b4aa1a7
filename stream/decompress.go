package stream

import (
	"bytes"
	"io"
	"slices"
	"sync"
)

// Decompress appends the bytes that the frames in src hold to dst, and returns
// the extended slice. dst may be nil, and must not overlap src. src is one frame
// or several in a row; anything else after the last one is blosc2.ErrTrailing,
// unless AllowTrailing or SingleFrame is given. With an error dst is returned as
// it was.
//
// The options are those of NewReader. The result may be very much larger than
// src: where src is not to be trusted, give a limit with
// Limits(frame.Limits{Total: n}). What is larger is blosc2.ErrTooLarge.
//
// Large inputs are decompressed by several goroutines, unless Workers(1) is
// given; all have ended when Decompress returns. Decompress may be called by
// several goroutines at once, and keeps its buffers for later calls, until the
// garbage collector takes them.
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
	unpackers.Put(u)
	return dst, err
}

// An unpacker is what one call of Decompress needs.
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
	if r.cfg.limits != cfg.limits { // memory that was made for others
		r.seek, r.spare, r.dec.workers = seekSource{}, nil, nil
	}
	r.cfg = cfg
	u.src.Reset(src)
	r.closed.Store(false)
	r.init(&u.src)
	out, err := r.appendAll(dst)
	r.Close()
	u.src.Reset(nil)
	r.cfg.common = common{} // nothing of the caller's is kept
	r.dec.single.data, r.dec.ctx = nil, nil
	if err != nil {
		return dst, err
	}
	return out, nil
}

// appendAll appends all that there is to dst.
func (r *Reader) appendAll(dst []byte) ([]byte, error) {
	r.mu.Lock()
	returned := false
	defer r.leave(&returned)
	dst, err := r.appendChunks(dst)
	returned = true
	return dst, err
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

// atOnce is the most memory that is made because a header says so. More is made
// as the data come.
const atOnce = 1 << 30

// firstRoom returns how much memory is made at first for a frame of size bytes
// whose header says that it holds nbytes, with a limit if that is not 0. A header
// alone cannot ask for more than is in proportion to the frame.
func firstRoom(nbytes, size, limit int64) int {
	if limit > 0 {
		nbytes = min(nbytes, limit)
	}
	if size < atOnce/plausible {
		nbytes = min(nbytes, plausible*size)
	}
	return int(max(min(nbytes, atOnce), 0))
}

// plausible is how many times the size of a frame its data may be for memory to
// be made for them at once: as many as lz4 can make.
const plausible = 256
