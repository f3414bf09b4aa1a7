package frame

import (
	"io/fs"
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/framing"
)

// A Dir is a directory in which a sparse frame can be written. OSDir returns the Dir for
// a path.
type Dir interface {
	fs.FS
	// WriteFile atomically creates or replaces a file: a reader sees either the
	// old or the new content. It is synced when WriteFile returns.
	WriteFile(name string, b []byte) error
	Remove(name string) error
}

// A Sparse is a sparse frame that is being written: a directory with a file for each
// chunk and one for the index (docs/format/frame.md §6). Chunk files get new numbers, and
// the index is replaced last. So until Commit the directory holds the old frame, and some
// extra files. These are an error for OpenFS unless AllowTorn is given, and EditSparse
// removes them. A sparse frame has no marks and no digests. A Sparse belongs to one
// goroutine.
type Sparse struct {
	dir    Dir
	b      *Builder
	enc    *chunk.Encoder
	cbytes int64
	next   int64   // number of the next chunk file
	spare  []int64 // numbers of files that will no longer be in the index
	lens   map[int64]int64
}

// CreateSparse starts a sparse frame in an empty directory, with the parameters
// and metalayers of h; its chunk size must be set. The frame exists after the
// first Commit.
func CreateSparse(dir Dir, h *header.Header) (*Sparse, error) {
	if err := framing.Need(dir != nil, "directory", "a frame.Dir: see OSDir"); err != nil {
		return nil, err
	}
	if err := framing.Need(h != nil, "header", "the header of a frame"); err != nil {
		return nil, err
	}
	if h.ChunkSize <= 0 {
		return nil, &blosc2.OptionError{Option: "chunk size", Value: h.ChunkSize, Range: "positive"}
	}
	files, err := fs.ReadDir(dir, ".")
	if err != nil {
		return nil, err
	}
	if len(files) > 0 {
		return nil, blosc2.Errorf(blosc2.PartDirectory, blosc2.ErrOption, "the directory is not empty: %s", files[0].Name())
	}
	b, err := newBuilder(h, building{noMark: true, unordered: true})
	if err != nil {
		return nil, err
	}
	return newSparse(dir, b)
}

func newSparse(dir Dir, b *Builder) (*Sparse, error) {
	b.h.Type = header.Directory
	enc, err := chunk.NewEncoder(encoderParams(b))
	return &Sparse{dir: dir, b: b, enc: enc, lens: make(map[int64]int64)}, err
}

// EditSparse opens a sparse frame for appending. It removes chunk files that are not in
// the index, because they were never committed. If other writers are possible, take the
// directory's Lock first.
func EditSparse(dir Dir, opts ...Option) (*Sparse, error) {
	if err := framing.Need(dir != nil, "directory", "a frame.Dir: see OSDir"); err != nil {
		return nil, err
	}
	f, err := OpenFS(dir, append(opts, func(c *config) { c.surplus = func(name string) error { return dir.Remove(name) } })...)
	if err != nil {
		return nil, err
	}
	if f.h.Generation != header.Current || f.h.VariableChunks || f.h.OffsetWidth != 8 {
		return nil, blosc2.Errorf(blosc2.PartHeader, blosc2.ErrUnsupported, "writing to a sparse frame of variable chunk size or the %s layout", f.h.Generation)
	}
	b := &Builder{h: *f.h, mark: -1, headerLen: int64(len(f.raw)), offsets: slices.Clone(f.index), nbytes: f.nbytes, vlmeta: f.vlmeta}
	s, err := newSparse(dir, b)
	if err != nil {
		return nil, err
	}
	for n, id := range f.index {
		if id < 0 {
			continue
		}
		h, err := f.ChunkHeader(int64(n))
		if err != nil {
			return nil, err
		}
		s.lens[id] = int64(h.CBytes)
		s.cbytes += int64(h.CBytes)
		s.next = max(s.next, id+1)
	}
	if n := f.NumChunks(); n > 0 {
		start, end, err := f.extent(n - 1)
		if err != nil {
			return nil, err
		}
		b.last = end - start
	}
	return s, nil
}

// SetVLMeta sets a vlmetalayer to raw bytes; nil deletes it. Python-blosc2
// reads only msgpack, which SetVLMetaValue writes.
func (s *Sparse) SetVLMeta(name string, value []byte) error { return s.b.SetVLMeta(name, value) }

// Append adds data at the end. It first fills up a short last chunk and writes that again;
// if the frame's filters or codec are lossy, that returns blosc2.ErrUnsupported. The rest
// of the data becomes chunks of the frame's chunk size.
func (s *Sparse) Append(data []byte) error {
	if len(data) == 0 {
		return nil
	}
	size := int64(s.b.decideChunkSize(len(data)))
	if n := len(s.b.offsets); n > 0 && s.b.last < size {
		if !s.b.lossless() {
			return blosc2.Errorf(blosc2.PartChunk, blosc2.ErrUnsupported, "filling up a chunk with a lossy filter or codec")
		}
		old, err := s.lastChunk()
		if err != nil {
			return err
		}
		k := min(int64(len(data)), size-s.b.last)
		s.b.regrow = true
		if err := s.add(append(old, data[:k]...)); err != nil {
			return err
		}
		data = data[k:]
	}
	for len(data) > 0 {
		k := min(int64(len(data)), size)
		if err := s.add(data[:k]); err != nil {
			return err
		}
		data = data[k:]
	}
	return nil
}

// lastChunk decodes the last chunk.
func (s *Sparse) lastChunk() ([]byte, error) {
	n := int64(len(s.b.offsets) - 1)
	h := s.b.h
	h.NBytes = s.b.nbytes
	f := &Reader{chunks: sparse{s.dir}, cfg: config{limits: defaultLimits}, h: &h, index: s.b.offsets, nbytes: s.b.nbytes}
	return f.Chunk(nil, n)
}

// add writes the file of one chunk. After an error the frame is unchanged.
func (s *Sparse) add(data []byte) error {
	last := len(s.b.offsets) - 1
	regrow := s.b.regrow
	s.b.regrow = false
	c, err := s.enc.Encode(nil, data)
	if err != nil {
		return err
	}
	if err := s.dir.WriteFile(chunkName(s.next), c); err != nil {
		return err
	}
	if regrow {
		if id := s.b.offsets[last]; id >= 0 {
			s.spare = append(s.spare, id)
			s.cbytes -= s.lens[id]
		}
	}
	s.b.regrow = regrow
	if err := s.b.add(int64(len(data)), s.next); err != nil {
		return err
	}
	s.lens[s.next] = int64(len(c))
	s.cbytes += int64(len(c))
	s.next++
	return nil
}

// Commit replaces the index, which makes all chunks so far part of the frame.
func (s *Sparse) Commit() error {
	b := s.b
	var rest []byte
	if len(b.offsets) > 0 {
		rest = appendIndex(nil, b.offsets)
	}
	rest, err := b.appendTrailer(rest)
	if err != nil {
		return err
	}
	b.h.HasVLMeta = len(b.vlmeta) > 0
	if err := b.setSizes(sizes{frame: b.headerLen + int64(len(rest)), nbytes: b.nbytes, cbytes: s.cbytes}); err != nil {
		return err
	}
	head, err := b.h.Append(nil)
	if err != nil {
		return err
	}
	if err := s.dir.WriteFile(indexName, append(head, rest...)); err != nil {
		return err
	}
	for _, id := range s.spare {
		if err := s.dir.Remove(chunkName(id)); err != nil {
			return err
		}
	}
	s.spare = nil
	return nil
}
