package table

import (
	"bytes"
	"context"
	"io"
	"runtime"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/internal/workpool"
)

// AppendCSV adds the rows of a CSV text, as RFC 4180 has it, to b. Its first line
// names the columns, in any order; columns of b that it does not name are null. A
// field that is empty and not quoted is null where the column is Nullable.
// Timestamps are written as RFC 3339 has them, with or without a zone or time, or
// are counts of the column's unit. Lists, arrays and complex numbers are refused.
// The text is parsed on several goroutines, which end before AppendCSV returns.
//
// n counts the rows. An error says in what line it is; the rows before it, in
// whole batches, were added.
func (b *Builder) AppendCSV(r io.Reader) (n int64, err error) {
	if err := b.ready(); err != nil {
		return 0, err
	}
	src := &csvSource{r: r}
	first, err := src.next(nil)
	if err != nil {
		return 0, err
	}
	text := &csvText{rest: first}
	places, err := b.csvPlaces(text)
	if err != nil {
		return 0, err
	}
	src.rest = append(append([]byte(nil), text.rest...), src.rest...) // no line is cut
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

// csvPlaces reads the first line, and returns for each of its fields the column.
func (b *Builder) csvPlaces(text *csvText) ([]int, error) {
	names, err := text.line()
	if err != nil {
		return nil, err
	}
	var places []int
	named := make([]bool, len(b.specs))
	for _, f := range names {
		place := -1
		for k := range b.specs {
			if b.specs[k].Name == string(f.text) && !named[k] {
				place, named[k] = k, true
			}
		}
		if place < 0 {
			return nil, &blosc2.OptionError{Option: "column of CSV", Value: string(f.text), Range: "one of the table, once"}
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

// csvPart is a block of CSV and what it holds.
type csvPart struct {
	text    []byte
	before  int64 // lines
	cells   []*csvCells
	missing []bool
	split   csvText
	rows    int64
}

// parse parses the block.
func (p *csvPart) parse(specs []Spec, places []int) error {
	if p.cells == nil {
		p.missing = make([]bool, len(specs))
		for i := range specs {
			c, err := newCSVCells(&specs[i])
			if err != nil {
				return err
			}
			p.cells, p.missing[i] = append(p.cells, c), true
		}
		for _, i := range places {
			p.missing[i] = false
		}
	}
	for _, c := range p.cells {
		c.reset()
	}
	p.rows, p.split.rest, p.split.lines = 0, p.text, p.before
	p.split.plain = bytes.IndexByte(p.text, '"') < 0
	for {
		fields, err := p.split.line()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if len(fields) != len(places) {
			return p.split.errorf("%d fields, the first line has %d", len(fields), len(places))
		}
		for i, f := range fields {
			if c := p.cells[places[i]]; !c.add(f) {
				return p.split.errorf("column %q: %v", c.spec.Name, c.err)
			}
		}
		for i, m := range p.missing {
			if m {
				p.cells[i].add(csvField{})
			}
		}
		p.rows++
	}
}

// appendCSV adds the rows of a block.
func (b *Builder) appendCSV(cells []*csvCells) error {
	all := make([]Cells, len(cells))
	for i, c := range cells {
		all[i] = c.take()
	}
	return b.Append(all...)
}

// csvInferred is how many lines InferCSV reads.
const csvInferred = 8192

// InferCSV finds columns for a CSV text of which it reads the first lines, 8,192 of
// them or a megabyte: int64,
// float64, bool, timestamp or utf8, whatever all values fit, and Nullable. The
// text must then be read from its start.
func InferCSV(r io.Reader) ([]Spec, error) {
	if err := framing.Need(r != nil, "source", "an io.Reader"); err != nil {
		return nil, err
	}
	first, err := (&csvSource{r: r}).next(nil)
	if err != nil {
		return nil, err
	}
	c := &csvText{rest: first}
	names, err := c.line()
	if err != nil {
		return nil, err
	}
	var out []Spec
	var fits [][]Kind
	for _, f := range names {
		out = append(out, Spec{Name: string(f.text), Kind: UTF8, Nullable: true})
		fits = append(fits, []Kind{Int64, Float64, Bool, Timestamp})
	}
	seen := make([]bool, len(out))
	for range csvInferred {
		fields, err := c.line()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if len(fields) != len(out) {
			return nil, c.errorf("%d fields, the first line has %d", len(fields), len(out))
		}
		for i, f := range fields {
			if len(f.text) == 0 && !f.quoted {
				continue
			}
			seen[i] = true
			var left []Kind
			for _, k := range fits[i] {
				if cells, err := newCSVCells(&Spec{Kind: k, Unit: "us"}); err == nil && cells.add(f) && !f.quoted {
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
