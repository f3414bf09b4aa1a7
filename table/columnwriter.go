package table

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"unicode/utf8"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/internal/fsio"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/tree"
)

// spoolMemory is the number of bytes of a compressed column to hold in memory.
const spoolMemory = 4 << 20

// A columnWriter compresses a column.
type columnWriter struct {
	spec    *Spec
	data    *arrayWriter // values, codes or offsets
	text    *arrayWriter // bytes of a utf8 column
	notnull *arrayWriter // validity, from the first null on
	rows    int64
	end     int64 // number of bytes so far of a utf8 column
	words   map[string]int32
	list    []any // words of a dictionary
	stored  int   // number of words that the table already has; -1 without a dictionary
	seq     *batchWriter
	raw     []byte
	bytes   []byte
}

// An arrayWriter writes an array of rows.
type arrayWriter struct {
	spool fsio.Spool
	file  *fsio.Memory // the array that is continued; nil for a new array, which is in spool
	w     *b2nd.Writer
	row   int64 // number of bytes of a row
	total int64 // number of bytes written so far
}

func newArrayWriter(dtype string, shape ...int64) (*arrayWriter, error) {
	t, err := meta.ParseDType(dtype)
	if err != nil {
		return nil, err
	}
	a := &arrayWriter{spool: fsio.Spool{Limit: spoolMemory}, row: int64(t.Size)}
	for _, n := range shape {
		a.row *= n
	}
	a.w, err = b2nd.NewWriter(&a.spool, b2nd.Spec{Shape: append([]int64{b2nd.Unknown}, shape...), DType: dtype})
	return a, err
}

func (a *arrayWriter) write(b []byte) error {
	a.total += int64(len(b))
	_, err := a.w.Write(b)
	return err
}

// finish returns the array's frame, which is valid until close. It has at least one row.
func (a *arrayWriter) finish(key string) (tree.Item, error) {
	if a.total == 0 && a.file == nil {
		if err := a.write(make([]byte, a.row)); err != nil {
			return tree.Item{}, err
		}
	}
	if err := a.w.Close(); err != nil {
		return tree.Item{}, err
	}
	if a.file != nil {
		return tree.Bytes(key, a.file.Bytes()), nil
	}
	return tree.Item{Key: key, Frame: &a.spool, Length: a.spool.Size()}, nil
}

// close releases the writer and its spool.
func (a *arrayWriter) close() error {
	if a.w != nil {
		a.w.Abort(nil)
	}
	return a.spool.Close()
}

func newColumnWriter(s *Spec) (*columnWriter, error) {
	s = &Spec{Name: s.Name, Kind: s.Kind, Nullable: s.Nullable, Mask: s.Mask, MaxLength: s.MaxLength, ItemShape: s.ItemShape, DType: s.DType, Item: s.Item, Null: s.Null, NullCode: s.NullCode}
	w := &columnWriter{spec: s, stored: -1}
	var err error
	switch s.Kind {
	case VLString, VLBytes, List:
		w.seq, err = newBatchWriter(s)
	case UTF8:
		if w.text, err = newArrayWriter("|u1"); err == nil {
			w.data, err = newArrayWriter("<i8")
		}
		if err == nil {
			err = w.data.write(make([]byte, 8))
		}
	case Dictionary:
		w.words = map[string]int32{}
		w.data, err = newArrayWriter("<i4")
	case String:
		w.data, err = newArrayWriter(fmt.Sprintf("<U%d", s.MaxLength))
	case Bytes:
		w.data, err = newArrayWriter(fmt.Sprintf("|S%d", s.MaxLength))
	case NDArray:
		w.data, err = newArrayWriter(s.DType, s.ItemShape...)
	default:
		w.data, err = newArrayWriter(dtypes[s.Kind])
	}
	if err != nil {
		w.close()
		return nil, err
	}
	return w, nil
}

// close releases the writers and their spools.
func (w *columnWriter) close() (err error) {
	for _, a := range []*arrayWriter{w.data, w.text, w.notnull} {
		if a != nil {
			err = errors.Join(err, a.close())
		}
	}
	if w.seq != nil {
		err = errors.Join(err, w.seq.spool.Close())
	}
	return err
}

// append adds values, which must be a slice of the column's type.
func (w *columnWriter) append(c Cells) error {
	if w.spec.Mask {
		if err := w.appendMask(c); err != nil {
			return err
		}
	}
	isNull := func(i int) bool { return c.Valid != nil && !c.Valid[i] }
	w.raw = w.raw[:0]
	if null, ok := numberAs[uint8](w.spec.Null); ok && w.spec.Kind == Bool {
		for i, b := range c.Values.([]bool) {
			switch {
			case isNull(i):
				w.raw = append(w.raw, null)
			case b:
				w.raw = append(w.raw, 1)
			default:
				w.raw = append(w.raw, 0)
			}
		}
		return w.data.write(w.raw)
	}
	if w.spec.Null != nil && c.Valid != nil {
		var err error
		if c.Values, err = w.withNulls(c); err != nil {
			return err
		}
		isNull = func(int) bool { return false }
	}
	switch v := c.Values.(type) {
	case []int64:
		if w.spec.Kind == Timestamp && c.Valid != nil && w.spec.Null == nil {
			v = append([]int64(nil), v...)
			for i := range v {
				if isNull(i) {
					v[i] = nullTime
				}
			}
		}
		return numbers(w, v)
	case []string:
		w.rows += int64(len(v))
		if w.seq != nil {
			return appendItems(w.seq, v, isNull)
		}
		return w.appendStrings(v, isNull)
	case [][]byte:
		w.rows += int64(len(v))
		if w.seq != nil {
			return appendItems(w.seq, v, isNull)
		}
		return w.appendBytes(v, isNull)
	case []any:
		w.rows += int64(len(v))
		return appendItems(w.seq, v, isNull)
	case []bool:
		return numbers(w, v)
	}
	if k, ok := numberKinds[w.spec.Kind]; ok && reflect.TypeOf(c.Values).Elem() == k.goType {
		return k.append(w, c.Values)
	}
	return &blosc2.OptionError{Option: "values of column " + w.spec.Name, Value: fmt.Sprintf("%T", c.Values), Range: string(w.spec.Kind)}
}

// appendMask records which rows are null, after the first null.
func (w *columnWriter) appendMask(c Cells) error {
	if w.notnull == nil && c.Valid == nil {
		return nil
	}
	if w.notnull == nil {
		var err error
		if w.notnull, err = newArrayWriter("|b1"); err != nil {
			return err
		}
		if err := w.notnull.writeOnes(w.rows); err != nil {
			return err
		}
	}
	n := lenOf(c.Values)
	flags := make([]byte, n)
	for i := range flags {
		if c.Valid == nil || c.Valid[i] {
			flags[i] = 1
		}
	}
	return w.notnull.write(flags)
}

// appendStrings writes strings of one of the three kinds of text.
func (w *columnWriter) appendStrings(v []string, isNull func(int) bool) error {
	switch w.spec.Kind {
	case UTF8:
		text := w.bytes[:0]
		for i, s := range v {
			if !isNull(i) {
				if !utf8.ValidString(s) {
					return w.refuse(s, "valid UTF-8")
				}
				text = append(text, s...)
				w.end += int64(len(s))
			}
			w.raw = binary.LittleEndian.AppendUint64(w.raw, uint64(w.end))
		}
		if w.bytes = text; len(text) > 0 {
			if err := w.text.write(text); err != nil {
				return err
			}
		}
	case Dictionary:
		for i, s := range v {
			code := w.spec.NullCode
			if !isNull(i) {
				var ok bool
				if code, ok = w.words[s]; !ok {
					if code = int32(len(w.words)); code >= maxWords {
						return w.refuse(s, "one of at most 16,777,216 different words")
					}
					w.words[s] = code
					w.list = append(w.list, s)
				}
			}
			w.raw = binary.LittleEndian.AppendUint32(w.raw, uint32(code))
		}
	default:
		size := 4 * w.spec.MaxLength
		for i, s := range v {
			start := len(w.raw)
			if !isNull(i) {
				for _, r := range s {
					w.raw = binary.LittleEndian.AppendUint32(w.raw, uint32(r))
				}
			}
			if len(w.raw)-start > size || !utf8.ValidString(s) {
				return w.refuse(s, fmt.Sprintf("at most %d characters of valid UTF-8", w.spec.MaxLength))
			}
			w.raw = append(w.raw, make([]byte, start+size-len(w.raw))...)
		}
	}
	return w.data.write(w.raw)
}

// appendBytes writes padded bytes, or the items of an ndarray column.
func (w *columnWriter) appendBytes(v [][]byte, isNull func(int) bool) error {
	size := int(w.data.row)
	for i, b := range v {
		if isNull(i) {
			b = nil
		} else if len(b) > size || w.spec.Kind == NDArray && len(b) != size {
			return w.refuse(len(b), fmt.Sprintf("%d bytes", size))
		}
		w.raw = append(append(w.raw, b...), make([]byte, size-len(b))...)
	}
	return w.data.write(w.raw)
}

func (w *columnWriter) refuse(v any, what string) error {
	return &blosc2.OptionError{Option: "value of column " + w.spec.Name, Value: v, Range: what}
}

// finish yields the frames of the column, the first with the given key. They are
// valid until close.
func (w *columnWriter) finish(key string, rows int64, add func(tree.Item)) error {
	if w.seq != nil {
		f, err := w.seq.finish(key)
		if err == nil {
			add(f)
		}
		return err
	}
	for _, a := range []struct {
		suffix string
		w      *arrayWriter
	}{{"", w.data}, {".utf8", w.text}, {".notnull", w.notnull}} {
		if a.w == nil {
			continue
		}
		if a.w.file != nil && a.w.total == 0 { // no rows were added
			a.w.w.Abort(nil)
			continue
		}
		if rows == 0 && w.spec.Kind == UTF8 && a.suffix == "" { // a utf8 column without rows has one offset
			if err := a.w.write(make([]byte, 8)); err != nil {
				return err
			}
		}
		f, err := a.w.finish(key + a.suffix)
		if err != nil {
			return err
		}
		add(f)
	}
	if w.words == nil || w.stored == len(w.list) {
		return nil
	}
	var err error
	if w.seq, err = newBatchWriter(&Spec{Kind: VLString}); err != nil {
		return err
	}
	for _, s := range w.list {
		if err := w.seq.add(s); err != nil {
			return err
		}
	}
	f, err := w.seq.finish(key + "_dict")
	if err == nil {
		add(f)
	}
	return err
}

// writeOnes appends n bytes of 1 to an array of bytes.
func (a *arrayWriter) writeOnes(n int64) error {
	ones := bytes.Repeat([]byte{1}, 1<<16)
	for ; n > 0; n -= int64(len(ones)) {
		if err := a.write(ones[:min(n, int64(len(ones)))]); err != nil {
			return err
		}
	}
	return nil
}
