package table

import (
	"bytes"
	"fmt"
	"io"

	"github.com/seed03b80dae/blosc2"
)

// csvBlock is how many bytes of CSV are parsed together.
const csvBlock = 1 << 20

// maxLine is the longest line of CSV, in bytes.
const maxLine = 64 << 20

// csvSource cuts CSV into blocks of whole lines.
type csvSource struct {
	r    io.Reader
	rest []byte // of the last block
	err  error  // after rest
}

// next returns the next lines in the memory of dst, and io.EOF after the last.
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

// csvField is a field of a line.
type csvField struct {
	text   []byte
	quoted bool
}

// csvText splits CSV into fields.
type csvText struct {
	rest    []byte
	plain   bool  // there are no quotes in rest
	lines   int64 // up to the end of the last line that was returned
	fields  []csvField
	scratch []byte // fields without their quotes
}

func (c *csvText) errorf(format string, args ...any) error {
	return fmt.Errorf("blosc2: CSV, line %d: %w: "+format, append([]any{c.lines, blosc2.ErrCorrupt}, args...)...)
}

// line returns the fields of the next line, which are valid until the next call,
// and io.EOF after the last. Empty lines are left out.
func (c *csvText) line() ([]csvField, error) {
	for {
		b, err := c.next()
		if err != nil {
			return nil, err
		}
		if len(b) == 0 {
			continue
		}
		c.fields = c.fields[:0]
		if !c.plain && bytes.IndexByte(b, '"') >= 0 {
			return c.quotedLine(b)
		}
		from := 0
		for i, k := range b { // most fields are short
			if k == ',' {
				c.fields = append(c.fields, csvField{text: b[from:i]})
				from = i + 1
			}
		}
		c.fields = append(c.fields, csvField{text: b[from:]})
		return c.fields, nil
	}
}

// next returns a line without its end, and goes on where a quoted field has line
// breaks.
func (c *csvText) next() ([]byte, error) {
	if len(c.rest) == 0 {
		return nil, io.EOF
	}
	for end, quotes := 0, 0; ; {
		i := bytes.IndexByte(c.rest[end:], '\n')
		c.lines++
		next := end + i + 1
		if i < 0 {
			next = len(c.rest)
		}
		if !c.plain {
			quotes += bytes.Count(c.rest[end:next], []byte{'"'})
		}
		if end = next; quotes%2 == 0 {
			b := c.rest[:end]
			c.rest = c.rest[end:]
			return bytes.TrimSuffix(bytes.TrimSuffix(b, []byte("\n")), []byte("\r")), nil
		}
		if i < 0 {
			return nil, c.errorf("a quote without its end")
		}
	}
}

// quotedLine splits a line in which there are quotes.
func (c *csvText) quotedLine(b []byte) ([]csvField, error) {
	c.scratch = c.scratch[:0]
	for {
		f := csvField{}
		rest := b
		if len(b) > 0 && b[0] == '"' {
			f.quoted = true
			from := len(c.scratch)
			for rest = b[1:]; ; {
				i := bytes.IndexByte(rest, '"')
				if i < 0 {
					return nil, c.errorf("a quote without its end")
				}
				c.scratch = append(c.scratch, rest[:i]...)
				if rest = rest[i+1:]; len(rest) == 0 || rest[0] != '"' {
					break
				}
				c.scratch = append(c.scratch, '"')
				rest = rest[1:]
			}
			f.text = c.scratch[from:len(c.scratch):len(c.scratch)]
			if len(rest) > 0 && rest[0] != ',' {
				return nil, c.errorf("%q after a quoted field", rest[0])
			}
		} else {
			i := bytes.IndexByte(b, ',')
			if i < 0 {
				i = len(b)
			}
			f.text, rest = b[:i], b[i:]
			if bytes.IndexByte(f.text, '"') >= 0 {
				return nil, c.errorf("a quote within a field that does not begin with one")
			}
		}
		c.fields = append(c.fields, f)
		if len(rest) == 0 {
			return c.fields, nil
		}
		b = rest[1:]
	}
}
