package b2io

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"reflect"
	"sync"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/filters"
)

func init() {
	beam.RegisterCoder(reflect.TypeFor[Window](), encodeWindow, decodeWindow)
}

// A Window is a box of items of an array. A frame without an array counts as an array
// of one dimension.
type Window struct {
	Source   string  // the file it was read from
	Start    []int64 // position of the first item in the array, along each dimension
	Shape    []int64 // number of items along each dimension
	DType    string  // type of the items in NumPy's notation; "" if not recorded
	ItemSize int     // bytes of an item
	Items    []byte  // the items in C order

	// Params says how the file was compressed, and how the coder compresses. The
	// zero value means the defaults of package chunk. The coder ignores lossy
	// settings.
	Codec     blosc2.CodecID
	CodecMeta uint8
	Level     int
	Filters   filters.Pipeline
}

// Bytes returns the number of bytes of the items, by the shape.
func (w *Window) Bytes() int64 {
	n := int64(w.ItemSize)
	for _, s := range w.Shape {
		n *= s
	}
	return n
}

// Window returns the place as a window of package b2nd.
func (w *Window) Window() b2nd.Window {
	v := make(b2nd.Window, len(w.Start))
	for d := range v {
		v[d] = b2nd.Span{Start: w.Start[d], Stop: w.Start[d] + w.Shape[d], Step: 1}
	}
	return v
}

// windowVersion is the version of encoded windows. An encoded window is its
// version, its fields as varints and strings, six bytes of filters and six of their
// metas, and a Blosc2 chunk of the items.
const windowVersion = 1

var errWindow = errors.New("b2io: not an encoded window")

var (
	encoders sync.Pool // holds *chunk.Encoder
	decoders = sync.Pool{New: func() any { return new(chunk.Decoder) }}
)

// params returns the parameters with which the coder compresses the items.
func (w *Window) params() chunk.Params {
	p := chunk.Params{Codec: w.Codec, CodecMeta: w.CodecMeta, Level: w.Level, Filters: w.Filters}
	if w.Level == 0 && w.Codec == 0 && w.Filters == (filters.Pipeline{}) {
		p = chunk.Default()
	}
	p.TypeSize = w.ItemSize
	if p.Filters.Lossy() || p.Validate() != nil {
		p = chunk.Default()
		p.TypeSize = w.ItemSize
	}
	return p
}

func encodeWindow(w Window) ([]byte, error) {
	return appendWindow(make([]byte, 0, 64+len(w.Source)+len(w.DType)+chunk.Bound(len(w.Items))), &w)
}

func appendWindow(b []byte, w *Window) ([]byte, error) {
	if len(w.Start) != len(w.Shape) || w.ItemSize < 1 || w.Bytes() != int64(len(w.Items)) {
		return nil, fmt.Errorf("b2io: invalid window of shape %v at %v with items of %d bytes and %d bytes in all", w.Shape, w.Start, w.ItemSize, len(w.Items))
	}
	b = append(b, windowVersion)
	b = appendString(b, w.Source)
	b = appendString(b, w.DType)
	b = binary.AppendUvarint(b, uint64(w.ItemSize))
	b = binary.AppendUvarint(b, uint64(len(w.Shape)))
	for d := range w.Shape {
		b = binary.AppendUvarint(b, uint64(w.Start[d]))
		b = binary.AppendUvarint(b, uint64(w.Shape[d]))
	}
	b = append(b, byte(w.Codec), w.CodecMeta, byte(w.Level))
	for i, id := range w.Filters.IDs {
		b = append(b, byte(id), w.Filters.Metas[i])
	}
	return compress(b, w.Items, w.params())
}

func compress(dst, items []byte, p chunk.Params) ([]byte, error) {
	e, _ := encoders.Get().(*chunk.Encoder)
	var err error
	if e == nil {
		e, err = chunk.NewEncoder(p)
	} else {
		err = e.Reset(p)
	}
	if err != nil {
		return nil, err
	}
	defer encoders.Put(e)
	return e.Encode(dst, items)
}

func decodeWindow(b []byte) (w Window, err error) { return decodeWindowTo(nil, b) }

// decodeWindowTo uses buf for the items, if it is large enough.
func decodeWindowTo(buf, b []byte) (w Window, err error) {
	if len(b) == 0 || b[0] != windowVersion {
		return w, errWindow
	}
	r := windowReader{b: b[1:]}
	w.Source, w.DType = r.string(), r.string()
	w.ItemSize = int(r.uint(chunk.MaxBytes))
	ndim := int(r.uint(b2nd.MaxDim))
	size := uint64(w.ItemSize)
	w.Start, w.Shape = make([]int64, ndim), make([]int64, ndim)
	for d := range ndim {
		w.Start[d], w.Shape[d] = int64(r.uint(1<<62)), int64(r.uint(chunk.MaxBytes))
		hi, lo := bits.Mul64(size, uint64(w.Shape[d]))
		if size = lo; hi != 0 || lo > chunk.MaxBytes {
			r.bad = true
			size = 0
		}
	}
	head := r.bytes(3 + 2*filters.Slots)
	if r.bad || w.ItemSize < 1 {
		return Window{}, errWindow
	}
	w.Codec, w.CodecMeta, w.Level = blosc2.CodecID(head[0]), head[1], int(head[2])
	for i := range filters.Slots {
		w.Filters.IDs[i], w.Filters.Metas[i] = blosc2.FilterID(head[3+2*i]), head[4+2*i]
	}
	h, err := chunk.ParseHeader(r.b)
	if err != nil {
		return Window{}, err
	}
	if uint64(h.NBytes) != size {
		return Window{}, fmt.Errorf("%w: decodes to %d bytes; its shape needs %d", errWindow, h.NBytes, size)
	}
	d := decoders.Get().(*chunk.Decoder)
	defer decoders.Put(d)
	if w.Items, err = d.Decode(buf[:0], r.b); err != nil {
		return Window{}, err
	}
	return w, nil
}

func appendString(b []byte, s string) []byte {
	b = binary.AppendUvarint(b, uint64(len(s)))
	return append(b, s...)
}

// A windowReader reads the fields of an encoded window. After the first invalid
// field it returns zeros.
type windowReader struct {
	b   []byte
	bad bool
}

func (r *windowReader) uint(most uint64) uint64 {
	v, n := binary.Uvarint(r.b)
	if r.bad || n <= 0 || v > most {
		r.bad = true
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *windowReader) bytes(n int) []byte {
	if r.bad || n > len(r.b) {
		r.bad = true
		return nil
	}
	b := r.b[:n]
	r.b = r.b[n:]
	return b
}

func (r *windowReader) string() string { return string(r.bytes(int(r.uint(1 << 20)))) }
