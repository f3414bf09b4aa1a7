package table

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unsafe"

	"github.com/seed03b80dae/blosc2"
)

// csvCells collects the values of a column.
type csvCells struct {
	spec  *Spec
	parse func(text string, null bool) error
	reset func()
	take  func() Cells
	valid []bool
	nulls bool
	err   error // of the last add
}

func newCSVCells(s *Spec) (*csvCells, error) {
	c := &csvCells{spec: s}
	if k := numberKinds[s.Kind]; k.csv != nil {
		k.csv(c)
		return c, nil
	}
	switch s.Kind {
	case Bool:
		collect(c, strconv.ParseBool)
	case Timestamp:
		collect(c, func(text string) (int64, error) { return parseTime(text, s.Unit) })
	case String, UTF8, VLString:
		collectStrings(c)
	case Dictionary:
		words := map[string]string{}
		collect(c, func(s string) (string, error) {
			w, ok := words[s]
			if !ok {
				w = strings.Clone(s)
				words[w] = w
			}
			return w, nil
		})
	case Bytes, VLBytes:
		collect(c, func(s string) ([]byte, error) { return []byte(s), nil })
	default:
		return nil, &blosc2.OptionError{Option: "kind of column " + s.Name, Value: s.Kind, Range: "one that CSV can hold"}
	}
	return c, nil
}

// collect has c collect values that parse makes of text, which is overwritten
// later.
func collect[T any](c *csvCells, parse func(text string) (T, error)) {
	var values []T
	c.parse = func(text string, null bool) error {
		var v T
		var err error
		if !null {
			v, err = parse(text)
		}
		values = append(values, v)
		return err
	}
	c.reset = func() { values, c.valid, c.nulls = values[:0], c.valid[:0], false }
	c.take = func() Cells { return Cells{Values: values, Valid: c.validity()} }
}

// collectStrings has c collect strings, which are parts of one.
func collectStrings(c *csvCells) {
	var values []string
	var text []byte
	var ends []int
	c.parse = func(s string, _ bool) error {
		text = append(text, s...)
		ends = append(ends, len(text))
		return nil
	}
	c.reset = func() { text, ends, c.valid, c.nulls = text[:0], ends[:0], c.valid[:0], false }
	c.take = func() Cells {
		all := string(text)
		values = values[:0]
		from := 0
		for _, end := range ends {
			values = append(values, all[from:end])
			from = end
		}
		return Cells{Values: values, Valid: c.validity()}
	}
}

// validity says which values are not null, nil if all are.
func (c *csvCells) validity() []bool {
	if c.nulls {
		return c.valid
	}
	return nil
}

// add adds the value of a field, and reports whether it is one; else err is set.
func (c *csvCells) add(f csvField) bool {
	null := len(f.text) == 0 && !f.quoted && c.spec.Nullable
	c.valid = append(c.valid, !null)
	c.nulls = c.nulls || null
	c.err = c.parse(unsafe.String(unsafe.SliceData(f.text), len(f.text)), null)
	return c.err == nil
}

// timeLayouts are how timestamps may be written.
var timeLayouts = []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999", "2006-01-02"}

func parseTime(text, unit string) (int64, error) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, nil
	}
	for _, layout := range timeLayouts {
		if t, err := time.Parse(layout, text); err == nil {
			return timestampOf(t, unit), nil
		}
	}
	return 0, fmt.Errorf("%q is not a time", text)
}
