package frame

import (
	"encoding/binary"
	"errors"
	"io"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/internal/fsio"
	"github.com/seed03b80dae/blosc2/meta"
)

// Workers sets the number of goroutines that Verify uses for decoding. 0, which is the
// default, and 1 start none. A negative number returns a *blosc2.OptionError.
func Workers(n int) Option { return func(c *config) { c.jobs = n } }

// Progress makes Verify, Repair, Compact, CompactFile, Renew and RenewFile call f from
// time to time. They pass the number of stored bytes processed so far and the total. f is
// called in the goroutine that called the function.
func Progress(f func(done, total int64)) Option { return func(c *config) { c.report = f } }

// Verify checks the frames in a source of size bytes: headers, records, indexes,
// trailers, the consistency of their sizes, and every chunk, by its digest and by
// decoding it. The Report lists the faults. A fault is not an error: the error is nil
// unless the check itself failed. A frame that a writer continues meanwhile is checked by
// the index that it had before. The options are Workers, Progress and WithLimits.
func Verify(r io.ReaderAt, size int64, opts ...Option) (*Report, error) {
	if err := framing.Need(r != nil, "source", "an io.ReaderAt"); err != nil {
		return nil, err
	}
	cfg := newConfig(opts)
	if err := cfg.checkJobs(); err != nil {
		return nil, err
	}
	rep := &Report{Records: true}
	for off := int64(0); ; {
		rep.Frames++
		f, err := Open(fsio.Rest(r, off), size-off, WithLimits(cfg.limits), AllowTorn())
		if err == nil {
			size = off + f.size // the writer may have continued the frame meanwhile
		}
		src := io.NewSectionReader(r, off, size-off)
		v := &verifier{rep: rep, cfg: cfg, f: f, base: off, total: size}
		var n int64
		h := new(header.Header)
		if err != nil {
			v.fault(err)
			if err := v.walk(src); err != nil { // check the part before the fault too
				return rep, err
			}
			if n = statedLen(src); n == 0 || !frameAt(src, n) {
				return rep, nil
			}
		} else {
			if err := v.frame(src); err != nil {
				return rep, err
			}
			n, h = f.FrameLen(), f.h
		}
		off += n
		next, err := Follows(h, io.NewSectionReader(r, 0, size), off)
		if isTrailing(err) {
			if f == nil || !f.headerChanged() { // otherwise the frame ends elsewhere by now
				v.fault(err)
			}
		} else if err != nil {
			return rep, err
		}
		if !next {
			rep.Trailing = size - off
			return rep, nil
		}
	}
}

// statedLen returns the length that the header of a frame states, which may be wrong. It
// returns 0 if there is no header.
func statedLen(r io.ReaderAt) int64 {
	var b [header.MinPrefix]byte
	if n, _ := r.ReadAt(b[:], 0); n < len(b) {
		return 0
	}
	if _, err := header.Size(b[:]); err != nil {
		return 0
	}
	return int64(binary.BigEndian.Uint64(b[16:]))
}

// Verify checks only this frame, and none after it: see the function Verify.
func (f *Reader) Verify(opts ...Option) (*Report, error) {
	cfg := newConfig(opts)
	if err := cfg.checkJobs(); err != nil {
		return nil, err
	}
	v := &verifier{rep: &Report{Records: true, Frames: 1}, cfg: cfg, f: f, total: f.size + f.cbytes}
	return v.rep, v.frame(io.NewSectionReader(f.src, 0, f.size))
}

func (c *config) checkJobs() error {
	if c.jobs < 0 {
		return &blosc2.OptionError{Option: "workers", Value: c.jobs, Range: "0 or more"}
	}
	return nil
}

// A verifier checks one frame.
type verifier struct {
	rep   *Report
	cfg   config
	f     *Reader // nil if the frame could not be opened
	base  int64   // offset of the frame
	total int64   // stored bytes of all frames

	blocks int64 // bytes of a block of the array; 0 if the frame holds none
	other  bool  // the last chunk has other blocks
}

func (v *verifier) fault(err error) { v.rep.fault(v.rep.Frames-1, err) }

// frame checks a frame that could be opened. If possible it walks the frame, which also
// finds faults in chunks that are no longer in an index. An open frame is checked by its
// index, up to the last flush of its writer.
func (v *verifier) frame(src *io.SectionReader) error {
	f := v.f
	v.rep.Records = v.rep.Records && (f.mark.checks || f.NumChunks() == 0 && f.mark.holds)
	v.rep.NBytes += f.Size()
	v.rep.Chunks += f.NumChunks()
	if f.mark.open {
		v.rep.Open++
		if y := f.rows; y != nil { // its chunks have their full size as soon as they hold a row
			v.rep.Flushed += (f.nrows - rowsOf(f.h).stated) * y.row()
		} else {
			v.rep.Flushed += f.Size() - max(f.h.NBytes, 0)
		}
	} else if f.torn() {
		v.fault(f.end)
	}
	if l := f.lost; l != nil && !l.committed { // the index covers the committed part
		v.fault(l.err)
	}
	if f.mark.order == Unsealed {
		v.rep.Unsealed++
	}
	if _, err := f.VLMetalayers(); err != nil {
		v.fault(err)
	}
	if b, ok := f.Metalayer(meta.B2NDName); ok {
		desc, err := meta.ParseB2ND(b)
		if err != nil {
			v.fault(err)
		} else {
			v.blocks = blockBytes(desc, int64(f.h.TypeSize))
		}
	}
	if f.NumChunks() > 0 {
		if _, _, err := f.extent(0); err != nil { // extent returns the error about inconsistent sizes
			v.fault(err)
		}
	}
	faults := len(v.rep.Faults)
	if f.mark.order != ByIndex && !f.mark.open {
		checked := *v.rep
		err := v.walk(src)
		if err != nil || len(v.rep.Faults) == faults {
			return err
		}
		v.rep.Checked, v.rep.Unchecked, v.rep.Superseded, v.rep.OtherBlocks = checked.Checked, checked.Unchecked, checked.Superseded, checked.OtherBlocks
		if f.headerChanged() { // the faults are those of bytes that a writer has changed since
			v.rep.Faults = v.rep.Faults[:faults]
		}
	}
	return v.byIndex()
}

// walk checks the chunks of a frame front to back, up to the first fault that prevents
// continuing.
func (v *verifier) walk(src *io.SectionReader) error {
	if v.f != nil && v.f.mark.order == ByIndex {
		return nil
	}
	w := NewWalker(io.NewSectionReader(src, 0, src.Size()), WithLimits(v.cfg.limits), SingleFrame())
	if _, err := w.Header(); err != nil {
		v.fault(err)
		return nil
	}
	return v.chunks(func(buf []byte) (Item, error) {
		it, err := w.Next(buf)
		if err != nil && err != io.EOF {
			v.fault(err)
			err = io.EOF
		}
		return it, err
	})
}

// byIndex checks the chunks that are in the index.
func (v *verifier) byIndex() error {
	n := int64(-1)
	return v.chunks(func(buf []byte) (Item, error) {
		for n++; n < v.f.NumChunks(); n++ {
			it, err := v.f.fetch(buf, n)
			for try := 0; try < openTries && errors.Is(err, blosc2.ErrChanged); try++ {
				it, err = v.fetchNow(buf, n)
			}
			if err == nil {
				v.rep.Trailing += v.f.surplusOf(n, int64(len(it.Chunk)))
				return it, nil
			}
			v.fault(err)
		}
		return Item{}, io.EOF
	})
}

// fetchNow reads the current chunk n of a frame that a writer has continued since it was
// opened.
func (v *verifier) fetchNow(buf []byte, n int64) (Item, error) {
	f, err := v.f.Refresh(v.f.sizeNow())
	if err != nil {
		return Item{}, err
	}
	if n >= f.NumChunks() {
		return Item{}, blosc2.At(errChanged(), n, -1)
	}
	return f.fetch(buf, n)
}

// done counts a chunk that was checked.
func (v *verifier) done(t *task) {
	switch {
	case t.err != nil:
		v.fault(t.err)
	case t.it.Checked:
		v.rep.Checked++
	default:
		v.rep.Unchecked++
	}
	if t.it.Skip > 0 { // do not count the chunk that this one replaces
		v.rep.Superseded++
		if t.it.Checked {
			v.rep.Checked--
		} else {
			v.rep.Unchecked--
		}
	}
	v.compareBlocks(t)
	v.cfg.reported(t.it, v.base, v.total)
}

// compareBlocks counts a chunk of an array that has other blocks than the array, in place of the
// chunk that it replaces.
func (v *verifier) compareBlocks(t *task) {
	if t.it.Skip > 0 && v.other {
		v.rep.OtherBlocks--
	}
	v.other = false
	if v.blocks == 0 || t.err != nil {
		return
	}
	h, err := chunk.ParseHeader(t.it.Chunk)
	if v.other = err == nil && h.Special() == chunk.NotSpecial && int64(h.BlockSize) != v.blocks; v.other {
		v.rep.OtherBlocks++
	}
}

// blockBytes returns the size of the blocks of an array, in bytes. Items of more than 255 bytes
// have a typesize of 1.
func blockBytes(desc *meta.B2ND, typesize int64) int64 {
	n := typesize
	if d, err := meta.ParseDType(desc.DType); err == nil && typesize == 1 {
		n = max(int64(d.Size), 1)
	}
	for _, items := range desc.BlockShape {
		n *= int64(items)
	}
	return n
}
