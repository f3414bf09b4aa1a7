package reliabilitytest

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/stream"
)

var errBroken = errors.New("the disk is full")

// A disk is a file in memory that records its changes, so that the death of the
// process or a power failure can be simulated at any of them.
type disk struct {
	b   []byte
	pos int64
	log []change

	left   int   // number of calls that work; negative: all calls
	most   int64 // capacity of the disk in bytes, if not 0
	partly bool  // the call that fails writes half of its bytes
	short  bool  // that call returns no error
	failed bool  // a call has failed
}

// A change is a call that changed the file, or made its changes durable.
type change struct {
	off  int64
	b    []byte // nil: the file is truncated or extended to off bytes
	sync bool
}

func newDisk(b []byte) *disk { return &disk{b: bytes.Clone(b), left: -1} }

func apply(b []byte, c change) []byte {
	switch end := c.off + int64(len(c.b)); {
	case c.sync:
	case c.b == nil && end < int64(len(b)):
		b = b[:end]
	default:
		if n := int(end) - len(b); n > 0 {
			b = append(b, make([]byte, n)...)
		}
		copy(b[c.off:], c.b)
	}
	return b
}

// do makes a change or, if the disk must fail now, half of it or nothing.
func (d *disk) do(c change) (n int, err error) {
	if d.left == 0 || d.most > 0 && c.off+int64(len(c.b)) > d.most {
		d.failed = true
		switch {
		case !d.partly || len(c.b) < 2:
			return 0, errBroken
		case d.short:
			c.b = c.b[:len(c.b)/2] // no error is returned, which io.Writer forbids
		default:
			c.b, err = c.b[:len(c.b)/2], errBroken
		}
	} else {
		d.left--
	}
	d.log = append(d.log, c)
	d.b = apply(d.b, c)
	return len(c.b), err
}

func (d *disk) ReadAt(p []byte, off int64) (int, error) { return bytes.NewReader(d.b).ReadAt(p, off) }

func (d *disk) WriteAt(p []byte, off int64) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	return d.do(change{off: off, b: bytes.Clone(p)})
}

func (d *disk) Truncate(size int64) error {
	_, err := d.do(change{off: size})
	return err
}

func (d *disk) Sync() error {
	_, err := d.do(change{sync: true})
	return err
}

func (d *disk) Write(p []byte) (int, error) {
	n, err := d.WriteAt(p, d.pos)
	d.pos += int64(n)
	return n, err
}

func (d *disk) Seek(off int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		off += d.pos
	case io.SeekEnd:
		off += int64(len(d.b))
	}
	d.pos = off
	return off, nil
}

// killed calls f, for every k, with the file as left by a process that dies during
// change k: earlier changes are present, and change k is in part. With sectors, a write
// within a sector is done entirely or not at all, as in real systems; so is a write of
// the header, at base, within a page.
func (d *disk) killed(start []byte, sectors bool, base int64, f func(k int, b []byte)) {
	b := bytes.Clone(start)
	for k, c := range d.log {
		f(k, b)
		if len(c.b) > 1 && !(sectors && c.off%512+int64(len(c.b)) <= 512) && !(c.off == base && c.off%4096+int64(len(c.b)) <= 4096) {
			f(k, apply(bytes.Clone(b), change{off: c.off, b: c.b[:len(c.b)/2]}))
			f(k, apply(bytes.Clone(b), change{off: c.off, b: c.b[:len(c.b)-1]}))
		}
		b = apply(b, c)
	}
	f(len(d.log), b)
}

// powerCut calls f, for every k, with the file as it may be after a power failure
// during change k, in several variants. Unsynced changes are present or not, in any
// order, but a sector of 512 bytes is written entirely or not at all.
func (d *disk) powerCut(start []byte, ways int, rng *rand.Rand, f func(k int, b []byte)) {
	durable, pending := bytes.Clone(start), []change(nil)
	crash := func(k int) {
		for way := range ways {
			share := [...]float64{0, 1, 0.9, 0.5}[min(way, 3)]
			if way > 3 {
				share = rng.Float64()
			}
			lost := slices.Clone(pending)
			if way != 1 {
				rng.Shuffle(len(lost), func(i, j int) { lost[i], lost[j] = lost[j], lost[i] })
			}
			b := bytes.Clone(durable)
			for _, c := range lost {
				if rng.Float64() < share {
					b = apply(b, c)
				}
			}
			f(k, b)
		}
	}
	for k, c := range d.log {
		switch {
		case c.b != nil:
			pending = append(pending, sectors(c)...)
		case !c.sync:
			pending = append(pending, c)
		}
		crash(k)
		if c.sync {
			for _, p := range pending {
				durable = apply(durable, p)
			}
			pending = pending[:0]
		}
	}
	crash(len(d.log))
}

// sectors divides a write at multiples of 512.
func sectors(c change) (pieces []change) {
	for len(c.b) > 0 {
		n := min(512-int(c.off%512), len(c.b))
		pieces = append(pieces, change{off: c.off, b: c.b[:n]})
		c.off, c.b = c.off+int64(n), c.b[n:]
	}
	return pieces
}

// content returns the data of a frame or an array.
func content(kind string, b []byte, opts ...frame.Option) ([]byte, error) {
	f, err := frame.Open(bytes.NewReader(b), int64(len(b)), opts...)
	if err != nil {
		return nil, err
	}
	if strings.HasPrefix(kind, "array") {
		a, err := b2nd.FromFrame(f, b2nd.Workers(1))
		if err != nil {
			return nil, err
		}
		return a.ReadAll()
	}
	data := make([]byte, f.Size())
	n, err := f.ReadAt(data, 0)
	if err == io.ErrUnexpectedEOF || err == io.EOF {
		err = nil // reading a frame with an incomplete end returns these errors
	}
	return data[:n], err
}

// long makes a header that spans two sectors.
func long(on bool) []stream.WriterOption {
	if !on {
		return nil
	}
	return []stream.WriterOption{stream.Metalayer("long", pattern(0, 700))}
}

func promised(p []promise, k int) (size int64) {
	for _, p := range p {
		if p.at <= k {
			size = max(size, p.size)
		}
	}
	return size
}

// A history is the sequence of changes of a file in a run of a writer.
type history struct {
	*disk
	start []byte // contents of the file at the beginning
	base  int64  // offset of the frame
	held  int64  // number of decoded bytes that the frame held before

	flushed, committed []promise
}

func (h *history) flush(size int64) { h.flushed = append(h.flushed, promise{len(h.log), size}) }

func (h *history) commit(size int64) { h.committed = append(h.committed, promise{len(h.log), size}) }

// work writes more of the pattern, with occasional flushes and checkpoints. It reports
// numbers of bytes in multiples of unit.
func (h *history) work(t *testing.T, rng *rand.Rand, w session, at int64, unit int64) {
	t.Helper()
	whole := func() int64 { return at / unit * unit }
	for range 5 {
		n := rng.IntN(1500)
		_, err := w.Write(pattern(int(at), n))
		must(t, err)
		at += int64(n)
		switch rng.IntN(3) {
		case 0:
			must(t, w.Flush())
			h.flush(whole())
		case 1:
			must(t, w.Checkpoint())
			h.flush(whole())
			h.commit(whole())
		}
	}
	if n := unit - at%unit; n < unit {
		_, err := w.Write(pattern(int(at), int(n)))
		must(t, err)
		at += n
	}
	must(t, w.Close())
	h.flush(at)
}

// A session is an active writer: of a stream or an array.
type session interface {
	io.Writer
	Flush() error
	Checkpoint() error
	Close() error
}

// A promise is the number of bytes that the library has reported as safe since a
// certain change of the disk.
type promise struct {
	at   int
	size int64
}
