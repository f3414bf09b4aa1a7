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
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/stream"
)

// appendRows appends the rows of an array to the array in c.
func (j *compression) appendRows(e *env, in *input, c *change, options []stream.WriterOption, bar *bar) error {
	size, err := c.length()
	if err != nil {
		return e.giveUp(c, in.name, err)
	}
	a, err := b2nd.Open(c, size, b2nd.FrameOptions(frame.AllowTorn()))
	if err != nil {
		return e.giveUp(c, in.name, err)
	}
	shape, chunk := a.Shape(), a.ChunkShape()
	if err := checkSameRows(shape, a.DType(), j.array); err != nil {
		return e.giveUp(c, in.name, inputError{fmt.Errorf("%w of %s", err, c.name)})
	}
	row := item.Count(shape[1:]) * int64(a.ItemSize())
	if row > 0 && in.info != nil && j.data == io.Reader(in.File) {
		if err := j.holds(in.size, row); err != nil {
			return e.giveUp(c, in.name, err)
		}
	}
	if row == 0 || chunk[0] > slabMost/row { // there are no rows to write, or too many for memory
		return j.editRows(e, in, c, bar, nil)
	}
	w, err := b2nd.Append(c, size, options...)
	switch {
	case errors.Is(err, blosc2.ErrUnsupported):
		return j.editRows(e, in, c, bar, err)
	case err != nil:
		return e.giveUp(c, in.name, err)
	}
	n, err := j.copyRows(w, row)
	if err := e.endChange(c, &adder{w: w, keep: w.CloseRows, held: arrayRows, had: shape[0], unit: "row"}, in.name, err); err != nil {
		return err
	}
	bar.end()
	j.warn(e, in, c.name)
	how := ""
	if j.done, j.pick = w.Stats(), w.Chosen(); j.pick.Ratio > 0 {
		how = j.chosen(c.name)
	}
	e.note("%s: %s appended to %s, which now has %s%s", in.name, count(n/row, "row"), c.name, commas(shape[0]+n/row), how)
	return nil
}

// grow makes the array, which is the beginning of one that will grow, one with any number of
// rows, so that its chunks do not have the number of rows of its beginning.
func (j *compression) grow() {
	if j.array == nil || len(j.array.Shape) == 0 || j.array.Shape[0] == b2nd.Unknown || item.Count(j.array.Shape[1:]) == 0 {
		return
	}
	known := *j.array
	spec := known
	spec.Shape = slices.Clone(known.Shape)
	spec.Shape[0] = b2nd.Unknown
	j.array, j.data = &spec, &exactReader{r: j.data, spec: &known, left: known.Shape[0] * rowBytes(&known)}
}

// An exactReader returns an error if its Reader has not exactly the items of an array.
type exactReader struct {
	r    io.Reader
	spec *b2nd.Spec
	read int64
	left int64
}

func (r *exactReader) Read(b []byte) (int, error) {
	if r.left == 0 {
		var more [1]byte
		n, err := io.ReadFull(r.r, more[:])
		if n > 0 {
			err = tooMany(r.spec)
		}
		return 0, err
	}
	n, err := r.r.Read(b[:min(int64(len(b)), r.left)])
	r.read += int64(n)
	if r.left -= int64(n); r.left > 0 && err == io.EOF {
		err = tooFew(r.spec, r.read)
	} else if err == io.EOF {
		err = nil
	}
	return n, err
}

// arrayRows returns the number of rows of an array.
func arrayRows(name string) (int64, error) {
	a, err := b2nd.OpenFile(name)
	if err != nil {
		return 0, err
	}
	defer a.Close()
	return a.Shape()[0], nil
}

// copyRows copies all rows of the input, each of row bytes, and returns the number of bytes.
func (j *compression) copyRows(w io.ReaderFrom, row int64) (n int64, err error) {
	data, want := asInput(j.data), j.array.Shape[0] // expected number of rows; Unknown: any number
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
		return inputError{tooFew(j.array, n)}
	case want != b2nd.Unknown && n > want*row:
		return inputError{tooMany(j.array)}
	}
	return nil
}

// ended returns an error if more data follow the rows that were expected.
func (j *compression) ended() error {
	var more [1]byte
	n, err := io.ReadFull(asInput(j.data), more[:])
	switch {
	case n > 0:
		return inputError{tooMany(j.array)}
	case err != io.EOF:
		return err
	}
	return nil
}

// editRows is appendRows for an array that a Writer cannot continue, because of cause: usually
// its chunks are not in order. The new chunks have the settings of the array.
func (j *compression) editRows(e *env, in *input, c *change, bar *bar, cause error) error {
	size, err := c.length()
	if err != nil {
		return e.giveUp(c, in.name, err)
	}
	array, err := b2nd.Edit(c, size)
	if err != nil {
		return e.giveUp(c, in.name, err)
	}
	defer array.Close()
	for _, flag := range []string{"auto", "codec", "level", "filters", "split", "check-output"} {
		if j.cmd.given(flag) {
			why := "it cannot grow in place; compact may put its chunks in order"
			if fe := (*blosc2.FormatError)(nil); cause != nil && !errors.As(cause, &fe) { // the rows would lose precision
				why = plain(cause)
			}
			return e.giveUp(c, in.name, misusef("--append to %s cannot be combined with --%s: %s", c.name, flag, why))
		}
	}
	a, err := b2nd.Open(c, size)
	if err != nil {
		return e.giveUp(c, in.name, err)
	}
	h := a.Frame().Header()
	kept := encoding{codec: h.Codec, meta: h.CodecMeta, filters: h.Filters}
	n, err := j.editSlabs(array, item.Count(a.Shape()[1:])*int64(a.ItemSize()), a.ChunkShape()[0], bar, c.keep)
	if err := e.endChange(c, &adder{w: committing{array}, keep: array.Commit, held: arrayRows, had: a.Shape()[0], unit: "row"}, in.name, err); err != nil {
		return err
	}
	bar.end()
	if what := kept.losses(); what != "" {
		e.note("%s: %s", in.name, what)
	}
	e.note("%s: %s appended to %s, which now has %s", in.name, count(n, "row"), c.name, commas(array.Shape()[0]))
	return nil
}

// A committing is an Editor that Close commits.
type committing struct{ *b2nd.Editor }

func (c committing) Close() error          { return c.Commit() }
func (c committing) Abort(err error) error { return err }

// editSlabs appends the rows of the input, each of row bytes, to an array with the given number
// of rows in a chunk, and returns the number of rows. It commits them as they come if keep is set.
func (j *compression) editSlabs(array *b2nd.Editor, row, chunk int64, bar *bar, keep bool) (done int64, err error) {
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
		n, errRead := io.ReadFull(asInput(j.data), slab)
		whole := int64(n) / row * row
		if whole > 0 {
			if err := array.Append(0, slab[:whole]); err != nil {
				return 0, err
			}
			if keep {
				if err := array.Commit(); err != nil {
					return 0, err
				}
			}
		}
		read := done*row + int64(n)
		done += whole / row
		bar.add(done * row)
		switch ended := errRead == io.EOF || errRead == io.ErrUnexpectedEOF; {
		case errRead != nil && !ended:
			return 0, errRead
		case ended && (int64(n) > whole || want > 0):
			return 0, inputError{tooFew(j.array, read)}
		case ended:
			return done, nil
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
