package stream

import (
	"encoding/binary"
	"fmt"
	"io"
	"reflect"
	"slices"
	"unsafe"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/meta"
)

// DTypeName is the name of the metalayer that says what the items are: their
// type as NumPy writes it, little-endian, in a msgpack string, such as "<f8".
const DTypeName = "dtype"

// A Number is an item that WriteSlice and ReadSlice know.
type Number interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64 | ~complex64 | ~complex128
}

// An ItemWriter is a *Writer or a *Conn.
type ItemWriter interface {
	io.Writer
	adopt(itemType) error
}

// An ItemReader is a *Reader or a *Conn.
type ItemReader interface {
	io.Reader
	Header() (*header.Header, error)
}

// Items says that the items are T: it sets the typesize and the metalayer
// dtype. A Writer that is told nothing takes both from its first WriteSlice; a
// Conn, whose header is sent at once, must be told.
func Items[T Number]() WriterOption {
	it := itemTypeOf[T]()
	return writerOption(func(c *writerConfig) {
		c.chunk.TypeSize, c.typeSize = it.size, true
		c.layers = append(c.layers, it.layer())
	})
}

// WriteSlice writes the items of s, little-endian on every machine. Items of
// another type than those that were written before, or than Items or TypeSize
// said, are a *blosc2.OptionError. n counts items.
func WriteSlice[T Number](w ItemWriter, s []T) (n int, err error) {
	it := itemTypeOf[T]()
	if err := w.adopt(it); err != nil {
		return 0, err
	}
	b := bytesOf(s)
	if !littleEndian && it.unit > 1 {
		b = slices.Clone(b)
		swap(b, it.unit)
	}
	n, err = w.Write(b)
	return n / it.size, err
}

// ReadSlice fills s with items, and reads fewer only at the end; if it reads
// none, the error is io.EOF. An end within an item is io.ErrUnexpectedEOF. Where
// the frame says what its items are, another type is a *blosc2.OptionError;
// where it does not, its bytes are taken to be little-endian items. n counts
// items.
func ReadSlice[T Number](r ItemReader, s []T) (n int, err error) {
	it := itemTypeOf[T]()
	h, err := r.Header()
	if err == nil {
		err = it.check(h)
	}
	if err != nil || len(s) == 0 {
		return 0, err
	}
	b := bytesOf(s)
	k, err := io.ReadFull(r, b)
	if err == io.ErrUnexpectedEOF && k >= it.size {
		err = nil
		if k%it.size != 0 {
			err = io.ErrUnexpectedEOF
		}
	}
	if err == nil { // the items may have come from frames that say something else
		if last, e := r.Header(); e == nil && last != h {
			err = it.check(last)
		}
	}
	if !littleEndian {
		swap(b[:k], it.unit)
	}
	return k / it.size, err
}

// itemType is what WriteSlice and ReadSlice know of a Number.
type itemType struct {
	dtype string // as NumPy writes it
	size  int    // bytes
	unit  int    // bytes that have an order: half of a complex number
}

func itemTypeOf[T Number]() itemType {
	var zero T
	size := int(unsafe.Sizeof(zero))
	d := meta.DType{Order: '<', Size: size}
	if size == 1 {
		d.Order = '|'
	}
	unit := size
	switch t := reflect.TypeFor[T](); {
	case t.Kind() >= reflect.Complex64:
		d.Kind, unit = meta.Complex, size/2
	case t.Kind() >= reflect.Float32:
		d.Kind = meta.Float
	case t.Kind() >= reflect.Uint:
		d.Kind = meta.Uint
	default:
		d.Kind = meta.Int
	}
	return itemType{dtype: d.String(), size: size, unit: unit}
}

// layer is the metalayer that says so. The value is a msgpack fixstr.
func (it itemType) layer() meta.Layer {
	return meta.Layer{Name: DTypeName, Value: append([]byte{0xa0 | byte(len(it.dtype))}, it.dtype...)}
}

// check compares with what a header says, if it says anything.
func (it itemType) check(h *header.Header) error {
	if value, ok := h.Layer(DTypeName); ok {
		return it.equals(value)
	}
	return nil
}

// equals compares with the value of the metalayer.
func (it itemType) equals(value []byte) error {
	text := string(value[:min(len(value), 64)])
	if text != "" && text[0]&0xe0 == 0xa0 {
		text = text[1:]
	}
	if d, err := meta.ParseDType(text); err == nil && d.String() == it.dtype {
		return nil
	}
	return &blosc2.OptionError{Option: "item type", Value: it.dtype, Range: fmt.Sprintf("%q, as the frame says", text)}
}

// adopt makes items of this type those of the frame, as far as it does not say
// so already.
func (w *Writer) adopt(it itemType) error {
	if err := w.ready(); err != nil {
		return err
	}
	if w.items == it.dtype {
		return nil
	}
	if w.items != "" {
		return it.equals([]byte(w.items))
	}
	value, given := meta.Find(w.cfg.layers, DTypeName)
	begun := w.frame != nil || w.stats.Bytes > 0
	switch {
	case given:
		if err := it.equals(value); err != nil {
			return err
		}
	case (begun || w.cfg.typeSize) && w.cfg.chunk.TypeSize != it.size:
		return &blosc2.OptionError{Option: "item type", Value: it.dtype, Range: fmt.Sprintf("one of %d bytes", w.cfg.chunk.TypeSize)}
	case !begun:
		cfg := w.opts
		cfg.chunk.TypeSize = it.size
		cfg.layers = append(cloneLayers(w.cfg.layers), it.layer())
		if err := w.configure(cfg); err != nil {
			return err
		}
	}
	w.items = it.dtype
	return nil
}

func (c *Conn) adopt(it itemType) error {
	c.wmu.Lock()
	defer c.wmu.Unlock()
	return c.w.adopt(it)
}

// littleEndian tells whether the machine's memory is as the items are stored.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// bytesOf is the memory of s.
func bytesOf[T Number](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(*new(T))))
}

// swap turns the bytes of every unit round.
func swap(b []byte, unit int) {
	for ; len(b) >= unit; b = b[unit:] {
		slices.Reverse(b[:unit])
	}
}
