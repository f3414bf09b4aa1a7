package serve

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"io"
	"math"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/item"
	"github.com/seed03b80dae/blosc2/meta"
)

// writeJSON writes {"shape": …, "dtype": …, "data": …}, with the items in nested
// lists.
func (a *answer) writeJSON() error {
	out, end := a.textWriter()
	shape := a.shape()
	head, err := marshal(struct {
		Shape []int64 `json:"shape"`
		DType string  `json:"dtype"`
	}{shape, a.dtypeText()})
	if err != nil {
		return err
	}
	out.Write(head[:len(head)-1])
	out.WriteString(`,"data":`)
	n := nest{shape: shape, counts: make([]int64, len(shape))}
	var b []byte
	put := func(text []byte) error {
		b = n.before(b[:0])
		b = append(b, text...)
		b = n.after(b)
		_, err := out.Write(b)
		return err
	}
	var text []byte
	var numbers []float64
	size := a.field.Size
	err = a.each(a.r.Context(), a.plan, func(b []byte) error {
		if a.as != "" {
			numbers = a.conv(numbers[:0], b)
			for _, v := range numbers {
				if err := put(appendFloat(text[:0], v, 64)); err != nil {
					return err
				}
			}
			return nil
		}
		for ; len(b) >= size && size > 0; b = b[size:] {
			if text = appendItem(text[:0], a.field, b[:size], a.strings); put(text) != nil {
				return a.r.Context().Err()
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if a.items() == 0 {
		out.WriteString("[]")
	}
	out.WriteString("}\n")
	return end()
}

// A nest writes the brackets and commas of nested lists.
type nest struct {
	shape  []int64
	counts []int64 // number of items so far, along each dimension
}

// before appends the brackets and commas that precede an item.
func (n *nest) before(b []byte) []byte {
	open := 0
	for d := len(n.shape) - 1; d >= 0 && n.counts[d] == 0; d-- {
		open++
	}
	if open < len(n.shape) {
		b = append(b, ',')
	}
	for range open {
		b = append(b, '[')
	}
	return b
}

// after appends the brackets that follow an item.
func (n *nest) after(b []byte) []byte {
	for d := len(n.shape) - 1; d >= 0; d-- {
		if n.counts[d]++; n.counts[d] < n.shape[d] {
			break
		}
		n.counts[d] = 0
		b = append(b, ']')
	}
	return b
}

// appendItem appends an item as JSON. Numbers become numbers, or strings if JSON lacks
// them. Structures become objects, and everything else becomes a string.
func appendItem(b []byte, d meta.DType, it []byte, asText bool) []byte {
	switch {
	case asText && d.Kind != meta.Struct:
		return appendString(b, item.Text(d, it))
	case d.Kind == meta.Bool:
		return strconv.AppendBool(b, it[0] != 0)
	case d.Kind == meta.Float && d.Size <= 8:
		v, _ := item.Real(d, it)
		return appendFloat(b, v, max(32, 8*d.Size))
	case isNumber(d):
		return append(b, item.Text(d, it)...)
	case d.Kind == meta.Complex && d.Size <= 16:
		h := d.Size / 2
		re, _ := item.Real(d, it[:h])
		im, _ := item.Real(d, it[h:])
		b = appendFloat(append(b, '['), re, 8*h)
		return append(appendFloat(append(b, ','), im, 8*h), ']')
	case d.Kind == meta.Struct:
		return appendRecord(b, d, it, asText)
	}
	return appendString(b, item.Text(d, it))
}

func appendRecord(b []byte, d meta.DType, it []byte, asText bool) []byte {
	b = append(b, '{')
	for i, f := range d.Fields {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendString(b, f.Name), ':')
		if f.Shape != nil {
			b = append(b, '[')
		}
		for at := f.Offset; at < f.Offset+f.Len(); at += max(f.Type.Size, 1) {
			if at > f.Offset {
				b = append(b, ',')
			}
			b = appendItem(b, f.Type, it[at:at+f.Type.Size], asText)
		}
		if f.Shape != nil {
			b = append(b, ']')
		}
	}
	return append(b, '}')
}

// appendFloat appends a number, or Zarr's name for one that JSON lacks.
func appendFloat(b []byte, v float64, bits int) []byte {
	switch {
	case v != v:
		return append(b, `"NaN"`...)
	case math.IsInf(v, 1):
		return append(b, `"Infinity"`...)
	case math.IsInf(v, -1):
		return append(b, `"-Infinity"`...)
	}
	return strconv.AppendFloat(b, v, 'g', -1, bits)
}

func appendString(b []byte, s string) []byte {
	text, _ := marshal(s)
	return append(b, text...)
}

// writeCSV writes a line for each row along the last dimension, or for each item if
// there is only one dimension or the items are structures.
func (a *answer) writeCSV() error {
	out, end := a.textWriter()
	rows := csv.NewWriter(out)
	shape := a.shape()
	width := int64(1)
	if len(shape) > 1 && a.field.Kind != meta.Struct {
		width = shape[len(shape)-1]
	}
	if a.field.Kind == meta.Struct {
		var names []string
		for _, f := range a.field.Fields {
			names = append(names, f.Name)
		}
		if err := rows.Write(names); err != nil {
			return err
		}
	}
	var row []string
	cell := func(text string) error {
		if row = append(row, text); int64(len(row)) < width {
			return nil
		}
		err := rows.Write(row)
		row = row[:0]
		return err
	}
	var numbers []float64
	size := a.field.Size
	err := a.each(a.r.Context(), a.plan, func(b []byte) (err error) {
		if a.as != "" {
			numbers = a.conv(numbers[:0], b)
			for i := 0; i < len(numbers) && err == nil; i++ {
				err = cell(strconv.FormatFloat(numbers[i], 'g', -1, 64))
			}
			return err
		}
		for ; len(b) >= size && size > 0 && err == nil; b = b[size:] {
			if a.field.Kind == meta.Struct {
				err = rows.Write(cells(row[:0], a.field, b[:size]))
			} else {
				err = cell(item.Text(a.field, b[:size]))
			}
		}
		return err
	})
	if err != nil {
		return err
	}
	if rows.Flush(); rows.Error() != nil {
		return rows.Error()
	}
	return end()
}

// cells appends the fields of a structure as text; a field that is an array, or a
// structure, is one cell.
func cells(row []string, d meta.DType, b []byte) []string {
	for _, f := range d.Fields {
		var texts []string
		for at := f.Offset; at < f.Offset+f.Len(); at += max(f.Type.Size, 1) {
			texts = append(texts, item.Text(f.Type, b[at:at+f.Type.Size]))
		}
		row = append(row, strings.Join(texts, " "))
	}
	return row
}

var gzips = sync.Pool{New: func() any { z, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed); return z }}

// compressed returns a writer that compresses to out if the client accepts gzip,
// and the function that ends it.
func compressed(w http.ResponseWriter, r *http.Request, out io.Writer) (io.Writer, func() error) {
	w.Header().Add("Vary", "Accept-Encoding")
	if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		return out, func() error { return nil }
	}
	w.Header().Set("Content-Encoding", "gzip")
	z := gzips.Get().(*gzip.Writer)
	z.Reset(out)
	return z, func() error {
		err := z.Close()
		gzips.Put(z)
		return err
	}
}

// answerJSON answers with a value as JSON.
func answerJSON(w http.ResponseWriter, r *http.Request, v any) error {
	b, err := marshal(v)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	out, end := compressed(w, r, w)
	if r.Method == http.MethodHead {
		return nil
	}
	limitWriting(w, int64(len(b)))
	if _, err := out.Write(append(b, '\n')); err != nil {
		panic(http.ErrAbortHandler)
	}
	if err := end(); err != nil {
		panic(http.ErrAbortHandler)
	}
	return nil
}

// pack writes b to w, compressed with gzip.
func pack(w io.Writer, b []byte) error {
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := z.Write(b); err != nil {
		return err
	}
	return z.Close()
}

// marshal returns v as JSON, without escapes for HTML.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
