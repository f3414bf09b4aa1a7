package table

import (
	"strconv"
	"strings"
	"unsafe"

	"github.com/seed03b80dae/blosc2"
)

// A csvCells collects the values of a column.
type csvCells struct {
	spec  *Spec
	reset func()
	take  func() Cells
	valid []bool
	nulls bool

	// add parses every step-th field of a text. It returns the number of the first
	// invalid field and the reason, or -1 if all are valid.
	add func(t *csvText, fields []csvField, step int) (bad int, err error)
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
		unit := timeUnits[s.Unit]
		collect(c, func(text string) (int64, error) { return parseTime(text, unit) })
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
		return nil, &blosc2.OptionError{Option: "kind of column " + s.Name, Value: s.Kind, Range: "a kind that CSV can represent"}
	}
	return c, nil
}

// collect makes c collect values that parse returns for text, which is
// overwritten later.
func collect[T any](c *csvCells, parse func(text string) (T, error)) {
	var values []T
	c.add = func(t *csvText, fields []csvField, step int) (int, error) {
		for at := 0; at < len(fields); at += step {
			var v T
			if text := t.of(fields[at]); !c.null(fields[at]) {
				var err error
				if v, err = parse(unsafe.String(unsafe.SliceData(text), len(text))); err != nil {
					return at / step, err
				}
			}
			values = append(values, v)
		}
		return -1, nil
	}
	c.reset = func() { values, c.valid, c.nulls = values[:0], c.valid[:0], false }
	c.take = func() Cells { return Cells{Values: values, Valid: c.validity()} }
}

// collectStrings makes c collect strings, which are substrings of one.
func collectStrings(c *csvCells) {
	var values []string
	var text []byte
	var ends []int
	c.add = func(t *csvText, fields []csvField, step int) (int, error) {
		for at := 0; at < len(fields); at += step {
			c.null(fields[at])
			text = append(text, t.of(fields[at])...)
			ends = append(ends, len(text))
		}
		return -1, nil
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

// null records whether a field is null, and reports it.
func (c *csvCells) null(f csvField) bool {
	null := f.from == f.to && !f.quoted && c.spec.Nullable
	c.valid = append(c.valid, !null)
	c.nulls = c.nulls || null
	return null
}

// validity returns which values are not null, or nil if all are.
func (c *csvCells) validity() []bool {
	if c.nulls {
		return c.valid
	}
	return nil
}
