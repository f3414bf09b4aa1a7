package table

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strconv"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/internal/workpool"
)

// AppendCSV adds the rows of CSV (RFC 4180) to b. The first line names the columns, in
// any order; columns of b that it does not name are null. An empty field without quotes
// is null if the column is Nullable. Timestamps are in the form of RFC 3339, with or
// without a zone or time, or counts of the column's unit. Columns of lists, arrays or
// complex numbers result in an error. The text is parsed by several goroutines, which
// end before AppendCSV returns.
//
// n counts the rows. An error names its line; the rows before it, in whole batches,
// were added.
func (b *Builder) AppendCSV(r io.Reader) (n int64, err error) {
	if err := b.ready(); err != nil {
		return 0, err
	}
	src := &csvSource{r: r}
	first, err := src.next(nil)
	if err != nil {
		return 0, err
	}
	text := new(csvText)
	text.set(first, 0)
	places, err := b.csvPlaces(text)
	if err != nil {
		return 0, err
	}
	src.rest = append(append([]byte(nil), first[text.at:]...), src.rest...) // put the lines after the first back
	workers := runtime.GOMAXPROCS(0)
	pool := workpool.New(workers, workers+1, func(_ int, p *csvPart) error { return p.parse(b.specs, places) })
	pool.Start(context.Background(), nil)
	defer func() {
		pool.Close()
		workpool.Raise(err)
	}()
	lines, busy := text.lines, 0
	for {
		if busy < pool.Jobs() && src != nil {
			j, err := pool.Acquire()
			if err != nil {
				return n, err
			}
			part := &j.Value
			part.text, err = src.next(part.text)
			switch {
			case err == io.EOF:
				src = nil
			case err != nil:
				return n, err
			default:
				part.before = lines
				lines += int64(bytes.Count(part.text, []byte{'\n'}))
				pool.Submit(j)
				busy++
			}
			continue
		}
		if busy == 0 {
			return n, nil
		}
		j, err := pool.Next()
		if err == nil {
			err = b.appendCSV(j.Value.cells)
		}
		if err != nil {
			return n, err
		}
		n += j.Value.rows
		pool.Release(j)
		busy--
	}
}

// csvPlaces reads the first line, and returns the column of each of its fields.
func (b *Builder) csvPlaces(text *csvText) ([]int, error) {
	names, err := text.line(nil)
	if err != nil {
		return nil, err
	}
	var places []int
	named := make([]bool, len(b.specs))
	for _, f := range names {
		name, place := string(text.of(f)), -1
		for k := range b.specs {
			if b.specs[k].Name == name && !named[k] {
				place, named[k] = k, true
			}
		}
		if place < 0 {
			return nil, &blosc2.OptionError{Option: "column of CSV", Value: name, Range: "in the table, and listed once"}
		}
		places = append(places, place)
	}
	for k := range b.specs {
		if _, err := newCSVCells(&b.specs[k]); err != nil {
			return nil, err
		}
		if !named[k] && !b.specs[k].Nullable {
			return nil, &blosc2.OptionError{Option: "columns of CSV", Value: len(names), Range: "all that are not Nullable, such as " + b.specs[k].Name}
		}
	}
	return places, nil
}

// A csvPart is a block of CSV and its parsed columns.
type csvPart struct {
	text   []byte
	before int64 // number of lines before the block
	cells  []*csvCells
	absent []*csvCells // cells of columns that the first line does not name
	split  csvText
	fields []csvField // fields of some lines
	ends   []int64    // numbers of these lines
	rows   int64
}

// csvFields is the number of fields to split before the columns parse them: few enough
// to stay in the cache, and enough for each column to parse several at a time.
const csvFields = 4096

// parse splits the block and parses its fields.
func (p *csvPart) parse(specs []Spec, places []int) error {
	if p.cells == nil {
		p.absent = make([]*csvCells, len(specs))
		for i := range specs {
			c, err := newCSVCells(&specs[i])
			if err != nil {
				return err
			}
			p.cells, p.absent[i] = append(p.cells, c), c
		}
		for _, i := range places {
			p.absent[i] = nil
		}
	}
	for _, c := range p.cells {
		c.reset()
	}
	p.rows = 0
	p.split.set(p.text, p.before)
	for {
		err := p.lines(len(places))
		if err := p.columns(places); err != nil {
			return err
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// lines splits some lines, of n fields each.
func (p *csvPart) lines(n int) (err error) {
	p.fields, p.ends = p.fields[:0], p.ends[:0]
	for len(p.ends) == 0 || len(p.fields) < csvFields {
		have := len(p.fields)
		if p.fields, err = p.split.line(p.fields); err == nil && len(p.fields)-have != n {
			err = p.split.errorf("%d fields, but the first line has %d", len(p.fields)-have, n)
		}
		if err != nil {
			p.fields = p.fields[:have]
			return err
		}
		p.ends = append(p.ends, p.split.lines)
	}
	return nil
}

// columns parses the fields, column by column. It returns the error of the earliest
// line.
func (p *csvPart) columns(places []int) (err error) {
	first := len(p.ends)
	for i, place := range places {
		c := p.cells[place]
		if len(p.ends) == 0 {
			break
		}
		if bad, why := c.add(&p.split, p.fields[i:], len(places)); why != nil && bad < first {
			first, err = bad, csvErrorf(p.ends[bad], "column %q: %w", c.spec.Name, csvValueError(c.spec.Kind, why))
		}
	}
	for _, c := range p.absent {
		if c != nil {
			c.add(&p.split, make([]csvField, len(p.ends)), 1)
		}
	}
	p.rows += int64(len(p.ends))
	return err
}

// csvValueError returns the error for a text that is not a value of the column's kind.
func csvValueError(k Kind, why error) error {
	if e := (*strconv.NumError)(nil); errors.As(why, &e) {
		return fmt.Errorf("%q: %w; the type of the column is %v, by its first lines or its Spec", e.Num, e.Err, k)
	}
	return why
}

// appendCSV adds the rows of a block.
func (b *Builder) appendCSV(cells []*csvCells) error {
	all := make([]Cells, len(cells))
	for i, c := range cells {
		all[i] = c.take()
	}
	return b.Append(all...)
}

// csvInferred is the number of lines that InferCSV reads.
const csvInferred = 8192

// InferCSV infers the columns of a CSV text from its first 8,192 lines or
// megabyte: int64, float64, bool, timestamp or utf8, the first that fits all
// values, and Nullable. The text must then be read again from its start.
func InferCSV(r io.Reader) ([]Spec, error) {
	if err := framing.Need(r != nil, "source", "an io.Reader"); err != nil {
		return nil, err
	}
	first, err := (&csvSource{r: r}).next(nil)
	if err != nil {
		return nil, err
	}
	c := new(csvText)
	c.set(first, 0)
	names, err := c.line(nil)
	if err != nil {
		return nil, err
	}
	var out []Spec
	var fits [][]Kind
	for _, f := range names {
		out = append(out, Spec{Name: string(c.of(f)), Kind: UTF8, Nullable: true})
		fits = append(fits, []Kind{Int64, Float64, Bool, Timestamp})
	}
	seen := make([]bool, len(out))
	var fields []csvField
	for range csvInferred {
		fields, err = c.line(fields[:0])
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if len(fields) != len(out) {
			return nil, c.errorf("%d fields, but the first line has %d", len(fields), len(out))
		}
		for i, f := range fields {
			if f.from == f.to && !f.quoted {
				continue
			}
			seen[i] = true
			var left []Kind
			for _, k := range fits[i] {
				cells, err := newCSVCells(&Spec{Kind: k, Unit: "us"})
				if err == nil {
					_, err = cells.add(c, []csvField{f}, 1)
				}
				if err == nil && !f.quoted {
					left = append(left, k)
				}
			}
			fits[i] = left
		}
	}
	for i := range out {
		if seen[i] && len(fits[i]) > 0 {
			if out[i].Kind = fits[i][0]; out[i].Kind == Timestamp {
				out[i].Unit = "us"
			}
		}
	}
	return out, nil
}
