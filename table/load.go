package table

import (
	"bytes"
	"encoding/binary"
	"math"
	"unicode/utf8"

	"github.com/seed03b80dae/blosc2"
)

// A buffers holds memory that is reused for the next batch.
type buffers struct {
	rows   int64 // number of rows of the largest batch; 0 if unknown
	values any
	valid  []bool
	raw    []byte
	flags  []byte
}

// room returns memory for n values.
func room[T any](buf *buffers, n int64) []T {
	s, _ := buf.values.([]T)
	if int64(cap(s)) < n {
		s = make([]T, n, max(n, buf.rows))
	}
	s = s[:n]
	buf.values = s
	return s
}

// bytesOf returns memory for n bytes.
func bytesOf(b *[]byte, n int64) []byte {
	if int64(cap(*b)) < n {
		*b = make([]byte, n)
	}
	*b = (*b)[:n]
	return *b
}

// load reads the rows of a span.
func (c *Column) load(s span, buf *buffers) (batch, error) {
	n := s.to - s.from
	if c.data != nil {
		have := c.data.Shape()[0]
		if c.text != nil {
			have--
		}
		if s.to > have {
			return batch{}, corrupt("column %q has %d positions, but the table has a row at %d", c.spec.Name, have, s.to-1)
		}
	}
	if k, ok := numberKinds[c.spec.Kind]; ok {
		return k.load(c, s, buf)
	}
	switch c.spec.Kind {
	case Timestamp:
		return fixed[int64](c, s, buf)
	case Bool:
		return c.bools(s, buf)
	case UTF8:
		return c.strings(s, buf)
	case Dictionary:
		return c.coded(s, buf)
	case String, Bytes, NDArray:
		return c.padded(s, buf)
	}
	return c.seq.load(c, s, n)
}

// finish determines which values are null, and drops places without a row. If the
// column has no mask it calls nulls, which returns which values are not null, or
// nil if all are; nulls is nil for a column without nulls.
func finish[T any](c *Column, s span, buf *buffers, v []T, nulls func() []bool) (batch, error) {
	var valid []bool
	switch {
	case c.notnull != nil:
		if have := c.notnull.Len(); s.to > have {
			return batch{}, corrupt("column %q has validity for %d positions, but the table has a row at %d", c.spec.Name, have, s.to-1)
		}
		flags := bytesOf(&buf.flags, s.to-s.from)
		if err := window(c.notnull, flags, s.from, s.to); err != nil {
			return batch{}, err
		}
		if bytes.IndexByte(flags, 0) >= 0 {
			valid = buf.flagsFor(len(v))
			for i, f := range flags {
				valid[i] = f != 0
			}
		}
	case nulls != nil && !c.spec.Mask:
		valid = nulls()
	}
	if valid != nil {
		valid = compact(&c.t.live, valid, s.from)
	}
	return batch{s.row, compact(&c.t.live, v, s.from), valid}, nil
}

// where returns which of n values are not null, or nil if none of them is null.
func (b *buffers) where(n int, isNull func(i int) bool) []bool {
	if isNull == nil {
		return nil
	}
	var valid []bool
	for i := range n {
		if !isNull(i) {
			continue
		}
		if valid == nil {
			valid = b.flagsFor(n)
			for i := range valid {
				valid[i] = true
			}
		}
		valid[i] = false
	}
	return valid
}

// differ returns which values differ from null, or nil if all do. NaN is equal to
// NaN.
func differ[T comparable](buf *buffers, v []T, null T) []bool {
	at, nan := 0, null != null
	if nan {
		for at < len(v) && v[at] == v[at] {
			at++
		}
	} else {
		for at < len(v) && v[at] != null {
			at++
		}
	}
	if at == len(v) {
		return nil
	}
	valid := buf.flagsFor(len(v))
	for i := range v[:at] {
		valid[i] = true
	}
	if nan {
		for i, x := range v[at:] {
			valid[at+i] = x == x
		}
	} else {
		for i, x := range v[at:] {
			valid[at+i] = x != null
		}
	}
	return valid
}

func (b *buffers) flagsFor(n int) []bool {
	if cap(b.valid) < n {
		b.valid = make([]bool, n)
	}
	b.valid = b.valid[:n]
	return b.valid
}

// bools reads booleans, which are bytes: 255 is null if that is the schema's null value.
func (c *Column) bools(s span, buf *buffers) (batch, error) {
	if c.data.ItemSize() != 1 {
		return batch{}, corrupt("column %q has booleans of %d bytes; must have 1", c.spec.Name, c.data.ItemSize())
	}
	raw := bytesOf(&buf.raw, s.to-s.from)
	if err := window(c.data, raw, s.from, s.to); err != nil {
		return batch{}, err
	}
	v := room[bool](buf, s.to-s.from)
	for i, b := range raw {
		v[i] = b != 0
	}
	var nulls func() []bool
	if null, ok := numberAs[uint8](c.spec.Null); ok {
		nulls = func() []bool { return differ(buf, raw, null) }
	}
	return finish(c, s, buf, v, nulls)
}

// maxText is the largest number of bytes of strings to read at a time.
const maxText = 1 << 30

// strings reads a utf8 column: offsets, and bytes between them.
func (c *Column) strings(s span, buf *buffers) (batch, error) {
	n := s.to - s.from
	raw := bytesOf(&buf.raw, 8*(n+1))
	if c.data.ItemSize() != 8 {
		return batch{}, corrupt("column %q has offsets of %d bytes; must have 8", c.spec.Name, c.data.ItemSize())
	}
	if err := window(c.data, raw, s.from, s.to+1); err != nil {
		return batch{}, err
	}
	offset := func(i int64) int64 { return int64(binary.LittleEndian.Uint64(raw[8*i:])) }
	first, last := offset(0), offset(n)
	if first < 0 || last < first || last > c.text.Len() {
		return batch{}, corrupt("column %q: offsets %d to %d are not within the text's %d bytes", c.spec.Name, first, last, c.text.Len())
	}
	if last-first > maxText {
		return batch{}, blosc2.Errorf(blosc2.PartChunk, blosc2.ErrTooLarge, "column %q: %d bytes in %d rows; at most %d can be read at a time", c.spec.Name, last-first, n, maxText)
	}
	text := make([]byte, last-first)
	if len(text) > 0 {
		if err := window(c.text, text, first, last); err != nil {
			return batch{}, err
		}
	}
	all := string(text) // the strings are substrings of one
	v := room[string](buf, n)
	for i := range v {
		a, b := offset(int64(i)), offset(int64(i)+1)
		if a < first || b < a || b > last {
			return batch{}, corrupt("column %q: invalid offsets %d to %d at position %d", c.spec.Name, a, b, s.from+int64(i))
		}
		v[i] = all[a-first : b-first]
	}
	var isNull func(i int) bool
	if null, ok := c.spec.Null.(string); ok {
		isNull = func(i int) bool { return v[i] == null }
	}
	return finish(c, s, buf, v, func() []bool { return buf.where(len(v), isNull) })
}

// coded reads a dictionary column, which stores the codes of words.
func (c *Column) coded(s span, buf *buffers) (batch, error) {
	raw := bytesOf(&buf.raw, 4*(s.to-s.from))
	if c.data.ItemSize() != 4 {
		return batch{}, corrupt("column %q has codes of %d bytes; must have 4", c.spec.Name, c.data.ItemSize())
	}
	if err := window(c.data, raw, s.from, s.to); err != nil {
		return batch{}, err
	}
	code := func(i int) int32 { return int32(binary.LittleEndian.Uint32(raw[4*i:])) }
	v := room[string](buf, s.to-s.from)
	for i := range v {
		switch k := code(i); {
		case k >= 0 && int(k) < len(c.words):
			v[i] = c.words[k]
		case k == c.spec.NullCode || !c.t.live.is(s.from+int64(i)):
			v[i] = ""
		default:
			return batch{}, corrupt("column %q: code %d is not in the dictionary of %d words, at position %d", c.spec.Name, k, len(c.words), s.from+int64(i))
		}
	}
	return finish(c, s, buf, v, func() []bool {
		return buf.where(len(v), func(i int) bool { return code(i) == c.spec.NullCode })
	})
}

// padded reads items of a fixed size: strings, bytes and arrays.
func (c *Column) padded(s span, buf *buffers) (batch, error) {
	size := int64(c.data.ItemSize())
	for _, n := range c.data.Shape()[1:] {
		if n > 0 && size > math.MaxInt32/n {
			return batch{}, blosc2.Errorf(blosc2.PartMeta, blosc2.ErrTooLarge, "column %q: items of shape %v", c.spec.Name, c.data.Shape()[1:])
		}
		size *= n
	}
	n := s.to - s.from
	raw := make([]byte, n*size)
	if len(raw) > 0 {
		if err := window(c.data, raw, s.from, s.to); err != nil {
			return batch{}, err
		}
	}
	item := func(i int) []byte { return raw[int64(i)*size:][:size:size] }
	if c.spec.Kind == String {
		order := binary.ByteOrder(binary.LittleEndian)
		if c.data.DType().Order == '>' {
			order = binary.BigEndian
		}
		v := room[string](buf, n)
		var text []byte
		for i := range v {
			text = text[:0]
			for b := item(i); len(b) >= 4; b = b[4:] {
				text = utf8.AppendRune(text, rune(order.Uint32(b)))
			}
			v[i] = string(bytes.TrimRight(text, "\x00"))
		}
		var isNull func(i int) bool
		if null, ok := c.spec.Null.(string); ok {
			isNull = func(i int) bool { return v[i] == null }
		}
		return finish(c, s, buf, v, func() []bool { return buf.where(len(v), isNull) })
	}
	v := room[[]byte](buf, n)
	for i := range v {
		if v[i] = item(i); c.spec.Kind == Bytes {
			v[i] = bytes.TrimRight(v[i], "\x00")
		}
	}
	return finish(c, s, buf, v, func() []bool { return buf.where(len(v), c.nullBytes(v)) })
}

// nullBytes returns which of v are null by the schema's null value: equal bytes, or
// an array in which all items have that value.
func (c *Column) nullBytes(v [][]byte) func(i int) bool {
	if null, ok := c.spec.Null.([]byte); ok && c.spec.Kind == Bytes {
		return func(i int) bool { return bytes.Equal(v[i], null) }
	}
	if c.spec.Null == nil || c.spec.Kind != NDArray {
		return nil
	}
	t := c.data.DType()
	same := itemIs(t, c.spec.Null)
	if same == nil {
		return nil
	}
	return func(i int) bool {
		for b := v[i]; len(b) >= t.Size; b = b[t.Size:] {
			if !same(b[:t.Size]) {
				return false
			}
		}
		return len(v[i]) > 0
	}
}
