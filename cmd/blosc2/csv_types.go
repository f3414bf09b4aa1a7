package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/seed03b80dae/blosc2/meta"
)

// A column is the inferred type of a column of comma-separated values after the
// rows read so far.
type csvColumn struct {
	cells            int64
	empty            bool // some cells are empty
	ints, uints      bool // all cells that are not empty are 64-bit integers
	floats           bool // all cells are numbers, and none is an integer that a float64 cannot hold
	bools            bool
	days, seconds    bool // all cells are dates; all are dates with times
	longest, letters int  // most bytes and most characters in a cell
	ascii, utf8      bool // all cells are ASCII; all are valid UTF-8
}

func newCSVColumn() csvColumn {
	return csvColumn{ints: true, uints: true, floats: true, bools: true, days: true, seconds: true, ascii: true, utf8: true}
}

const (
	dayLayout    = time.DateOnly
	secondLayout = "2006-01-02T15:04:05"
)

// see updates the inferred type of the column with the text of a cell.
func (c *csvColumn) see(cell string) {
	c.cells++
	letters := utf8.RuneCountInString(cell)
	c.longest, c.letters = max(c.longest, len(cell)), max(c.letters, letters)
	c.ascii = c.ascii && letters == len(cell)
	c.utf8 = c.utf8 && utf8.ValidString(cell)
	if cell == "" {
		c.empty = true
		return
	}
	if c.ints {
		_, err := strconv.ParseInt(cell, 10, 64)
		c.ints = err == nil && !padded(cell)
	}
	if c.uints {
		_, err := strconv.ParseUint(cell, 10, 64)
		c.uints = err == nil && !padded(cell)
	}
	if c.floats {
		f, err := parseFloat(cell)
		c.floats = err == nil && !padded(cell) && (!integer(cell) || cell == "-0" || strconv.FormatFloat(f, 'f', 0, 64) == cell)
	}
	c.bools = c.bools && (cell == "true" || cell == "false")
	if c.days {
		_, err := time.Parse(dayLayout, cell)
		c.days = err == nil
	}
	if c.seconds {
		_, err := time.Parse(secondLayout, cell)
		c.seconds = err == nil && len(cell) == len(secondLayout)
	}
}

// padded reports whether a number may be a code instead, such as 007, because it begins
// with a zero before other digits or with a plus sign.
func padded(cell string) bool {
	if cell[0] == '-' {
		cell = cell[1:]
	}
	return cell == "" || cell[0] == '+' || len(cell) > 1 && cell[0] == '0' && '0' <= cell[1] && cell[1] <= '9'
}

// integer reports whether a cell has only digits, after an optional minus.
func integer(cell string) bool {
	return strings.Trim(strings.TrimPrefix(cell, "-"), "0123456789") == ""
}

// parseFloat parses a decimal number. Unlike strconv.ParseFloat it rejects
// underscores and hexadecimal digits.
func parseFloat(cell string) (float64, error) {
	for _, r := range cell {
		if r == '_' || r == 'x' || r == 'X' || r == 'p' || r == 'P' {
			return 0, strconv.ErrSyntax
		}
	}
	return strconv.ParseFloat(cell, 64)
}

// dtype returns the type that holds the column.
func (c *csvColumn) dtype() string {
	known := c.cells > 0 && c.longest > 0
	switch {
	case known && c.bools && !c.empty:
		return "|b1"
	case known && c.ints && !c.empty:
		return "<i8"
	case known && c.uints && !c.empty:
		return "<u8"
	case known && c.floats:
		return "<f8"
	case known && c.days:
		return "<M8[D]"
	case known && c.seconds:
		return "<M8[s]"
	case c.ascii || !c.utf8: // bytes of another encoding stay as they are
		return fmt.Sprintf("|S%d", max(c.longest, 1))
	}
	return fmt.Sprintf("<U%d", max(c.letters, 1))
}

// put appends the text of a cell as an item of the given type.
func putCell(dst []byte, d meta.DType, cell string) ([]byte, error) {
	n := uint64(0)
	switch d.Kind {
	case meta.Bool:
		if cell == "true" {
			n = 1
		}
		return append(dst, byte(n)), nil
	case meta.Int:
		v, err := strconv.ParseInt(cell, 10, 64)
		if err != nil {
			return dst, fmt.Errorf("%q is not a whole number", cell)
		}
		n = uint64(v)
	case meta.Uint:
		v, err := strconv.ParseUint(cell, 10, 64)
		if err != nil {
			return dst, fmt.Errorf("%q is not a whole number", cell)
		}
		n = v
	case meta.Float:
		f := math.NaN()
		if cell != "" {
			var err error
			if f, err = parseFloat(cell); err != nil {
				return dst, fmt.Errorf("%q is not a number", cell)
			}
		}
		n = math.Float64bits(f)
	case meta.DateTime:
		n = 1 << 63 // NaT
		if cell != "" {
			layout, unit := dayLayout, int64(86400)
			if d.Unit == "s" {
				layout, unit = secondLayout, 1
			}
			t, err := time.Parse(layout, cell)
			if err != nil {
				return dst, fmt.Errorf("%q is not a date", cell)
			}
			n = uint64(t.Unix() / unit)
			if t.Unix()%unit != 0 {
				return dst, fmt.Errorf("%q is not a date", cell)
			}
		}
	case meta.Bytes:
		if len(cell) > d.Size {
			return dst, fmt.Errorf("%q does not fit the column: the file has changed", cell)
		}
		return append(append(dst, cell...), make([]byte, d.Size-len(cell))...), nil
	case meta.Unicode:
		end := len(dst) + d.Size
		for _, r := range cell {
			dst = le32(dst, uint32(r))
		}
		if len(dst) > end {
			return dst, fmt.Errorf("%q does not fit the column: the file has changed", cell)
		}
		return append(dst, make([]byte, end-len(dst))...), nil
	}
	return le64(dst, n), nil
}
