package stream

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/items"
	"github.com/seed03b80dae/blosc2/meta"
)

// An ItemWriter is a *Writer or a *Conn.
type ItemWriter interface {
	io.Writer
	adopt(*items.Type) (*items.Plan, error)
}

// An ItemReader is a *Reader, a *Conn or a *Follower.
type ItemReader interface {
	io.Reader
	Header() (*header.Header, error)
}

// Items sets the type of the items to T: the typesize and the metalayer dtype.
// Without it a Writer or Conn takes both from its first WriteSlice. With ItemSize, Auto may
// choose another typesize. A T that is not a type of items, or another TypeSize, ItemSize or
// Items of a different size, returns a *blosc2.OptionError.
func Items[T any]() WriterOption {
	var d meta.DType
	var text string
	t, err := items.Of[T]()
	if err == nil {
		d, text, err = t.DType()
	}
	return writerOption(func(c *writerConfig) {
		if err != nil {
			c.bad = err
			return
		}
		c.setItemSize(d.Size)
		c.layers = append(c.layers, dtypeLayer(text))
	})
}

// WriteSlice writes the items of s, little-endian on every machine. n counts
// items.
//
// T is a number of a fixed size, a bool, a [N]byte, or a struct with fields of
// these types, structs, or arrays. The fields of a struct become those of a NumPy
// record, in order and without padding. A tag names a field, and may set its type
// if NumPy has several for a Go type:
//
//	type sample struct {
//		Time  int64      `blosc2:"time,datetime64[ns]"`
//		Site  [8]byte    `blosc2:"site,S8"`
//		Value [3]float32 `blosc2:"value"`
//		Note  string     `blosc2:"-"` // left out
//	}
//
// A field without a tag keeps its name, an embedded struct adds its fields, and
// a field named _ is padding. In a struct with a field
//
//	_ struct{} `blosc2:",align"`
//
// fields are aligned as by a C compiler and by NumPy with align=True, on every
// machine, and so are those of nested structs.
//
// Any other type, such as int or string, returns a *blosc2.OptionError, and so
// does a type that differs from earlier items, Items or TypeSize. Fields are compared
// by name, and all must be present. A Writer also returns one after a Write that ended
// within an item, which would shift all later items. The messages on a Conn may have
// any length.
func WriteSlice[T any](w ItemWriter, s []T) (n int, err error) {
	t, err := items.Of[T]()
	if err != nil {
		return 0, err
	}
	plan, err := w.adopt(t)
	if err != nil {
		return 0, err
	}
	return plan.Write(w, items.Bytes(s))
}

// ReadSlice fills s with items, and reads fewer only at the end. It returns the number of
// items, io.EOF if it reads none, and io.ErrUnexpectedEOF if the data end within an item.
// From a Conn or a Follower it waits until s is full.
//
// T is as for WriteSlice. If the frame records the type of its items, another
// type results in a *blosc2.OptionError; a struct may omit fields. Otherwise the
// bytes are read as WriteSlice writes them. A frame that holds an array results
// in blosc2.ErrUnsupported, because its items are stored in the order of chunks
// and blocks, with padding: use package b2nd. Read returns the bytes as stored.
func ReadSlice[T any](r ItemReader, s []T) (n int, err error) {
	t, err := items.Of[T]()
	if err != nil {
		return 0, err
	}
	h, err := r.Header()
	if err != nil {
		return 0, err
	}
	plan, err := readPlan(t, h)
	if err != nil || len(s) == 0 {
		return 0, err
	}
	n, err = plan.Read(r, items.Bytes(s))
	if err == nil { // a later frame may have items of another type
		if last, e := r.Header(); e == nil && last != h {
			err = same(t, plan, last)
		}
	}
	return n, err
}

// readPlan returns how the items of a frame are read.
func readPlan(t *items.Type, h *header.Header) (*items.Plan, error) {
	if err := refuseArray(h.Layers); err != nil {
		return nil, err
	}
	_, text, err := t.DType()
	if value, ok := h.Layer(meta.DTypeName); ok {
		text, err = dtypeText(value), nil
	}
	if err != nil {
		return nil, err
	}
	return t.PlanText(text, false, "the frame's type")
}

// same returns an error if the items of another frame have another type.
func same(t *items.Type, plan *items.Plan, h *header.Header) error {
	next, err := readPlan(t, h)
	if err == nil && next.Text != plan.Text {
		err = &blosc2.OptionError{Option: "item type", Value: next.Text, Range: plan.Text + " in every frame of the stream"}
	}
	return err
}

// refuseArray returns an error if a frame with these metalayers holds an array.
func refuseArray(layers []meta.Layer) error {
	for _, name := range []string{meta.B2NDName, meta.CatervaName} {
		if _, ok := meta.Find(layers, name); ok {
			return blosc2.Errorf(blosc2.PartMeta, blosc2.ErrUnsupported,
				"the frame holds an array (metalayer %s), whose items are stored chunk by chunk with padding: use package b2nd", name)
		}
	}
	return nil
}

// dtypeLayer returns the metalayer with the type of items.
func dtypeLayer(text string) meta.Layer {
	var v []byte
	switch n := len(text); {
	case n < 32:
		v = []byte{0xa0 | byte(n)}
	case n < 1<<8:
		v = []byte{0xd9, byte(n)}
	case n < 1<<16:
		v = binary.BigEndian.AppendUint16([]byte{0xda}, uint16(n))
	default:
		v = binary.BigEndian.AppendUint32([]byte{0xdb}, uint32(n))
	}
	return meta.Layer{Name: meta.DTypeName, Value: append(v, text...)}
}

// dtypeText returns the text of the metalayer. Anything but a msgpack string is
// treated as text.
func dtypeText(v []byte) string {
	if len(v) == 0 {
		return ""
	}
	head := 0
	switch {
	case v[0]&0xe0 == 0xa0:
		head = 1
	case v[0] >= 0xd9 && v[0] <= 0xdb:
		head = 1 + 1<<(v[0]-0xd9)
	}
	return string(v[min(head, len(v)):])
}

// adopt sets the type of the frame's items to t, unless it is set, and returns
// how they are written. The bytes so far must be whole items.
func (w *Writer) adopt(t *items.Type) (*items.Plan, error) {
	p, err := w.setItems(t)
	if err != nil {
		return nil, err
	}
	if size := int64(p.ItemSize()); size > 0 && w.Offset()%size != 0 {
		return nil, &blosc2.OptionError{Option: "bytes before WriteSlice", Value: w.Offset(), Range: fmt.Sprintf("a multiple of the %d bytes of an item", size)}
	}
	return p, nil
}

// setItems does the work of adopt. The messages of a Conn may have any length.
func (w *Writer) setItems(t *items.Type) (*items.Plan, error) {
	if err := w.ready(); err != nil {
		return nil, err
	}
	const what = "the frame's type"
	if w.items != "" {
		return t.PlanText(w.items, true, what)
	}
	if err := refuseArray(w.cfg.layers); err != nil {
		return nil, err
	}
	_, text, err := t.DType()
	value, given := meta.Find(w.cfg.layers, meta.DTypeName)
	if given {
		text, err = dtypeText(value), nil
	}
	if err != nil {
		return nil, err
	}
	plan, err := t.PlanText(text, true, what)
	if err != nil {
		return nil, err
	}
	begun, size := w.frame != nil || w.stats.Bytes > 0, cmp.Or(w.cfg.itemSize, w.cfg.chunk.TypeSize)
	switch {
	case given:
	case (begun || w.cfg.typeSize) && size != plan.ItemSize():
		return nil, &blosc2.OptionError{Option: "item type", Value: t, Range: fmt.Sprintf("a type of %d bytes", size)}
	case !begun:
		cfg := w.opts
		cfg.chunk.TypeSize, cfg.itemSize = plan.ItemSize(), plan.ItemSize()
		cfg.layers = append(cloneLayers(w.cfg.layers), dtypeLayer(text))
		if err := w.configure(cfg); err != nil {
			return nil, err
		}
	}
	w.items = text
	return plan, nil
}

func (c *Conn) adopt(t *items.Type) (p *items.Plan, err error) {
	err = c.sending(func() error {
		p, err = c.w.setItems(t)
		return err
	})
	return p, err
}
