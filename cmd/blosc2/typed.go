package main

import (
	"cmp"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/npy"
	"github.com/seed03b80dae/blosc2/stream"
)

// asNPY reports whether the output's name has the suffix .npy.
func (c *decompressCmd) asNPY(name string) bool {
	return c.Out != "" && filepath.Ext(name) == npySuffix && !c.Raw
}

// asCSV reports whether the name of the output means that the items are written as
// comma-separated values.
func (c *decompressCmd) asCSV(name string) bool {
	return c.Out != "" && filepath.Ext(name) == csvSuffix && !c.Raw
}

// rowsOf writes, as comma-separated values, the items that copyTo writes.
func rowsOf(w io.Writer, dtype string, copyTo func(io.Writer) error) error {
	d, err := parseDType(dtype)
	if err != nil {
		return err
	}
	rows := newCSVRows(w, d, csvForm{comma: ',', header: csvHeader(d)})
	if err := rows.head(); err != nil {
		return err
	}
	if err := copyTo(rows); err != nil {
		return err
	}
	return rows.end()
}

var errNoType = errors.New("the type of its items is not known; use --dtype to set it, or --raw to write the bytes")

// itemsOf writes, as a one-dimensional .npy file, the items that copyTo writes.
func (c *decompressCmd) itemsOf(w io.Writer, known string, copyTo func(io.Writer) error) error {
	dtype := cmp.Or(c.DType, known)
	if dtype == "" {
		return errNoType
	}
	d, err := parseDType(dtype)
	if err != nil {
		return err
	}
	out, err := npy.NewWriter(w, npy.Header{DType: d.String(), Shape: []int64{npy.Unknown}})
	if err != nil {
		return err
	}
	err = copyTo(out)
	return cmp.Or(err, out.Close())
}

// dtypeOfStream returns the type of the items in the metalayers of the first frame of a
// stream, or "".
func dtypeOfStream(r *stream.Reader) string {
	h, err := r.Header()
	if err != nil {
		return ""
	}
	value, ok := h.Layer(meta.DTypeName)
	return dtypeText(value, ok)
}

// dtypeText decodes the metalayer of the type.
func dtypeText(value []byte, ok bool) string {
	if !ok {
		return ""
	}
	said, err := meta.Decode(value)
	if err != nil {
		return ""
	}
	text, _ := said.(string)
	if _, err := meta.ParseDType(text); err != nil {
		return ""
	}
	return text
}

// A patcher is a counter that can also overwrite what it has written.
type patcher struct {
	*counter
	file *os.File
}

func (p patcher) WriteAt(b []byte, at int64) (int, error) { return p.file.WriteAt(b, at) }

func (p patcher) Seek(at int64, whence int) (int64, error) {
	if whence != io.SeekCurrent || at != 0 {
		return 0, errors.ErrUnsupported
	}
	return p.file.Seek(0, io.SeekCurrent)
}
