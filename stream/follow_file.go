package stream

import (
	"bytes"
	"errors"
	"io"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/internal/fsio"
	"github.com/seed03b80dae/blosc2/internal/watch"
)

// open opens the frame that begins at base in a file.
func (f *Follower) open(file *watch.File, base int64) (*frame.Reader, error) {
	size, err := file.Size()
	if err != nil {
		return nil, err
	}
	if fresh, err := framing.Unborn(fsio.Rest(file, base), size-base); fresh || err != nil {
		return nil, err
	}
	r, err := frame.Open(fsio.Rest(file, base), size-base, frame.AllowTorn(), frame.CheckWhole(), frame.WithLimits(f.cfg.limits))
	if err != nil {
		return nil, err
	}
	return r, refuseArray(r.Header().Layers)
}

// look checks the file for new data, and reports whether to read or look again;
// false means to wait.
func (f *Follower) look() (bool, error) {
	if f.r != nil && f.at < f.r.Size() && !f.retry.Failing() {
		return true, nil // deliver known data first, because a Refresh takes longer with more chunks
	}
	if f.file == nil {
		file, err := watch.Open(f.path)
		if file == nil {
			return false, err
		}
		f.file = file
		f.watch.Add(file)
	}
	replaced := f.file.Replaced(f.path) // checked before the last look at the old file, so that nothing is missed
	if err := f.refresh(); err != nil {
		return false, err
	}
	if f.r != nil && f.at < f.r.Size() {
		return true, nil
	}
	if f.r != nil && f.r.Lost() != nil {
		return false, f.r.Lost()
	}
	if f.r != nil && f.closed() {
		switch another, err := frame.Follows(f.r.Header(), fsio.Rest(f.file, f.base), f.r.FrameLen()); {
		case another:
			f.base += f.r.FrameLen()
			f.begin()
			return true, nil
		case err != nil && !errors.Is(err, io.ErrUnexpectedEOF): // io.ErrUnexpectedEOF means that the next frame has just begun
			return false, err
		case err == nil && !f.cfg.keep:
			return false, io.EOF
		}
	}
	if replaced {
		return f.follow()
	}
	return false, nil
}

// begin makes the Follower begin with a frame.
func (f *Follower) begin() { f.r, f.at, f.lead, f.trail = nil, 0, nil, nil }

// closed reports whether the writer has finished the frame.
func (f *Follower) closed() bool {
	if f.r.Open() {
		return false
	}
	_, err := f.r.Item(nil, f.r.NumChunks())
	return err == io.EOF
}

// refresh sets f.r to the current frame, or to nil while its header is incomplete.
func (f *Follower) refresh() error {
	if f.r == nil {
		r, err := f.open(f.file, f.base)
		if r == nil || err != nil {
			return err
		}
		return f.take(r)
	}
	r, err := f.r.Refresh(-1)
	if err != nil {
		return err
	}
	if r.Header() == f.r.Header() { // the writer has only flushed
		f.r = r
		return nil
	}
	return f.take(r)
}

// take continues with r, which may be a different frame.
func (f *Follower) take(r *frame.Reader) error {
	ok, err := f.continues(r)
	if err != nil {
		return err
	}
	if !ok && (len(f.lead) == 0 || !f.cfg.keep || f.hasAt(r, f.lead, 0)) {
		return blosc2.Errorf(blosc2.PartChunk, blosc2.ErrChanged, "the first %d bytes have changed since they were delivered", f.at)
	}
	if !ok {
		if f.retry.Doubtful() {
			return blosc2.Errorf(blosc2.PartChunk, blosc2.ErrChanged, "the file was replaced")
		}
		f.begin()
	}
	f.r = r
	return nil
}

// continues reports whether r begins with the delivered bytes.
func (f *Follower) continues(r *frame.Reader) (bool, error) {
	return holds(r, f.trail, f.at-int64(len(f.trail)))
}

// holds reports whether r holds b at off.
func holds(r *frame.Reader, b []byte, off int64) (bool, error) {
	if len(b) == 0 {
		return true, nil
	}
	if r.Size() < off+int64(len(b)) {
		return false, nil
	}
	have := make([]byte, len(b))
	if n, err := r.ReadAt(have, off); n < len(b) {
		return false, err
	}
	return bytes.Equal(have, b), nil
}

// hasAt reports whether r holds b at off, as far as it can be read.
func (f *Follower) hasAt(r *frame.Reader, b []byte, off int64) bool {
	have := make([]byte, len(b))
	n, _ := r.ReadAt(have, off)
	return bytes.Equal(have[:n], b[:n])
}

// follow switches to the file that is now at the path, if KeepFollowing is set.
func (f *Follower) follow() (bool, error) {
	file, err := watch.Open(f.path)
	if file == nil {
		return false, err
	}
	r, err := f.open(file, 0)
	copied := false
	if err == nil && r != nil && f.base == 0 {
		copied, err = f.continues(r)
	}
	if err != nil || !copied && !f.cfg.keep {
		file.Close()
		if !f.cfg.keep { // the contents of the new file do not matter
			err = nil
		}
		return false, err
	}
	f.drop()
	f.file = file
	f.watch.Add(file)
	if !copied {
		f.base = 0
		f.begin()
	}
	f.r = r
	return true, nil
}
