package main

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/item"
	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/names"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/zarr"
	"github.com/seed03b80dae/blosc2/meta"
)

// A view reads windows of a file: of an array, or of anything else as an array of
// one dimension.
type view struct {
	*target
	shape []int64
	dtype meta.DType
	whole int64 // number of rows that are fastest to read at a time
	// chunksPerRow is the number of chunks along the last dimension, 0 if there is only
	// one dimension.
	chunksPerRow int64
	read         windowReader
	rest         int64         // bytes after the last whole item
	untyped      bool          // the type of the items of a frame or a chunk is not known
	watch        func(n int64) // called with the number of bytes read for a window; may be nil
	names        names.Source  // metadata of a Zarr array
	zarr         *zarr.Array   // the array, if it is a Zarr array; else nil
}

// openView opens a file. Its items have the type dtype. If that is "", they have the
// type of the array or the frame, or else the type in the suffix of the name without
// .b2frame, or else they are bytes.
func (e *env) openView(name, dtype string, opts ...frame.Option) (*view, error) {
	if isZarr(name) {
		return e.viewZarr(name, dtype)
	}
	t, err := e.openTarget(name, opts...)
	if errors.Is(err, errKind) || errors.Is(err, fs.ErrNotExist) || err == nil && t.mistaken() {
		return e.viewPlain(name, dtype, err)
	}
	if err != nil {
		return nil, err
	}
	return viewOf(t, dtype)
}

// openAll is like openView, and also reports the bytes after the last whole item.
func (e *env) openAll(name, dtype string, opts ...frame.Option) (*view, error) {
	v, err := e.openView(name, dtype, opts...)
	if err == nil {
		e.noteRest(name, v.rest, v.dtype)
	}
	return v, err
}

// noteRest reports the bytes after the last whole item.
func (e *env) noteRest(name string, rest int64, d meta.DType) {
	if rest > 0 {
		be := "are"
		if rest == 1 {
			be = "is"
		}
		e.note("%s: the %s of %s, and %s left out", publicName(name), unfilled(rest), d, be)
	}
}

// viewOf returns the view of a target, which it closes if that fails.
func viewOf(t *target, dtype string) (*view, error) {
	v := &view{target: t, whole: 1}
	var err error
	var tensor bool
	if t.kind == kindArray {
		err = v.openArray()
	} else if tensor, err = v.openTensor(); err == nil && !tensor {
		err = v.openItems(dtype)
	}
	if err == nil {
		err = v.restrict()
	}
	if err == nil && dtype != "" {
		err = v.retype(dtype)
	}
	if err != nil {
		t.Close()
		return nil, withName(t.name, err)
	}
	return v, nil
}

// mistaken reports whether a file only looks like a chunk: its name has a type's
// suffix, and its length is not that of the chunk.
func (t *target) mistaken() bool {
	if t.kind != kindChunk || suffixDType(t.name) == "" {
		return false
	}
	h, err := chunk.ParseHeader(t.chunk)
	return err != nil || int64(h.CBytes) != t.size
}

// viewPlain opens an uncompressed file; missing is the error to return for a file
// that cannot be opened at all.
func (e *env) viewPlain(name, dtype string, missing error) (*view, error) {
	if _, member := splitMember(name); errors.Is(missing, fs.ErrNotExist) && member == "" {
		return nil, missing
	}
	p, err := e.openPlain(name, dtype)
	if err != nil {
		return nil, withName(name, err)
	}
	v := &view{target: &target{name: name, kind: p.kind, closer: p.close}, shape: p.shape, rest: p.rest, dtype: p.dtype, whole: 1, read: p.read}
	if dtype != "" {
		err = v.retype(dtype)
	}
	if err != nil {
		v.Close()
		return nil, withName(name, err)
	}
	return v, nil
}

func (v *view) openArray() error {
	a, err := b2nd.FromFrame(v.frame)
	if err != nil {
		return err
	}
	v.shape, v.dtype = a.Shape(), itemType(a)
	v.read, err = v.refreshing(func(f *frame.Reader) (windowReader, error) {
		a, err := b2nd.FromFrame(f)
		if err != nil {
			return nil, err
		}
		return a.ReadWindow, nil
	})
	if len(v.shape) > 0 {
		v.whole = a.ChunkShape()[0]
	}
	if last := len(v.shape) - 1; last > 0 {
		v.chunksPerRow = (v.shape[last] + a.ChunkShape()[last] - 1) / max(a.ChunkShape()[last], 1)
	}
	return err
}

// openItems opens a frame or a chunk as an array of one dimension.
func (v *view) openItems(dtype string) error {
	var src io.ReaderAt = v.frame
	var size, typeSize int64
	if v.frame != nil {
		size, typeSize = v.frame.Size(), int64(v.frame.Header().TypeSize)
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
	v.untyped = err != nil
	if v.frame != nil {
		v.whole = max(1, int64(v.frame.Header().ChunkSize)/int64(d.Size))
	}
	v.dtype, v.shape, v.rest = d, []int64{size / int64(d.Size)}, size%int64(d.Size)
	from := func(src io.ReaderAt) windowReader {
		return func(dst []byte, w b2nd.Window) error { return item.Read(dst, src, 0, w[0], int64(d.Size)) }
	}
	if v.frame == nil {
		v.read = from(src)
		return nil
	}
	v.read, err = v.refreshing(func(f *frame.Reader) (windowReader, error) { return from(f), nil })
	return err
}

// ownType returns the type of the items from a frame and its name.
func (v *view) ownType() string {
	if text := v.target.dtype(); text != "" {
		return text
	}
	name := strings.TrimSuffix(filepath.Clean(v.name), filepath.Ext(v.name))
	return suffixDType(name)
}

// retype changes the type of the items to another type of the same size.
func (v *view) retype(dtype string) error {
	d, err := sameSize(v.name, dtype, v.dtype)
	if err == nil {
		v.dtype = d
	}
	return err
}

// window parses a window. For "" it selects all items.
func (v *view) window(text string) (*selection, error) {
	s, err := parseSelection(text, v.shape, v.dtype)
	if err != nil {
		return nil, misusef("%s: window %s of shape %v: %s", publicName(v.name), strings.TrimSpace(text), v.shape, plain(err))
	}
	return s, nil
}

// all returns the selection of all items.
func (v *view) all() *selection {
	return &selection{Window: b2nd.All(v.shape), backward: make([]bool, len(v.shape)), item: v.dtype.Size, dtype: v.dtype}
}

// pieceBytes is the approximate number of bytes of a window that are read at a
// time.
const pieceBytes = 16 << 20

// pieces calls each with the selected items, piece by piece in C order. A piece is
// a number of steps along the first dimension.
func (v *view) pieces(s *selection, each func(b []byte) error) error {
	w := s.Window
	row, items := int64(v.dtype.Size), int64(1)
	for d, s := range w {
		items *= s.Len()
		if d > 0 {
			row *= s.Len()
		}
	}
	if items == 0 {
		return v.lostAfter(s)
	}
	if row > maxRow {
		return blosc2.Errorf(blosc2.PartMeta, blosc2.ErrTooLarge, "a row of the window has %s bytes", commas(row))
	}
	if len(w) == 0 {
		b := make([]byte, row)
		if err := v.read(b, w); err != nil {
			return err
		}
		return each(s.arrange(b, 1))
	}
	first := w[0]
	most := max(1, pieceBytes/row/v.whole*v.whole, min(v.whole, maxRow/row))
	part := append(b2nd.Window{}, w...)
	var b []byte
	read := int64(0)
	for at := int64(0); at < first.Len(); at += most {
		rows := min(most, first.Len()-at)
		from := at
		if s.backward[0] {
			from = first.Len() - at - rows
		}
		part[0].Start = first.Start + from*first.Step
		part[0].Stop = part[0].Start + (rows-1)*first.Step + 1
		n := rows * row
		if int64(cap(b)) < n {
			b = make([]byte, n)
		}
		if err := v.read(b[:n], part); err != nil {
			return err
		}
		if err := each(s.arrange(b[:n], rows)); err != nil {
			return err
		}
		if read += n; v.watch != nil {
			v.watch(read)
		}
	}
	return v.lostAfter(s)
}

// lostAfter returns an error if a selection reaches the end of a frame and flushed data
// after that end are damaged.
func (v *view) lostAfter(s *selection) error {
	if v.target == nil || v.frame == nil || len(s.Window) == 0 {
		return nil
	}
	if w := s.Window[0]; w.Len() > 0 && w.Start+(w.Len()-1)*w.Step < v.shape[0]-1 || w.Len() == 0 && v.shape[0] > 0 {
		return nil
	}
	return v.frame.Lost()
}

// maxRow is the largest number of bytes of one step along the first dimension.
const maxRow = 1 << 30
