package zarr

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"

	"github.com/seed03b80dae/blosc2"
)

// Counts returns how many chunks, or inner chunks, of shape Unit the array has
// along each dimension.
func (m *Metadata) Counts() []int64 { return over(m.Shape, m.Unit()) }

// Files returns the number of files that hold chunks if all are stored: chunks or
// shards. It is math.MaxInt64 if there are more.
func (m *Metadata) Files() int64 { return bounded(over(m.Shape, m.Chunks)) }

// bounded returns the product of counts, or math.MaxInt64 if that is less.
func bounded(counts []int64) int64 {
	n := int64(1)
	for _, k := range counts {
		if k == 0 {
			return 0
		}
		if n > math.MaxInt64/k {
			n = math.MaxInt64
		} else {
			n *= k
		}
	}
	return n
}

// maxSizes is the largest number of chunks for which StoredSizes returns sizes.
const maxSizes = 1 << 24

// over returns how many parts cover each dimension of a shape.
func over(shape, part []int64) []int64 {
	counts := make([]int64, len(shape))
	for d, n := range shape {
		counts[d] = (n + part[d] - 1) / part[d]
	}
	return counts
}

// Decoded returns the size in bytes of the items in a chunk, given its number in C
// order among Counts, without the padding at the edges of the array.
func (m *Metadata) Decoded(chunk int64) int64 {
	n, unit, counts := int64(m.DType.Size), m.Unit(), m.Counts()
	for d := len(unit) - 1; d >= 0; d-- {
		count := max(counts[d], 1)
		n *= max(min(unit[d], m.Shape[d]-chunk%count*unit[d]), 0)
		chunk /= count
	}
	return n
}

// StoredSizes returns the stored size of each chunk, or inner chunk, in C order: 0
// for one that is not stored. It examines each file of Files, and reads the indices
// of shards. For more than 2^24 chunks the error is blosc2.ErrTooLarge.
func (a *Array) StoredSizes(ctx context.Context) ([]int64, error) {
	counts := a.Counts()
	n := bounded(counts)
	if max(n, a.Files()) > maxSizes {
		return nil, fmt.Errorf("blosc2: Zarr: sizes of %d chunks; the limit is %d: %w", n, maxSizes, blosc2.ErrTooLarge)
	}
	sizes := make([]int64, n)
	if n == 0 {
		return sizes, nil
	}
	last := over(a.Shape, a.Chunks)
	for d := range last {
		last[d]--
	}
	err := each(make([]int64, len(last)), last, func(at []int64) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		name := path.Join(a.name, a.chunkName(at))
		err := a.sizesIn(name, at, counts, sizes)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		var pe *fs.PathError
		if err != nil && !errors.As(err, &pe) {
			err = &fs.PathError{Op: "read", Path: name, Err: err}
		}
		return err
	})
	return sizes, err
}

// sizesIn sets the sizes of the chunk in a file, or of the inner chunks in it.
func (a *Array) sizesIn(name string, at, counts, sizes []int64) error {
	if a.Inner == nil {
		info, err := fs.Stat(a.fsys, name)
		if err == nil {
			sizes[place(at, counts)] = info.Size()
		}
		return err
	}
	f, err := a.fsys.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	index, whole, err := a.shardIndex(f)
	if err != nil {
		return err
	}
	per := over(a.Chunks, a.Inner)
	last, low := make([]int64, len(per)), make([]int64, len(per))
	for d := range per {
		last[d] = min(per[d], counts[d]-at[d]*per[d]) - 1
	}
	inner := make([]int64, len(per))
	return each(low, last, func(in []int64) error {
		off, length := entry(index, place(in, per))
		if off == notStored && length == notStored {
			return nil
		}
		if off > whole || length > whole-off {
			return corrupt("inner chunk %d at offset %d has %d bytes, which do not fit into the shard of %d", in, off, length, whole)
		}
		for d := range in {
			inner[d] = at[d]*per[d] + in[d]
		}
		sizes[place(inner, counts)] = int64(length)
		return nil
	})
}

// place returns the index of coordinates in C order.
func place(at, counts []int64) (n int64) {
	for d, k := range at {
		n = n*counts[d] + k
	}
	return n
}
