package stream

import (
	"fmt"
	"io"
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/items"
	"github.com/seed03b80dae/blosc2/meta"
)

// DTypeName is the name of the metalayer that says what the items are: their
// type as NumPy writes it, little-endian, in a msgpack string, such as "<f8".
const DTypeName = "dtype"

// A Number is an item that WriteSlice and ReadSlice know: of a type whose values
// are integers of a fixed size, floating-point or complex numbers.
type Number = items.Number

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
		c.chunk.TypeSize, c.typeSize = it.Size, true
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
	b := items.Bytes(s)
	if !items.LittleEndian && it.Size > 1 {
		b = slices.Clone(b)
		items.ToNative(b, it.DType)
	}
	n, err = w.Write(b)
	return n / it.Size, err
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
	b := items.Bytes(s)
	k, err := io.ReadFull(r, b)
	if err == io.ErrUnexpectedEOF && k >= it.Size {
		err = nil
		if k%it.Size != 0 {
			err = io.ErrUnexpectedEOF
		}
	}
	if err == nil { // the items may have come from frames that say something else
		if last, e := r.Header(); e == nil && last != h {
			err = it.check(last)
		}
	}
	items.ToNative(b[:k], it.DType)
	return k / it.Size, err
}

// itemType is what WriteSlice and ReadSlice know of a Number.
type itemType struct {
	meta.DType
	text string // as NumPy writes it
}

func itemTypeOf[T Number]() itemType {
	d := items.TypeOf[T]()
	return itemType{d, d.String()}
}

// layer is the metalayer that says so. The value is a msgpack fixstr.
func (it itemType) layer() meta.Layer {
	return meta.Layer{Name: DTypeName, Value: append([]byte{0xa0 | byte(len(it.text))}, it.text...)}
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
	if d, err := meta.ParseDType(text); err == nil && d.String() == it.text {
		return nil
	}
	return &blosc2.OptionError{Option: "item type", Value: it.text, Range: fmt.Sprintf("%q, as the frame says", text)}
}

// adopt makes items of this type those of the frame, as far as it does not say
// so already.
func (w *Writer) adopt(it itemType) error {
	if err := w.ready(); err != nil {
		return err
	}
	if w.items == it.text {
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
	case (begun || w.cfg.typeSize) && w.cfg.chunk.TypeSize != it.Size:
		return &blosc2.OptionError{Option: "item type", Value: it.text, Range: fmt.Sprintf("one of %d bytes", w.cfg.chunk.TypeSize)}
	case !begun:
		cfg := w.opts
		cfg.chunk.TypeSize = it.Size
		cfg.layers = append(cloneLayers(w.cfg.layers), it.layer())
		if err := w.configure(cfg); err != nil {
			return err
		}
	}
	w.items = it.text
	return nil
}

func (c *Conn) adopt(it itemType) error {
	c.wmu.Lock()
	defer c.wmu.Unlock()
	return c.w.adopt(it)
}
