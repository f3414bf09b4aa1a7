package frame

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/meta"
)

// A recutting holds the options about chunk sizes.
type recutting struct {
	keep, uniform bool
	size          int // chunk size; 0 means to choose one
	lossy         bool
}

// Uniform makes all chunks but the last have the same size, which C-Blosc2 2.x and
// python-blosc2 need. It is an option for Concat and SealFile. Compact does so without
// it.
func Uniform() Option { return func(c *config) { c.recut.uniform, c.recut.keep = true, false } }

// KeepChunkSizes makes Compact keep all chunk sizes, so that nothing is
// recompressed.
func KeepChunkSizes() Option {
	return func(c *config) { c.recut.uniform, c.recut.keep = false, true }
}

// ChunkSize is like Uniform, with chunks of n decoded bytes. n is rounded down to whole
// items. It is for Compact, Concat and SealFile.
func ChunkSize(n int) Option {
	return func(c *config) { c.recut.uniform, c.recut.keep, c.recut.size = true, false, n }
}

// AllowLoss lets Compact, Uniform and ChunkSize recompress data with the frame's lossy
// filters and codec, although that changes the data again. Without this option
// recompression drops lossy filters, and a lossy codec returns blosc2.ErrUnsupported.
func AllowLoss() Option { return func(c *config) { c.recut.lossy = true } }

const (
	defaultChunkSize = 1 << 20  // the default of package stream
	leastChosen      = 16 << 10 // smaller chunk sizes are not chosen: headers would take more than 0.2 %
	mostTried        = 32       // largest number of chunk sizes to try; each takes a pass over the list of chunks
)

// check returns an error if the chunk size is invalid. It rounds the size down to whole
// items.
func (o *recutting) check(typesize int, lim Limits) error {
	most := min(lim.orDefault().Chunk, chunk.MaxBytes)
	if o.uniform && o.size != 0 && (o.size < typesize || int64(o.size) > most) {
		return &blosc2.OptionError{Option: "chunk size", Value: o.size, Range: fmt.Sprintf("%d (one item) to %d", typesize, most)}
	}
	o.size -= o.size % typesize
	return nil
}

// choose returns the new chunk size for chunks of the given sizes. That is the size in
// the header, if there is one. Otherwise it is the size for which the fewest bytes are
// recompressed, or the largest of several such sizes.
func choose(h *header.Header, sizes []int64, lim Limits) int {
	typesize := int64(h.TypeSize)
	if n := int64(h.ChunkSize); !h.VariableChunks && n > 0 && n%typesize == 0 && n <= lim.orDefault().Chunk {
		return int(n)
	}
	best, most := int64(0), int64(-1)
	for _, size := range candidates(sizes, typesize) {
		if kept := inPlace(sizes, size); kept > most || kept == most && size > best {
			best, most = size, kept
		}
	}
	if best > 0 {
		return int(best)
	}
	return int(max(defaultChunkSize-defaultChunkSize%typesize, typesize))
}

// candidates returns the chunk sizes to try: sizes of whole items that are not too small.
// If there are more than mostTried, it returns those with the most bytes in chunks.
func candidates(sizes []int64, typesize int64) []int64 {
	total := make(map[int64]int64)
	for _, n := range sizes {
		if n >= leastChosen && n%typesize == 0 {
			total[n] += n
		}
	}
	all := make([]int64, 0, len(total))
	for n := range total {
		all = append(all, n)
	}
	slices.SortFunc(all, func(a, b int64) int { return cmp.Or(cmp.Compare(total[b], total[a]), cmp.Compare(b, a)) })
	return all[:min(len(all), mostTried)]
}

// inPlace returns how many bytes are in chunks that need no recompression if
// all chunks but the last get the given size.
func inPlace(sizes []int64, size int64) (bytes int64) {
	at := int64(0)
	for i, n := range sizes {
		if at%size == 0 && (n == size || n < size && i == len(sizes)-1) {
			bytes += n
		}
		at += n
	}
	return bytes
}

// bound returns a description of what the chunk boundaries of a frame mean, and reports
// whether they have a meaning and must be kept.
func (f *Reader) bound() (what string, yes bool, err error) {
	for _, name := range []string{meta.B2NDName, meta.CatervaName, "vlarray", "batcharray", "listarray"} {
		if _, ok := f.Metalayer(name); ok {
			return "metalayer " + name, true, nil
		}
	}
	if f.h.VLBlocks && f.NumChunks() > 0 {
		h, err := f.ChunkHeader(0)
		if err != nil {
			return "", false, err
		}
		return "blocks of variable length", h.VLBlocks(), nil
	}
	return "", false, nil
}

// chunkSizes appends the decoded sizes of the frame's chunks.
func (f *Reader) chunkSizes(sizes []int64) ([]int64, error) {
	for n := range f.NumChunks() {
		start, end, err := f.extent(n)
		if err != nil {
			return sizes, err
		}
		sizes = append(sizes, end-start)
	}
	return sizes, nil
}

// A recutter cuts the data of chunks into chunks of one size. It copies chunks
// that already have this size and position.
type recutter struct {
	w     *rewriter
	size  int  // chunk size; 0 copies all chunks
	lossy bool // data may be changed by lossy filters and codecs
	enc   *chunk.Encoder
	part  []byte // decoded bytes of an incomplete chunk
	again []byte // decoded bytes of a chunk to be recompressed
	c     []byte // a new chunk

	done func(Item) // is called after each chunk; may be nil
}

// add adds the next chunk. last says that no other chunk follows.
func (r *recutter) add(it Item, last bool) (err error) {
	if len(r.part) == 0 && (it.NBytes == r.size || it.NBytes < r.size && last) {
		return r.w.add(it)
	}
	if h, err := chunk.ParseHeader(it.Chunk); err != nil {
		return err
	} else if h.VLBlocks() {
		return blosc2.Errorf(blosc2.PartChunk, blosc2.ErrUnsupported, "blocks of variable length cannot be cut anew; use KeepChunkSizes")
	}
	data, err := r.w.dec.Decode(r.w.out[:0], it.Chunk)
	if err != nil {
		return err
	}
	r.w.out = data[:0]
	for len(data) > 0 {
		if len(r.part) == 0 && len(data) >= r.size {
			if err := r.encode(data[:r.size]); err != nil {
				return err
			}
			data = data[r.size:]
			continue
		}
		k := min(len(data), r.size-len(r.part))
		r.part, data = append(r.part, data[:k]...), data[k:]
		if len(r.part) == r.size {
			if err := r.finish(); err != nil {
				return err
			}
		}
	}
	return nil
}

// addOpen adds a chunk that its writer has not compressed yet, because it is not full.
func (r *recutter) addOpen(it Item) error {
	if p := encoderParams(r.w.b); p.Filters.Lossy() || framing.LossyCodec(p.Codec) {
		return r.w.add(it)
	}
	data, err := r.w.dec.Decode(r.w.out[:0], it.Chunk)
	if err != nil {
		return err
	}
	r.w.out = data[:0]
	return r.encode(data)
}

// finish writes the last chunk, which may be short.
func (r *recutter) finish() error {
	if len(r.part) == 0 {
		return nil
	}
	err := r.encode(r.part)
	r.part = r.part[:0]
	return err
}

// encode writes a chunk of data.
func (r *recutter) encode(data []byte) (err error) {
	if r.enc == nil {
		if r.enc, err = r.encoder(); err != nil {
			return err
		}
	}
	if r.c, err = r.enc.Encode(r.c[:0], data); err != nil {
		return err
	}
	if !r.lossy && framing.LossyCodec(r.w.b.h.Codec) {
		if r.again, err = r.w.dec.Decode(r.again[:0], r.c); err != nil {
			return err
		}
		if !bytes.Equal(r.again, data) {
			return blosc2.Errorf(blosc2.PartChunk, blosc2.ErrUnsupported,
				"recompressing %d bytes with %s would change them; use KeepChunkSizes, or AllowLoss to accept the change", len(data), r.w.b.h.Codec)
		}
	}
	return r.w.write(r.c, len(data))
}

// encoder returns the encoder for chunks that are recompressed. It has no lossy filters:
// they have been applied already, and would change chunks that were stored unfiltered.
func (r *recutter) encoder() (*chunk.Encoder, error) {
	p := encoderParams(r.w.b)
	for i, id := range p.Filters.IDs {
		f, err := filters.ByID(id)
		if id != blosc2.FilterNone && !r.lossy && (err != nil || f.Lossy()) {
			p.Filters.IDs[i], p.Filters.Metas[i] = blosc2.FilterNone, 0
		}
	}
	return chunk.NewEncoder(p)
}
