package frame

import (
	"sort"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
)

// fixed reports whether all chunks but the last have the header's chunk size.
func (f *Reader) fixed() bool {
	return f.h.ChunkSize > 0 && (f.mark.order != Unsealed || f.mark.open) && !f.irregular
}

// findIrregular determines whether a frame of fixed chunk size has a shorter chunk that
// is not the last. C-Blosc2 2.x makes such a chunk when it appends after a short one. The
// number of chunks agrees with the sizes in the header. So if the last chunk has the
// right size, all others have too.
func (f *Reader) findIrregular() {
	n := int64(len(f.index))
	if n < 2 || !f.fixed() || !f.mustMeasure() || f.index[n-1] < 0 {
		return
	}
	var b [chunk.MinHeaderLen]byte
	got, err := f.readChunk(b[:], f.index[n-1], 0)
	if err != nil || got < len(b) || chunkNBytes(b[:]) == f.expected(n-1) {
		return
	}
	f.irregular = true
	if f.measureChunks() != nil {
		f.irregular = false // reading that chunk will return the error
	}
}

// extent returns the range of decoded bytes in chunk n. If chunks differ in
// size, it reads all of their headers, once.
func (f *Reader) extent(n int64) (start, end int64, err error) {
	if f.fixed() {
		size := int64(f.h.ChunkSize)
		return n * size, min((n+1)*size, f.nbytes), nil
	}
	f.measure.Do(func() { f.bad = f.measureChunks() })
	if f.bad != nil {
		return 0, 0, f.bad
	}
	return f.starts[n], f.starts[n+1], nil
}

// measureChunks finds the sizes of all chunks. That of a special chunk is not
// stored; it follows from the total if there is only one (docs/format/frame.md
// §4).
func (f *Reader) measureChunks() error {
	if f.starts != nil {
		return nil
	}
	held := f.holdHeads()
	defer held.Release()
	sizes := make([]int64, len(f.index))
	unknown, sum := -1, int64(0)
	var b [chunk.HeaderLen]byte
	for i, entry := range f.index {
		n := int64(i)
		if entry < 0 && f.h.ChunkSize > 0 {
			sizes[i] = int64(f.h.ChunkSize)
			sum += sizes[i]
			continue
		}
		if entry < 0 {
			if unknown >= 0 {
				return f.corruptEntry(n, "the size of a special chunk in a frame of variable chunk size is unknown")
			}
			unknown = i
			continue
		}
		got, err := f.readChunk(b[:], entry, 0)
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
		return blosc2.Errorf(blosc2.PartHeader, blosc2.ErrCorrupt, "records %d bytes, but the chunks hold %d", f.nbytes, sum)
	}
	f.setStarts(sizes)
	return nil
}

// setStarts sets the sizes of all chunks.
func (f *Reader) setStarts(sizes []int64) {
	f.starts = make([]int64, len(sizes)+1)
	for i, n := range sizes {
		f.starts[i+1] = f.starts[i] + n
	}
}

// find returns the chunk that holds decoded byte off, which must be within the
// frame.
func (f *Reader) find(off int64) (int64, error) {
	if f.fixed() {
		return off / int64(f.h.ChunkSize), nil
	}
	if _, _, err := f.extent(0); err != nil {
		return 0, err
	}
	return int64(sort.Search(len(f.index), func(i int) bool { return f.starts[i+1] > off })), nil
}

// Extent returns the range of the frame's decoded bytes in chunk n: [start,
// end). In a frame of variable chunk size the first call reads the headers of
// all chunks.
func (f *Reader) Extent(n int64) (start, end int64, err error) {
	if n < 0 || n >= int64(len(f.index)) {
		return 0, 0, &blosc2.OptionError{Option: "chunk", Value: n, Range: "in the frame"}
	}
	return f.extent(n)
}
