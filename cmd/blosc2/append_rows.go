package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/item"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/stream"
)

// appendRows appends the rows of an array to the array called name, in one commit. After an
// error the array has the rows that it had before.
func (j *compression) appendRows(e *env, in *input, name string, options []stream.WriterOption) error {
	a, err := b2nd.OpenFile(name)
	if err != nil {
		return withName(name, err)
	}
	shape, chunk, dtype := a.Shape(), a.ChunkShape(), a.DType()
	itemSize := int64(a.ItemSize())
	a.Close()
	if err := checkSameRows(shape, dtype, j.array); err != nil {
		return withName(in.name, fmt.Errorf("%w of %s", err, name))
	}
	row := item.Count(shape[1:]) * itemSize
	if row == 0 || chunk[0] > slabMost/row {
		return j.editRows(e, in, name)
	}
	if in.info != nil && j.data == io.Reader(in.File) {
		if err := j.holds(in.size, row); err != nil {
			return withName(in.name, err)
		}
	}
	bar := e.newBar(in.name, in.size)
	defer bar.end()
	spec := b2nd.Spec{Shape: append([]int64{b2nd.Unknown}, shape[1:]...), DType: j.array.DType}
	options = append(options, stream.Workers(j.cmd.workers()), stream.SelfCheck(j.cmd.SelfCheck), bar.written())
	var w *b2nd.FileWriter
	err = e.awaitLock(name, frame.DefaultLockWait, func(wait time.Duration) (err error) {
		w, err = b2nd.AppendFile(name, spec, append(options[:len(options):len(options)], stream.LockWait(wait))...)
		return err
	})
	if errors.Is(err, blosc2.ErrUnsupported) { // the chunks are not in order
		bar.end()
		return j.editRows(e, in, name)
	}
	if err != nil {
		return withName(name, advise(name, err))
	}
	n, err := j.copyRows(w, row)
	if err != nil {
		w.Abort(err)
		if undo := removeRows(name, shape[0]); undo != nil {
			err = adding(err, "rows of the input were appended and could not be removed: "+undo.Error())
		}
		if isAbout(err, name) { // writing failed, not reading
			return withName(name, err)
		}
		return withName(in.name, err)
	}
	rows := w.Shape()[0]
	if err := w.Close(); err != nil {
		return withName(name, err)
	}
	bar.end()
	how := ""
	if j.done, j.pick = w.Stats(), w.Chosen(); j.pick.Ratio > 0 {
		how = j.chosen(name)
	}
	e.note("%s: %s appended to %s, which now has %s%s", in.name, count(n/row, "row"), name, commas(rows), how)
	return nil
}

// removeRows removes the rows that an append has left in the array called name, which had the
// given number of rows before.
func removeRows(name string, rows int64) error {
	array, err := b2nd.EditFile(name)
	if err != nil {
		return err
	}
	defer array.Close()
	shape := array.Shape()
	if shape[0] <= rows {
		return nil
	}
	shape[0] = rows
	if err := array.Resize(shape); err != nil {
		return err
	}
	return array.Commit()
}

// copyRows copies all rows of the input, each of row bytes, and returns the number of bytes.
func (j *compression) copyRows(w io.ReaderFrom, row int64) (n int64, err error) {
	data, want := j.data, j.array.Shape[0] // expected number of rows; Unknown: any number
	if want != b2nd.Unknown {
		data = io.LimitReader(data, want*row)
	}
	if n, err = w.ReadFrom(data); err != nil {
		return n, err
	}
	return n, cmp.Or(j.holds(n, row), j.ended())
}

// holds returns an error if n bytes are not the rows that are expected, each of row bytes.
func (j *compression) holds(n, row int64) error {
	switch want := j.array.Shape[0]; {
	case n%row != 0, want != b2nd.Unknown && n < want*row:
		return tooFew(j.array, n)
	case want != b2nd.Unknown && n > want*row:
		return tooMany(j.array)
	}
	return nil
}

// ended returns an error if more data follow the rows that were expected.
func (j *compression) ended() error {
	var more [1]byte
	n, err := io.ReadFull(j.data, more[:])
	switch {
	case n > 0:
		return tooMany(j.array)
	case err != io.EOF:
		return err
	}
	return nil
}

// editRows is appendRows for an array that a Writer cannot continue: its chunks are not in
// order, its rows have no items, or the rows of a chunk are too many for memory. The new
// chunks have the settings of the array.
func (j *compression) editRows(e *env, in *input, name string) error {
	for _, flag := range []string{"auto", "codec", "level", "filters", "split", "check-output"} {
		if j.cmd.given(flag) {
			return withName(name, misusef("its chunks are not in order, so --%s cannot be combined with --append; compact puts them in order", flag))
		}
	}
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
	chunk, itemSize := a.ChunkShape(), int64(a.ItemSize())
	a.Close()
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
	if err := j.ended(); err != nil {
		return withName(in.name, err)
	}
	if err := array.Commit(); err != nil {
		return withName(name, err)
	}
	bar.end()
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
		return fmt.Errorf("rows are %s, not the %s", times(other.Shape[1:]), times(shape[1:]))
	}
	return nil
}
