package frame

import (
	"fmt"
	"io"
	"iter"

	"github.com/seed03b80dae/blosc2"
)

// A Chunk is one chunk of a frame, decoded.
type Chunk struct {
	N     int64  // its number
	Start int64  // where its data begin among those of the frame
	Data  []byte // its decoded bytes
}

// Chunks yields the chunks of the frame in logical order, from number n on, each
// read, compared with its digest and decoded when its turn comes. Data is
// overwritten by the next chunk: keep a copy. An error ends the sequence; it is
// yielded with a Chunk of the number N at which it happened. A frame that is torn,
// opened with AllowTorn, ends with io.ErrUnexpectedEOF. Several goroutines may
// range over one Reader, or over one sequence, at the same time.
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

// RawChunks yields the chunks as they are stored, from number n on, after their
// digests were compared: see Chunks, whose rules hold for the bytes of an Item.
// An entry of the index alone comes as a special chunk; Builder.AppendChunk
// writes either.
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

// items yields the stored chunks from n on, read into s.
func (f *Reader) items(n int64, s *state) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		ahead := f.inOrder(f.Context(), n)
		defer ahead.Close()
		for ; n < f.NumChunks(); n++ {
			err := ahead.Step()
			var it Item
			if err == nil {
				it, err = f.fetch(s.stored, n)
			}
			if err == nil {
				s.keep(it)
				err = it.Verify()
			}
			if err != nil {
				yield(Item{N: n}, err)
				return
			}
			if !yield(it, nil) {
				return
			}
		}
		if f.end != nil && f.end != io.EOF {
			yield(Item{N: n}, f.end)
		}
	}
}

// startOf returns where the data of chunk n begin, or would begin after the last.
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
