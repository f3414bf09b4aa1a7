package frame

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/meta"
)

const (
	// Magic is the beginning of every frame that may follow another frame in a stream.
	Magic = "\x9e\xa8b2frame\x00"
	// MaxChunks is the largest number of chunks in an index.
	MaxChunks = (1<<31 - 1 - 32) / 8
	// LostName is the name of the vlmetalayer that lists the lost chunks of a
	// repaired frame. Its value is a msgpack map: "version", which is 1, and
	// "lost", an array of runs of lost chunks. Each run is an array of four:
	// the number of its first chunk, the number of chunks, and the range
	// [start, end) of decoded bytes that they held.
	LostName = "b2lost"
	// DefaultLockWait is the time that functions which lock a file wait for another
	// writer, unless the option LockWait is given: longer than an append usually takes.
	DefaultLockWait = 10 * time.Second
)

// building holds the options of NewBuilder.
type building struct{ checks, noMark, unordered bool }

// Checks makes a Builder write a record with a digest after the header and after every
// chunk. It requires the mark: see NoMark.
func Checks(on bool) Option { return func(c *config) { c.build.checks = on } }

// NoMark makes a Builder omit the metalayer b2stream, which says that the frame can be
// read front to back. The metalayer is also omitted if 16 others fill the header.
func NoMark() Option { return func(c *config) { c.build.noMark = true } }

// Unordered declares that the chunks will not be stored in logical order, or that some
// will be only entries of the index: see AddSpecial.
func Unordered() Option { return func(c *config) { c.build.unordered = true } }

// A Builder makes the bytes of a frame part by part, front to back, without
// I/O: every Append method appends the next part to dst. The order is
//
//	AppendHeader (AppendContinue? AppendChunk)* AppendTail …
//
// where AddChunk and the bytes of a chunk, with its record, may replace
// AppendChunk. More chunks and another tail may follow a tail, repeatedly.
// After a tail AppendSealed returns the final header, which must be written
// over the first one. Nothing else is overwritten. A Builder belongs to one
// goroutine.
type Builder struct {
	given     building
	h         header.Header
	headerLen int64
	checks    bool // a record follows each chunk
	rec1      bool // a record follows the header
	mark      int  // index of b2stream in h.Layers, or -1
	stream    meta.Stream
	markValue []byte // the contents of b2stream

	offsets  []int64 // offsets of all chunks in logical order, from the header's end
	pos      int64   // number of bytes of the frame so far
	nbytes   int64
	last     int64        // number of decoded bytes in the last chunk
	regrow   bool         // the next chunk replaces the last one (record of kind 3)
	vlmeta   []meta.Layer // vlmetalayers, compressed
	vlGen    int          // number of changes to vlmeta
	sealedAt sizes        // the sizes at the last tail
}

// A sizes holds the three sizes in a header, which the mark repeats.
type sizes struct{ frame, nbytes, cbytes int64 }

// NewBuilder starts a frame with the parameters and metalayers of h, which is copied. The
// three sizes of h are ignored. h.ChunkSize must be the size of all chunks but the last,
// or h.VariableChunks must be set. If h.Generation is header.Layout2019, the frame has no
// mark, records and vlmetalayers, and can be read only once it is sealed.
//
// The options are Checks, NoMark and Unordered.
func NewBuilder(h *header.Header, opts ...Option) (*Builder, error) {
	if err := framing.Need(h != nil, "header", "the header of a frame"); err != nil {
		return nil, err
	}
	return newBuilder(h, newConfig(opts).build)
}

func newBuilder(h *header.Header, o building) (*Builder, error) {
	b := &Builder{given: o}
	if err := b.Reset(h); err != nil {
		return nil, err
	}
	return b, nil
}

// Reset starts another frame with the options of NewBuilder. It reuses the memory, so the
// Header of the last frame is no longer valid.
func (b *Builder) Reset(h *header.Header) error {
	o := b.given
	layers := append(b.h.Layers[:0], h.Layers...)
	*b = Builder{given: o, h: *h, mark: -1, offsets: b.offsets[:0], markValue: b.markValue}
	switch h.Generation {
	case header.Current:
		b.h.OffsetWidth = 8
	case header.Layout2019:
		o.noMark = true
	default:
		return blosc2.Errorf(blosc2.PartHeader, blosc2.ErrUnsupported, "writing frames of the %s layout", h.Generation)
	}
	b.h.Layers = layers
	b.mark = slices.IndexFunc(b.h.Layers, func(l meta.Layer) bool { return l.Name == meta.StreamName })
	switch {
	case o.noMark && b.mark >= 0:
		b.h.Layers, b.mark = slices.Delete(b.h.Layers, b.mark, b.mark+1), -1
	case !o.noMark && b.mark < 0 && len(b.h.Layers) < meta.MaxLayers:
		b.mark = len(b.h.Layers)
		b.h.Layers = append(b.h.Layers, meta.Layer{Name: meta.StreamName})
	}
	b.checks = o.checks && b.mark >= 0
	b.rec1 = b.checks
	b.stream = *meta.NewStream(!o.unordered, b.checks)
	if err := b.setSizes(sizes{}); err != nil {
		return err
	}
	b.headerLen = int64(b.h.Len())
	return nil
}

// Header returns the current header. It must not be changed.
func (b *Builder) Header() *header.Header { return &b.h }

// Marked reports whether the frame has the metalayer b2stream. Without it an unsealed
// frame cannot be read.
func (b *Builder) Marked() bool { return b.mark >= 0 }

// Checks reports whether a record follows each chunk.
func (b *Builder) Checks() bool { return b.checks }

// Pos returns the number of bytes of the frame so far: the offset of the next
// part, from the frame's start.
func (b *Builder) Pos() int64 { return b.pos }

// NumChunks returns the number of chunks so far.
func (b *Builder) NumChunks() int64 { return int64(len(b.offsets)) }

// Size returns the number of decoded bytes so far.
func (b *Builder) Size() int64 { return b.nbytes }

// setSizes sets the sizes in the header and its mark.
func (b *Builder) setSizes(s sizes) (err error) {
	b.h.FrameLen, b.h.NBytes, b.h.CBytes = uint64(s.frame), s.nbytes, s.cbytes
	if b.mark >= 0 {
		b.stream.FrameLen, b.stream.NBytes, b.stream.CBytes = uint64(s.frame), s.nbytes, s.cbytes
		b.markValue, err = b.stream.Append(b.markValue[:0])
		b.h.Layers[b.mark].Value = b.markValue
	}
	return err
}

// appendHeader appends the header with the given sizes and its record.
func (b *Builder) appendHeader(dst []byte, s sizes) ([]byte, error) {
	if err := b.setSizes(s); err != nil {
		return dst, err
	}
	start := len(dst)
	dst, err := b.h.Append(dst)
	if err == nil && b.rec1 {
		dst = record{kind: kindHeader, value: framing.Digest(dst[start:])}.append(dst)
	}
	return dst, err
}

// AppendHeader appends the unsealed header, whose sizes are 0, and its record. It must be
// called first, unless AppendEmpty makes a frame without data.
func (b *Builder) AppendHeader(dst []byte) ([]byte, error) {
	start := len(dst)
	dst, err := b.appendHeader(dst, sizes{})
	b.pos = max(b.pos, int64(len(dst)-start))
	return dst, err
}

// AddChunk records that a chunk was written at Pos, followed by its record if Checks is
// set. The chunk has nbytes decoded and cbytes stored bytes. A chunk longer than the
// header's chunk size, or after a shorter one, makes the chunk size of the frame
// variable, which C-Blosc2 before 3.0 does not read.
//
// A chunk of 32 bytes returns blosc2.ErrOption. It is a special chunk, as RawChunk
// returns them, and C-Blosc2 does not read those from a file. AppendChunk converts them
// to ordinary chunks.
func (b *Builder) AddChunk(nbytes, cbytes int) error {
	if cbytes == chunk.HeaderLen {
		return blosc2.Errorf(blosc2.PartChunk, blosc2.ErrOption, "a chunk of 32 bytes may be special, which C-Blosc2 cannot read from a file; use AppendChunk")
	}
	return b.note(nbytes, cbytes)
}

// note is like AddChunk. The chunk must be valid.
func (b *Builder) note(nbytes, cbytes int) error {
	if err := b.add(int64(nbytes), b.pos-b.headerLen); err != nil {
		return err
	}
	b.pos += int64(cbytes)
	if b.checks {
		b.pos += recordLen
	}
	return nil
}

// add appends an index entry, or replaces the last one.
func (b *Builder) add(nbytes, offset int64) error {
	n := len(b.offsets)
	if n == 0 && b.h.ChunkSize <= 0 && !b.h.VariableChunks {
		b.h.ChunkSize = int32(nbytes) // C-Blosc2 does not set the chunk size of an empty frame
	}
	if b.regrow {
		if nbytes <= b.last {
			return blosc2.Errorf(blosc2.PartChunk, blosc2.ErrOption, "chunk of %d bytes must be longer than the one it continues, of %d", nbytes, b.last)
		}
		b.regrow = false
		b.nbytes -= b.last
		n--
		b.offsets = b.offsets[:n]
	} else if n > 0 && b.last != int64(b.h.ChunkSize) {
		b.setVariable()
	}
	if nbytes > int64(b.h.ChunkSize) {
		b.setVariable()
	}
	if b.h.VariableChunks && b.is2019() {
		return blosc2.Errorf(blosc2.PartChunk, blosc2.ErrUnsupported, "chunks of different sizes in a frame of 2019")
	}
	if n >= MaxChunks {
		return blosc2.Errorf(blosc2.PartIndex, blosc2.ErrTooLarge, "more than %d chunks", MaxChunks)
	}
	b.offsets = append(b.offsets, offset)
	b.nbytes += nbytes
	b.last = nbytes
	return nil
}

// setVariable makes the chunk size of the frame variable (docs/format/frame.md
// §4).
func (b *Builder) setVariable() {
	if !b.h.VariableChunks {
		b.h.VariableChunks, b.h.ChunkSize = true, 0
		b.h.Version = max(b.h.Version, 3)
	}
}

// AddSpecial adds a chunk of zeros, NaNs or uninitialised bytes, which is only an entry
// of the index (docs/format/frame.md §1.3). Only Unordered frames with a fixed chunk size
// may hold such chunks.
func (b *Builder) AddSpecial(s chunk.Special, nbytes int) error {
	bits, known := map[chunk.Special]int64{chunk.Zeros: 1, chunk.NaN: 2, chunk.Uninit: 4}[s]
	switch short := len(b.offsets) > 0 && b.last != int64(b.h.ChunkSize); {
	case b.is2019():
		return blosc2.Errorf(blosc2.PartIndex, blosc2.ErrUnsupported, "special chunk in a frame of 2019")
	case !known:
		return blosc2.Errorf(blosc2.PartIndex, blosc2.ErrOption, "special chunk of kind %s must be stored as a chunk", s)
	case b.stream.Ordered && b.mark >= 0:
		return blosc2.Errorf(blosc2.PartIndex, blosc2.ErrOption, "an ordered frame must not have special chunks in its index")
	case b.h.VariableChunks || short || b.h.ChunkSize > 0 && nbytes > int(b.h.ChunkSize):
		return blosc2.Errorf(blosc2.PartIndex, blosc2.ErrOption, "special chunk of %d bytes must have the frame's chunk size, which must be fixed", nbytes)
	}
	return b.add(int64(nbytes), -1<<63|bits<<56)
}

// AppendContinue appends a record which says that the next chunk replaces the last one,
// and begins with its data. The next chunk must be longer than the last, and should not
// exceed the frame's chunk size.
func (b *Builder) AppendContinue(dst []byte) []byte {
	b.regrow = true
	b.pos += recordLen
	return record{kind: kindContinue, value: uint64(b.last)}.append(dst)
}

// SetVLMeta sets a vlmetalayer for the next tail. nil deletes it.
func (b *Builder) SetVLMeta(name string, value []byte) error {
	i := slices.IndexFunc(b.vlmeta, func(l meta.Layer) bool { return l.Name == name })
	switch {
	case b.is2019():
		return blosc2.Errorf(blosc2.PartVLMeta, blosc2.ErrUnsupported, "vlmetalayers in a frame of 2019")
	case name == "" || len(name) > meta.MaxName || strings.ContainsRune(name, 0):
		return &blosc2.OptionError{Option: "vlmetalayer name", Value: fmt.Sprintf("%.40q", name), Range: "1 to 31 bytes without NUL"}
	case value == nil && i >= 0:
		b.vlmeta = slices.Delete(b.vlmeta, i, i+1)
		b.vlGen++
		return nil
	case value == nil:
		return nil
	case i < 0 && len(b.vlmeta) >= meta.MaxLayers:
		return &blosc2.OptionError{Option: "vlmetalayers", Value: len(b.vlmeta) + 1, Range: "at most 16"}
	}
	packed, err := packVLMeta(value)
	if err != nil {
		return err
	}
	b.vlGen++
	if i < 0 {
		b.vlmeta = append(b.vlmeta, meta.Layer{Name: name, Value: packed})
	} else {
		b.vlmeta[i].Value = packed
	}
	return nil
}

// SetMetalayer replaces the value of a metalayer. The new value must have the same
// length. AppendSealed will write it.
func (b *Builder) SetMetalayer(name string, value []byte) error {
	for i, l := range b.h.Layers {
		if l.Name == name && i != b.mark {
			if len(l.Value) != len(value) {
				return &blosc2.OptionError{Option: "length of metalayer " + name, Value: len(value), Range: fmt.Sprintf("%d, as before", len(l.Value))}
			}
			b.h.Layers[i].Value = slices.Clone(value)
			return nil
		}
	}
	return &blosc2.OptionError{Option: "metalayer", Value: name, Range: "in the header"}
}

// AppendTail appends the end mark, index, record and trailer for all chunks so far. After
// that the frame may be sealed, left unsealed, or continued.
func (b *Builder) AppendTail(dst []byte) ([]byte, error) {
	if b.regrow {
		return dst, blosc2.Errorf(blosc2.PartRecord, blosc2.ErrOption, "the last chunk must be continued before a tail is written")
	}
	if b.is2019() {
		return b.appendTail2019(dst)
	}
	start := len(dst)
	dst, at, err := b.tailAt(dst, b.pos, nil)
	if err != nil {
		return dst, err
	}
	b.pos += int64(len(dst) - start)
	b.sealedAt = at
	return dst, nil
}

// tailAt appends a tail that is to be written at an offset, and returns the sizes for the
// header. If last is not nil, it is added as the last chunk.
func (b *Builder) tailAt(dst []byte, at int64, last *lastChunk) ([]byte, sizes, error) {
	b.h.HasVLMeta = len(b.vlmeta) > 0
	start := len(dst)
	dst = appendEndMark(dst, int(b.h.TypeSize))
	s := sizes{nbytes: b.nbytes + last.size(), cbytes: at + endMarkLen - b.headerLen}
	offsets := b.offsets
	if last != nil {
		if len(offsets)+last.count() > MaxChunks {
			return dst[:start], s, blosc2.Errorf(blosc2.PartIndex, blosc2.ErrTooLarge, "more than %d chunks", MaxChunks)
		}
		if offsets = append(offsets, last.start-b.headerLen); len(last.offsets) > 0 {
			offsets = append(offsets[:len(b.offsets)], last.offsets...)
		}
	}
	if len(offsets) > 0 {
		dst = appendIndex(dst, offsets)
	}
	digest := newDigest(dst[start:])
	rec := len(dst)
	dst = append(dst, make([]byte, recordLen)...)
	dst, err := b.appendTrailer(dst)
	if err != nil {
		return dst[:start], s, err
	}
	digest.Write(dst[rec+recordLen:])
	record{kind: kindTail, value: digest.Sum64()}.append(dst[:rec])
	s.frame = at + int64(len(dst)-start)
	return dst, s, nil
}

// AppendSealed appends the header of the frame as of the last tail, and the header's
// record. They are as long as those of AppendHeader, and must be written over them.
func (b *Builder) AppendSealed(dst []byte) ([]byte, error) {
	if b.sealedAt.frame == 0 {
		return dst, blosc2.Errorf(blosc2.PartHeader, blosc2.ErrOption, "a tail must be written before the frame is sealed")
	}
	return b.appendHeader(dst, b.sealedAt)
}

// AppendEmpty appends a whole frame without data. It consists of header and trailer,
// because C-Blosc2 expects the trailer right after the header. It must be written at the
// frame's start, and the frame ends after it. No chunk may have been added.
func (b *Builder) AppendEmpty(dst []byte) ([]byte, error) {
	if len(b.offsets) > 0 {
		return dst, blosc2.Errorf(blosc2.PartHeader, blosc2.ErrOption, "a frame of %d chunks cannot be sealed as empty", len(b.offsets))
	}
	var trailer []byte
	if !b.is2019() {
		var err error
		if trailer, err = b.appendTrailer(nil); err != nil {
			return dst, err
		}
	}
	b.h.HasVLMeta = len(b.vlmeta) > 0
	s := sizes{frame: b.headerLen + int64(len(trailer))}
	if err := b.setSizes(s); err != nil {
		return dst, err
	}
	dst, err := b.h.Append(dst)
	if err != nil {
		return dst, err
	}
	b.pos, b.sealedAt = s.frame, s
	return append(dst, trailer...), nil
}
