package frame

import (
	"io"
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/meta"
)

// LeaveHoles makes Repair write a chunk that cannot be decoded in place of a lost
// one. By default a lost chunk is filled: with NaN if the items are known to be
// floating-point numbers, otherwise with zeros.
func LeaveHoles() Option { return func(c *config) { c.holes = true } }

// GuessOrder makes Repair look for chunks front to back even if nothing says
// that they are in order.
func GuessOrder() Option { return func(c *config) { c.guess = true } }

// Repaired is the result of Repair.
type Repaired struct {
	Frames int    // number of frames, in the source and in the new file
	Found  string // how the chunks of the last frame were found
	Mended bool   // a damaged header or record was corrected, and the result matches a digest
	Chunks int64  // chunks in the new file
	NBytes int64  // decoded bytes of these chunks, including lost ones
	Tail   int64  // number of chunks in the new file that were not committed
	Lost   []Lost

	Rebuilt bool // a damaged header was rebuilt from chunks, records and trailer
	Layers  bool // metalayers were lost: with a damaged header, or those after the sixteenth
	VLMeta  bool // vlmetalayers were lost: with a damaged trailer, or those after the sixteenth
	Cut     bool // a frame is truncated, and the number of missing bytes is unknown

	Corrupt []string // vlmetalayers whose values cannot be decoded; they are copied as they are
	Renamed []string // new names of metalayers and vlmetalayers whose names were invalid

	Trailing int64 // bytes after the last frame that do not begin a frame, and are not in the new file
}

// A Lost is a chunk that could not be recovered.
type Lost struct {
	Frame      int   // number of the frame in the file
	N          int64 // number of the chunk in its frame
	Start, End int64 // range of decoded bytes in the chunk; empty if unknown: the chunk is then omitted
	Err        error // the reason why the chunk is lost
}

// Saved returns the number of chunks in the new file that are not lost ones.
func (r *Repaired) Saved() int64 {
	n := r.Chunks
	for _, l := range r.Lost {
		if l.End > l.Start {
			n--
		}
	}
	return n
}

// LostBytes returns the number of decoded bytes in the lost chunks whose lengths are
// known.
func (r *Repaired) LostBytes() (n int64) {
	for _, l := range r.Lost {
		n += l.End - l.Start
	}
	return n
}

// Complete reports whether all data were saved.
func (r *Repaired) Complete() bool {
	return len(r.Lost) == 0 && len(r.Corrupt) == 0 && !r.Layers && !r.VLMeta && !r.Cut && r.Trailing == 0
}

// Repair writes a sound frame to dst from the intact parts of the frame in src, which has
// size bytes. Every intact chunk keeps its position. A lost chunk is filled, and is
// listed in the result and in the vlmetalayer [LostName]. The number of chunks is that of
// the header or an index, so a truncated frame keeps its length.
//
// The chunks are found by the frame's index, or by the newest intact index. If there is
// none and the frame is marked as ordered, they are found by reading front to back, past
// damaged ones. Otherwise the error is blosc2.ErrCorrupt, unless GuessOrder is given. A
// damaged header is rebuilt from the chunks, their records and the trailer. dst must not
// be src.
//
// The options are LeaveHoles, RecoverTail, GuessOrder, Progress and WithLimits.
func Repair(dst File, src io.ReaderAt, size int64, opts ...Option) (*Repaired, error) {
	if err := framing.Need(dst != nil, "destination", "a frame.File, such as an *os.File"); err != nil {
		return nil, err
	}
	if err := framing.Need(src != nil, "source", "an io.ReaderAt"); err != nil {
		return nil, err
	}
	o := newConfig(opts)
	o.limits = o.limits.orDefault()
	rep := new(Repaired)
	for from, to := int64(0), int64(0); ; rep.Frames++ {
		r := &repairer{o: o, base: from, src: io.NewSectionReader(src, from, size-from), size: size - from, rep: rep}
		if err := r.readHeader(); err != nil {
			return nil, err
		}
		if err := r.findChunks(); err != nil {
			return nil, err
		}
		r.useArrayChunkSize()
		r.addMissing()
		before := rep.NBytes
		n, err := r.write(part{dst, to})
		if err != nil {
			return nil, err
		}
		if r.verified && rep.NBytes-before < r.h.NBytes { // bytes are missing even if no chunk is known to be lost
			rep.Cut = rep.Cut || len(r.lost) == 0
		}
		next := r.next()
		if next == 0 {
			rep.Frames++
			rep.Trailing, err = r.trailing()
			return rep, err
		}
		from, to = from+next, to+n
	}
}

// trailing returns the number of bytes after the last frame that do not belong to it. It
// returns 0 if the frame's end is not known.
func (r *repairer) trailing() (int64, error) {
	f := r.whole
	if f == nil || f.mark.open || f.lost != nil || f.FrameLen() >= r.size || r.o.recover {
		return 0, nil
	}
	switch _, err := Follows(f.h, r.src, f.FrameLen()); {
	case isTrailing(err):
		return r.size - f.FrameLen(), nil
	default:
		return 0, err
	}
}

// A repairer holds the state of a repair.
type repairer struct {
	guess     guessing
	o         config
	base      int64 // offset of the frame in the source
	src       io.ReaderAt
	size      int64
	rep       *Repaired
	h         *header.Header
	raw       []byte
	order     bool // the chunks are in order
	checks    bool // records follow the chunks
	verified  bool // the header has the right digest
	rebuilt   bool // the header was rebuilt
	found     []found
	end       int64 // offset after the last chunk that a walk found
	vlmeta    []meta.Layer
	whole     *Reader // the Reader of the frame, if it could be opened
	uniform   bool    // the chunks differ in size and belong to an array, so they must get one size
	ended     bool    // a complete tail follows the last chunk
	corrected int     // damaged headers and records that were corrected
	bounded   bool    // searches may read no more than budget: see lostBudget
	budget    int64

	lost       []Lost // lost chunks of this frame
	filled     []byte // the chunk that replaces lost ones
	filledSize int    // decoded bytes in filled; many lost chunks have the same size
}

// A found is a chunk that is or was at an offset.
type found struct {
	at      int64  // offset of the chunk; -1 if it is nowhere
	nbytes  int64  // decoded bytes; 0 if unknown
	again   bool   // the chunk replaces the previous one
	gap     bool   // one or more chunks are missing here: the next one was found separately
	index   bool   // the chunk is in the index of a frame that could be opened
	special bool   // the chunk is only an entry of an index
	entry   int64  // the entry of the index, for special
	err     error  // why it is lost
	prefix  []byte // the decoded bytes that remain of an incomplete chunk
}

// write makes the new frame.
func (r *repairer) write(dst File) (size int64, err error) {
	h := *r.h
	if r.whole != nil {
		if h.Layers, err = r.whole.layersNow(); err != nil {
			return 0, err
		}
	}
	var fewer, fewerVL bool
	h.Layers, fewer = r.validNames(h.Layers)
	r.vlmeta, fewerVL = r.validNames(r.vlmeta)
	r.rep.Layers, r.rep.VLMeta = r.rep.Layers || fewer, r.rep.VLMeta || fewerVL
	r.checkVLMeta()
	special := slices.ContainsFunc(r.found, func(c found) bool { return c.special })
	w, err := newRewriter(dst, &h, building{checks: true, unordered: special && !h.VariableChunks}, r.o.limits)
	if err != nil {
		return 0, err
	}
	final := len(r.found) - 1 // number of the last chunk that is not known to be lost
	for final >= 0 && r.found[final].err != nil {
		final--
	}
	var buf, out []byte
	for n, c := range r.found {
		it, err := r.take(buf, int64(n), c)
		if err == nil {
			buf = it.Chunk[:0]
			r.o.reported(it, r.base, r.base+r.size)
			if it.Offset >= 0 {
				out, err = w.dec.Decode(out[:0], it.Chunk)
			}
			size := int64(h.ChunkSize)
			short := it.Offset >= 0 && int64(it.NBytes) < size && !h.VariableChunks && n < len(r.found)-1
			switch {
			case err != nil:
			case short && n == final:
				if err := r.complete(w, int64(n), out, size); err != nil {
					return 0, err
				}
				continue
			case it.Offset >= 0 && !h.VariableChunks && (short || int64(it.NBytes) > size):
				err = blosc2.Errorf(blosc2.PartChunk, blosc2.ErrCorrupt, "it has %d bytes; the chunks of the frame have %d", it.NBytes, size)
			default:
				if err := w.add(it); err != nil {
					return 0, err
				}
				continue
			}
			err = blosc2.At(err, int64(n), it.Offset)
		}
		if size := int64(h.ChunkSize); len(c.prefix) > 0 && !h.VariableChunks && int64(len(c.prefix)) < size {
			if err := r.complete(w, int64(n), c.prefix, size); err != nil {
				return 0, err
			}
			continue
		}
		size := r.lostSize(int64(n), c)
		r.lost = append(r.lost, Lost{Frame: r.rep.Frames, N: int64(n), Start: w.b.Size(), End: w.b.Size() + size, Err: err})
		if size == 0 {
			continue
		}
		if err := r.fill(w, int(size)); err != nil {
			return 0, err
		}
	}
	r.rep.Lost = append(r.rep.Lost, r.lost...)
	if err := r.noteLost(); err != nil {
		return 0, err
	}
	if err := w.finish(r.vlmeta); err != nil {
		return 0, err
	}
	r.rep.Chunks += w.b.NumChunks()
	r.rep.NBytes += w.b.Size()
	return w.b.Pos(), nil
}
