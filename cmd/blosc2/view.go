package main

import (
	"bytes"
	"io"
	"path/filepath"
	"strings"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/stream"
)

// A view gives the items of a file that a window takes: of an array, or of
// anything else as an array of one dimension.
type view struct {
	*target
	shape []int64
	dtype meta.DType
	whole int64                                 // rows that are best read at once
	read  func(dst []byte, w b2nd.Window) error // as b2nd.Array.ReadWindow
}

// openView opens a file. The type of its items, if dtype does not say it, is
// that of the array, what the frame says, the suffix of the name without
// .b2frame, or bytes.
func openView(name, dtype string) (*view, error) {
	t, err := openTarget(name)
	if err != nil {
		return nil, err
	}
	v := &view{target: t, whole: 1}
	if t.kind == kindArray {
		err = v.openArray()
	} else {
		err = v.openItems(dtype)
	}
	if err == nil && dtype != "" {
		err = v.retype(dtype)
	}
	if err != nil {
		t.Close()
		return nil, about(name, err)
	}
	return v, nil
}

func (v *view) openArray() error {
	a, err := b2nd.FromFrame(v.frame)
	if err != nil {
		return err
	}
	v.shape, v.dtype, v.read = a.Shape(), itemType(a), a.ReadWindow
	if len(v.shape) > 0 {
		v.whole = int64(a.ChunkShape()[0])
	}
	return nil
}

// openItems makes one dimension of a frame or a chunk.
func (v *view) openItems(dtype string) error {
	var src io.ReaderAt = v.frame
	var size, typeSize int64
	if v.frame != nil {
		size, typeSize = v.frame.Size(), int64(v.frame.Header().TypeSize)
		v.whole = max(1, int64(v.frame.Header().ChunkSize)/typeSize)
	} else {
		var dec chunk.Decoder
		b, err := dec.Decode(nil, v.chunk)
		if err != nil {
			return err
		}
		h, err := chunk.ParseHeader(v.chunk)
		if err != nil {
			return err
		}
		src, size, typeSize = bytes.NewReader(b), int64(len(b)), int64(h.TypeSize)
	}
	if dtype == "" {
		dtype = v.ownType()
	}
	d, err := meta.ParseDType(dtype)
	if err != nil {
		d = meta.DType{Kind: meta.Void, Order: '|', Size: int(typeSize)}
	}
	v.dtype, v.shape = d, []int64{size / int64(d.Size)}
	v.read = func(dst []byte, w b2nd.Window) error { return readItems(src, dst, w[0], int64(d.Size)) }
	return nil
}

// ownType is what a frame and its name say about its items.
func (v *view) ownType() string {
	if v.frame != nil {
		if value, ok := v.frame.Metalayer(stream.DTypeName); ok {
			if said, err := meta.Decode(value); err == nil {
				if text, ok := said.(string); ok {
					return text
				}
			}
		}
	}
	name := strings.TrimSuffix(filepath.Clean(v.name), filepath.Ext(v.name))
	return suffixDType(name)
}

// retype takes the items for another type of the same size.
func (v *view) retype(dtype string) error {
	d, err := meta.ParseDType(dtype)
	if err != nil {
		return misusef("--dtype %s: no type of NumPy", dtype)
	}
	if d.Size != v.dtype.Size {
		return misusef("--dtype %s: items of %d bytes, those of the array have %d", dtype, d.Size, v.dtype.Size)
	}
	v.dtype = d
	return nil
}

// readItems reads every Step-th item of a span.
func readItems(src io.ReaderAt, dst []byte, s b2nd.Span, item int64) error {
	if s.Len() == 0 {
		return nil
	}
	if s.Step == 1 {
		_, err := src.ReadAt(dst, s.Start*item)
		return noEOF(err)
	}
	for i := range s.Len() {
		if _, err := src.ReadAt(dst[:item], (s.Start+i*s.Step)*item); noEOF(err) != nil {
			return err
		}
		dst = dst[item:]
	}
	return nil
}

// noEOF drops the io.EOF with which a ReaderAt may end a full read.
func noEOF(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

// window reads a window's text; "" is all of it.
func (v *view) window(text string) (b2nd.Window, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return b2nd.All(v.shape), nil
	}
	w, err := b2nd.ParseWindow(text, v.shape)
	if err != nil {
		return nil, misusef("window %s of shape %v: %s", text, v.shape, plain(err))
	}
	return w, nil
}

// pieceBytes is about how much of a window is read at once.
const pieceBytes = 16 << 20

// pieces calls each with the items of w, piece by piece in C order. A piece is
// a number of steps along the first dimension.
func (v *view) pieces(w b2nd.Window, each func(b []byte) error) error {
	row, items := int64(v.dtype.Size), int64(1)
	for d, s := range w {
		items *= s.Len()
		if d > 0 {
			row *= s.Len()
		}
	}
	if items == 0 {
		return nil
	}
	if row > maxRow {
		return blosc2.Errorf(blosc2.PartMeta, blosc2.ErrTooLarge, "a row of the window has %s bytes", commas(row))
	}
	if len(w) == 0 {
		b := make([]byte, row)
		if err := v.read(b, w); err != nil {
			return err
		}
		return each(b)
	}
	first := w[0]
	most := max(1, pieceBytes/row/v.whole*v.whole, min(v.whole, maxRow/row))
	part := append(b2nd.Window{}, w...)
	var b []byte
	for at := int64(0); at < first.Len(); at += most {
		rows := min(most, first.Len()-at)
		part[0].Start = first.Start + at*first.Step
		part[0].Stop = part[0].Start + (rows-1)*first.Step + 1
		n := rows * row
		if int64(cap(b)) < n {
			b = make([]byte, n)
		}
		if err := v.read(b[:n], part); err != nil {
			return err
		}
		if err := each(b[:n]); err != nil {
			return err
		}
	}
	return nil
}

// maxRow bounds the memory for one step along the first dimension.
const maxRow = 1 << 30
