package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/item"
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
	if row > 0 && in.info != nil && j.data == io.Reader(in.File) {
		if err := j.holds(in.size, row); err != nil {
			return withName(in.name, err)
		}
	}
	bar := e.newBar(in.name, in.size)
	defer bar.end()
	c, err := e.openChange(name)
	if err != nil {
		return withName(name, err)
	}
	var w *b2nd.Writer
	if row == 0 || chunk[0] > slabMost/row {
		err = fmt.Errorf("%w: rows without items, or chunks of more than %s bytes", blosc2.ErrUnsupported, commas(slabMost))
	} else {
		spec := b2nd.Spec{Shape: append([]int64{b2nd.Unknown}, shape[1:]...), DType: j.array.DType}
		w, err = continueArray(c, spec, append(options, stream.Workers(j.cmd.workers()), stream.SelfCheck(j.cmd.SelfCheck), bar.written()))
	}
	switch {
	case errors.Is(err, blosc2.ErrUnsupported):
		return j.editRows(e, in, c, bar, err)
	case err != nil:
		return e.undo(c, name, advise(name, err))
	}
	n, err := j.copyRows(w, row)
	rows := w.Shape()[0]
	if err := e.endChange(c, w, in.name, err); err != nil {
		return err
	}
	bar.end()
	j.warn(e, in, name)
	how := ""
	if j.done, j.pick = w.Stats(), w.Chosen(); j.pick.Ratio > 0 {
		how = j.chosen(name)
	}
	e.note("%s: %s appended to %s, which now has %s%s", in.name, count(n/row, "row"), name, commas(rows), how)
	return nil
}

// continueArray returns a Writer that continues the array in c, or begins a new one, as spec
// describes it, if the file holds none.
func continueArray(c *change, spec b2nd.Spec, options []stream.WriterOption) (*b2nd.Writer, error) {
	unborn, err := c.unborn()
	switch {
	case err != nil:
		return nil, err
	case unborn:
		return b2nd.NewWriter(c.file, spec, options...)
	}
	return b2nd.Append(c, c.Size(), options...)
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

// editRows is appendRows for an array that a Writer cannot continue, because of cause: usually
// its chunks are not in order. The new chunks have the settings of the array.
func (j *compression) editRows(e *env, in *input, c *change, bar *bar, cause error) error {
	for _, flag := range []string{"auto", "codec", "level", "filters", "split", "check-output"} {
		if j.cmd.given(flag) {
			return e.undo(c, c.name, misusef("--%s cannot be combined with --append to this array: %s; compact puts chunks in order", flag, plain(cause)))
		}
	}
	info, err := c.Stat()
	if err != nil {
		return e.undo(c, c.name, err)
	}
	array, err := b2nd.Edit(c, info.Size())
	if err != nil {
		return e.undo(c, c.name, advise(c.name, err))
	}
	defer array.Close()
	a, err := b2nd.Open(c, info.Size())
	if err != nil {
		return e.undo(c, c.name, err)
	}
	h := a.Frame().Header()
	kept := encoding{codec: h.Codec, meta: h.CodecMeta, filters: h.Filters}
	n, err := j.editSlabs(array, item.Count(a.Shape()[1:])*int64(a.ItemSize()), a.ChunkShape()[0], bar)
	if err := e.endChange(c, editing{array}, in.name, err); err != nil {
		return err
	}
	bar.end()
	if what := kept.losses(); what != "" {
		e.note("%s: %s", in.name, what)
	}
	e.note("%s: %s appended to %s, which now has %s", in.name, count(n, "row"), c.name, commas(array.Shape()[0]))
	return nil
}

// An editing is a change by an Editor.
type editing struct{ *b2nd.Editor }

func (e editing) Close() error          { return e.Commit() }
func (e editing) Abort(err error) error { return err }

// editSlabs appends the rows of the input, each of row bytes, to an array with the given number
// of rows in a chunk, and returns the number of rows.
func (j *compression) editSlabs(array *b2nd.Editor, row, chunk int64, bar *bar) (done int64, err error) {
	want := j.array.Shape[0] // expected number of rows; Unknown: any number
	for want != 0 && row > 0 {
		rows := slabRows(row, chunk, array.Shape()[0])
		if want > 0 {
			rows = min(rows, want)
		}
		if rows*row > slabMost {
			return 0, fmt.Errorf("rows of %s bytes: at most %s can be appended", commas(row), commas(slabMost))
		}
		slab := make([]byte, rows*row)
		n, err := io.ReadFull(j.data, slab)
		if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
			return 0, err
		}
		ended := err != nil
		if ended && (int64(n)%row != 0 || want > 0) {
			return 0, tooFew(j.array, done*row+int64(n))
		}
		if n > 0 {
			if err := array.Append(0, slab[:n]); err != nil {
				return 0, err
			}
		}
		done += int64(n) / row
		bar.add(done * row)
		if ended {
			break
		}
		want -= min(max(want, 0), rows)
	}
	return done, j.ended()
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
