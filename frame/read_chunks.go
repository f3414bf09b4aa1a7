package frame

import (
	"fmt"
	"io"
	"iter"

	"github.com/seed03b80dae/blosc2"
)

// A Chunk is a decoded chunk of a frame.
type Chunk struct {
	N     int64  // number of the chunk
	Start int64  // offset of Data in the decoded data of the frame
	Data  []byte // decoded bytes of the chunk
}

// Chunks yields the chunks of the frame in logical order, beginning with chunk n. It
// reads, verifies and decodes each in turn. Data is overwritten by the next chunk. An
// error ends the sequence. It is yielded with a Chunk whose N is the number of the chunk
// that could not be read. A torn frame, opened with AllowTorn, ends with
// io.ErrUnexpectedEOF. Several goroutines may range over one Reader, or over one
// sequence, concurrently.
func (f *Reader) Chunks(n int64) iter.Seq2[Chunk, error] {
	return func(yield func(Chunk, error) bool) {
		c := Chunk{N: n}
		var err error
		if c.Start, err = f.startOf(n); err != nil {
			yield(c, err)
			return
		}
		s := f.state()
		defer f.states.Put(s)
		for it, err := range f.items(n, s) {
			c.N = it.N
			if err == nil {
				c.Data, err = s.dec.Decode(c.Data[:0], it.Chunk)
				err = blosc2.At(err, it.N, it.Offset)
			}
			if err != nil {
				yield(Chunk{N: it.N, Start: c.Start}, err)
				return
			}
			if !yield(c, nil) {
				return
			}
			c.Start += int64(len(c.Data))
		}
	}
}

// RawChunks yields the stored chunks, verified, beginning with chunk n: see Chunks.
// The bytes of an Item are overwritten by the next one. A chunk that is only an
// entry of the index is yielded as a special chunk; Builder.AppendChunk writes both
// kinds.
func (f *Reader) RawChunks(n int64) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		if _, err := f.startOf(n); err != nil {
			yield(Item{N: n}, err)
			return
		}
		s := f.state()
		defer f.states.Put(s)
		f.items(n, s)(yield)
	}
}

// items yields the stored chunks beginning with n, read into s.
func (f *Reader) items(n int64, s *state) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		ahead := f.inOrder(f.Context(), n)
		defer ahead.Close()
		for ; n < f.NumChunks(); n++ {
			err := ahead.Step()
			var it Item
			if err == nil {
				it, err = f.verified(s, n)
			}
			if err != nil {
				yield(Item{N: n}, err)
				return
			}
			if !yield(it, nil) {
				return
			}
		}
		if err := f.ended(); err != nil && err != io.EOF {
			yield(Item{N: n}, err)
		}
	}
}

// startOf returns the offset of chunk n's data in the decoded data. For the number of
// chunks, it returns the end of the data.
func (f *Reader) startOf(n int64) (int64, error) {
	switch {
	case n < 0 || n > f.NumChunks():
		return 0, &blosc2.OptionError{Option: "chunk", Value: n, Range: fmt.Sprintf("0 to %d", f.NumChunks())}
	case n == 0:
		return 0, nil
	case n == f.NumChunks():
		return f.nbytes, nil
	}
	start, _, err := f.extent(n)
	return start, err
}
