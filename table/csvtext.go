package table

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"

	"github.com/seed03b80dae/blosc2"
)

// csvBlock is the number of bytes of CSV to parse together.
const csvBlock = 1 << 20

// maxLine is the longest line of CSV, in bytes.
const maxLine = 64 << 20

// A csvSource cuts CSV into blocks of whole lines.
type csvSource struct {
	r    io.Reader
	rest []byte // rest of the last block
	err  error  // returned after rest
}

// next returns the next lines, in the memory of dst, and io.EOF after the last.
func (s *csvSource) next(dst []byte) ([]byte, error) {
	dst = append(dst[:0], s.rest...)
	for size := csvBlock; ; size *= 2 {
		if cap(dst) < size {
			dst = append(make([]byte, 0, size), dst...)
		}
		for s.err == nil && len(dst) < cap(dst) {
			var n int
			n, s.err = s.r.Read(dst[len(dst):cap(dst)])
			dst = dst[:len(dst)+n]
		}
		cut := len(dst)
		if s.err == nil {
			cut = lastLine(dst)
		} else if s.err != io.EOF {
			return nil, s.err
		}
		switch {
		case cut > 0 || s.err != nil && len(dst) > 0:
			s.rest = append(s.rest[:0], dst[cut:]...)
			return dst[:cut], nil
		case s.err != nil:
			return nil, io.EOF
		case size > maxLine:
			return nil, blosc2.Errorf(blosc2.PartBlock, blosc2.ErrTooLarge, "CSV: a line of more than %d bytes", maxLine)
		}
	}
}

// lastLine returns the length of b up to its last line break that is not within
// quotes. b begins outside of quotes.
func lastLine(b []byte) int {
	quotes := bytes.Count(b, []byte{'"'})
	end := len(b)
	for {
		i := bytes.LastIndexByte(b[:end], '\n')
		if i < 0 {
			return 0
		}
		if quotes -= bytes.Count(b[i:end], []byte{'"'}); quotes%2 == 0 {
			return i + 1
		}
		end = i
	}
}

// A csvText splits CSV into fields.
type csvText struct {
	text    []byte
	at      int    // start of the next line
	quote   int    // the first quote after that, or an earlier one; len(text) for none
	lines   int64  // number of lines up to the end of the last one that was split
	scratch []byte // quoted fields, without their quotes
}

// A csvField is a field of a csvText.
type csvField struct {
	from, to int32 // bounds in the text or, for a quoted field, in scratch
	quoted   bool
}

// of returns the bytes of a field.
func (c *csvText) of(f csvField) []byte {
	if f.quoted {
		return c.scratch[f.from:f.to]
	}
	return c.text[f.from:f.to]
}

// set starts another text; its first line is number before+1.
func (c *csvText) set(text []byte, before int64) {
	*c = csvText{text: text, lines: before, scratch: c.scratch[:0]}
	c.findQuote()
}

// findQuote finds the first quote at or after c.at.
func (c *csvText) findQuote() {
	if i := bytes.IndexByte(c.text[c.at:], '"'); i >= 0 {
		c.quote = c.at + i
	} else {
		c.quote = len(c.text)
	}
}

func (c *csvText) errorf(format string, args ...any) error {
	return csvErrorf(c.lines, format, args...)
}

func csvErrorf(line int64, format string, args ...any) error {
	return fmt.Errorf("blosc2: CSV, line %d: %w: "+format, append([]any{line, blosc2.ErrCorrupt}, args...)...)
}

// line appends the fields of the next line to dst, and returns io.EOF after the
// last. Empty lines are skipped.
func (c *csvText) line(dst []csvField) ([]csvField, error) {
	for c.at < len(c.text) {
		if c.quote < c.at {
			c.findQuote()
		}
		if c.quote < len(c.text) && bytes.IndexByte(c.text[c.at:c.quote], '\n') < 0 {
			from, to, err := c.next()
			if err != nil {
				return dst, err
			}
			return c.split(dst, from, to)
		}
		fields := c.plainLine(dst)
		if f := fields[len(fields)-1]; len(fields) > len(dst)+1 || f.to > f.from {
			return fields, nil
		}
	}
	return dst, io.EOF
}

const (
	ones = 0x0101010101010101
	low7 = 0x7f * ones
)

// zeros returns a word with the high bit set in each byte for which the byte of w
// is 0.
func zeros(w uint64) uint64 { return ^((w&low7 + low7) | w | low7) }

// plainLine appends the fields of the next line, at least one. The line has no quotes.
func (c *csvText) plainLine(dst []csvField) []csvField {
	b, from, at := c.text, c.at, c.at
	c.lines++
	for ; at+8 <= len(b); at += 8 {
		w := binary.LittleEndian.Uint64(b[at:])
		for m := zeros(w^','*ones) | zeros(w^'\n'*ones); m != 0; m &= m - 1 {
			i := at + bits.TrailingZeros64(m)/8
			if b[i] == '\n' {
				c.at = i + 1
				return append(dst, csvField{from: int32(from), to: int32(withoutCR(b, from, i))})
			}
			dst = append(dst, csvField{from: int32(from), to: int32(i)})
			from = i + 1
		}
	}
	for ; at < len(b); at++ {
		switch b[at] {
		case '\n':
			c.at = at + 1
			return append(dst, csvField{from: int32(from), to: int32(withoutCR(b, from, at))})
		case ',':
			dst = append(dst, csvField{from: int32(from), to: int32(at)})
			from = at + 1
		}
	}
	c.at = at
	return append(dst, csvField{from: int32(from), to: int32(withoutCR(b, from, at))})
}

// withoutCR returns the end of b[from:to] without a carriage return at its end.
func withoutCR(b []byte, from, to int) int {
	if to > from && b[to-1] == '\r' {
		to--
	}
	return to
}

// next returns the bounds of the next line, which has quotes, without its line break.
// Line breaks within quotes do not end it.
func (c *csvText) next() (from, to int, err error) {
	b := c.text[c.at:]
	for end, quotes := 0, 0; ; {
		i := bytes.IndexByte(b[end:], '\n')
		c.lines++
		next, stop := end+i+1, end+i
		if i < 0 {
			next, stop = len(b), len(b)
		}
		quotes += bytes.Count(b[end:next], []byte{'"'})
		if end = next; quotes%2 == 0 {
			from = c.at
			c.at += end
			return from, withoutCR(c.text, from, from+stop), nil
		}
		if i < 0 {
			c.at += end
			return 0, 0, c.errorf("unterminated quote")
		}
	}
}

// split appends the fields of the line text[from:to].
func (c *csvText) split(dst []csvField, from, to int) ([]csvField, error) {
	for b := c.text[:to]; ; from++ {
		f := csvField{from: int32(from)}
		if from < to && b[from] == '"' {
			f.quoted, f.from = true, int32(len(c.scratch))
			for from++; ; from++ {
				i := bytes.IndexByte(b[from:], '"')
				if i < 0 {
					return dst, c.errorf("unterminated quote")
				}
				c.scratch = append(c.scratch, b[from:from+i]...)
				if from += i + 1; from == to || b[from] != '"' {
					break
				}
				c.scratch = append(c.scratch, '"')
			}
			f.to = int32(len(c.scratch))
			if from < to && b[from] != ',' {
				return dst, c.errorf("unexpected %q after a quoted field", b[from])
			}
		} else {
			i := bytes.IndexByte(b[from:], ',')
			if i < 0 {
				i = to - from
			}
			if bytes.IndexByte(b[from:from+i], '"') >= 0 {
				return dst, c.errorf("unexpected quote in a field that does not begin with one")
			}
			from += i
			f.to = int32(from)
		}
		dst = append(dst, f)
		if from == to {
			return dst, nil
		}
	}
}
