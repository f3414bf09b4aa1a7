package frame

import (
	"sort"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
)

// extent gives the decoded bytes that chunk n holds, from start up to end.
// Where chunks have sizes of their own all of their headers are read, once.
func (f *Reader) extent(n int64) (start, end int64, err error) {
	if size := int64(f.h.ChunkSize); f.starts == nil && size > 0 && f.mark.order != Unsealed {
		return n * size, min((n+1)*size, f.nbytes), nil
	}
	f.measure.Do(func() { f.bad = f.measureChunks() })
	if f.bad != nil {
		return 0, 0, f.bad
	}
	return f.starts[n], f.starts[n+1], nil
}

// measureChunks finds the sizes of all chunks. That of a special one is stated
// nowhere; it follows from the total if there is no other (frame.md §4).
func (f *Reader) measureChunks() error {
	if f.starts != nil {
		return nil
	}
	sizes := make([]int64, len(f.index))
	unknown, sum := -1, int64(0)
	var b [chunk.HeaderLen]byte
	for i, entry := range f.index {
		n := int64(i)
		if entry < 0 {
			if unknown >= 0 {
				return f.corruptEntry(n, "the size of a special chunk in a frame of variable chunk size is unknown")
			}
			unknown = i
			continue
		}
		got, err := f.chunks.readChunk(b[:], entry, 0)
		if err == nil {
			_, err = f.checkChunk(b[:got], n)
		}
		if err != nil {
			return blosc2.At(err, n, f.offset(n))
		}
		sizes[i] = chunkNBytes(b[:])
		sum += sizes[i]
	}
	if unknown >= 0 && f.nbytes > sum {
		sizes[unknown] = f.nbytes - sum
		sum = f.nbytes
	}
	if sum != f.nbytes {
		return blosc2.Errorf(blosc2.PartHeader, blosc2.ErrCorrupt, "says %d bytes, but the chunks hold %d", f.nbytes, sum)
	}
	f.setStarts(sizes)
	return nil
}

// setStarts notes the sizes of all chunks.
func (f *Reader) setStarts(sizes []int64) {
	f.starts = make([]int64, len(sizes)+1)
	for i, n := range sizes {
		f.starts[i+1] = f.starts[i] + n
	}
}

// find gives the chunk that holds decoded byte off, which the frame must have.
func (f *Reader) find(off int64) (int64, error) {
	if size := int64(f.h.ChunkSize); f.starts == nil && size > 0 && f.mark.order != Unsealed {
		return off / size, nil
	}
	if _, _, err := f.extent(0); err != nil {
		return 0, err
	}
	return int64(sort.Search(len(f.index), func(i int) bool { return f.starts[i+1] > off })), nil
}

// Extent gives the decoded bytes that chunk n holds: from start up to end of
// the frame's. In a frame of variable chunk size the first call reads the
// headers of all chunks.
func (f *Reader) Extent(n int64) (start, end int64, err error) {
	if n < 0 || n >= int64(len(f.index)) {
		return 0, 0, &blosc2.OptionError{Option: "chunk", Value: n, Range: "one that the frame has"}
	}
	return f.extent(n)
}
