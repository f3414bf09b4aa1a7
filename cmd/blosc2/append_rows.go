package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/item"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/meta"
)

// appendRows appends the rows of an array to the array called name, in one commit.
// Before the commit the array is unchanged.
func (j *compression) appendRows(e *env, in *input, name string) error {
	var array *b2nd.Editor
	err := e.awaitLock(name, frame.DefaultLockWait, func(wait time.Duration) (err error) {
		array, err = b2nd.EditFile(name, frame.LockWait(wait))
		return err
	})
	if err != nil {
		return withName(name, advise(name, err))
	}
	defer array.Close()
	a, err := b2nd.OpenFile(name)
	if err != nil {
		return withName(name, err)
	}
	chunk, dtype := a.ChunkShape(), a.DType()
	itemSize := int64(a.ItemSize())
	h := a.Frame().Header()
	kept := encoding{codec: h.Codec, meta: h.CodecMeta, filters: h.Filters}
	a.Close()
	if err := checkSameRows(array.Shape(), dtype, j.array); err != nil {
		return withName(in.name, fmt.Errorf("%w of %s", err, name))
	}
	bar := e.newBar(in.name, in.size)
	defer bar.end()
	row := item.Count(array.Shape()[1:]) * itemSize
	want := j.array.Shape[0] // expected number of rows; Unknown: any number
	var done int64
	for want != 0 && row > 0 {
		rows := slabRows(row, chunk[0], array.Shape()[0])
		if want > 0 {
			rows = min(rows, want)
		}
		if rows*row > slabMost {
			return withName(name, fmt.Errorf("rows of %s bytes: at most %s can be appended", commas(row), commas(slabMost)))
		}
		slab := make([]byte, rows*row)
		n, err := io.ReadFull(j.data, slab)
		if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
			return withName(in.name, err)
		}
		ended := err != nil
		if ended && (int64(n)%row != 0 || want > 0) {
			return withName(in.name, tooFew(j.array, done+int64(n)))
		}
		if n > 0 {
			if err := array.Append(0, slab[:n]); err != nil {
				return withName(name, err)
			}
		}
		done += int64(n)
		bar.add(done)
		if ended {
			break
		}
		want -= min(max(want, 0), rows)
	}
	var more [1]byte
	if n, err := io.ReadFull(j.data, more[:]); n > 0 {
		return withName(in.name, tooMany(j.array))
	} else if err != io.EOF {
		return withName(in.name, err)
	}
	if err := array.Commit(); err != nil {
		return withName(name, err)
	}
	bar.end()
	if what := kept.losses(); what != "" {
		e.note("%s: %s", in.name, what)
	}
	e.note("%s: %s appended to %s, which now has %s", in.name, count(done/max(row, 1), "row"), name, commas(array.Shape()[0]))
	return nil
}

const (
	slabGoal = 16 << 20 // approximate number of bytes to append at once
	slabMost = 1 << 30
)

// slabRows returns how many rows to append at once to an array that already has there
// rows. A row has row bytes. The rows fill a chunk up to its end, so that no chunk is
// written twice, unless a chunk is larger than slabMost.
func slabRows(row, chunk, there int64) int64 {
	chunk = max(chunk, 1)
	if chunk > slabMost/row {
		return max(slabMost/row, 1)
	}
	rows := max(slabGoal/(row*chunk), 1) * chunk
	return rows - there%chunk
}

// checkSameRows returns an error unless the rows of both arrays have the same shape and
// type.
func checkSameRows(shape []int64, dtype meta.DType, other *b2nd.Spec) error {
	d, err := meta.ParseDType(other.DType)
	switch {
	case err != nil:
		return err
	case d.String() != dtype.String():
		return fmt.Errorf("items are %v, not the %v", d, dtype)
	case len(shape) == 0 || len(other.Shape) == 0:
		return errors.New("a single item is not a row")
	case len(shape) != len(other.Shape) || !slices.Equal(shape[1:], other.Shape[1:]):
		return fmt.Errorf("a row has %s items, not the %s", rowItems(other.Shape[1:]), rowItems(shape[1:]))
	}
	return nil
}

// rowItems formats the shape of a row.
func rowItems(shape []int64) string {
	if len(shape) == 0 {
		return "1"
	}
	return times(shape)
}
