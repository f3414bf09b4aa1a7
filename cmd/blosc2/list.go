package main

import (
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"
)

// list prints a table of files. The last line holds their totals.
func (c *infoCmd) list(e *env, files []string) error {
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "data\tstored\tratio\ttype\tcodec\tchecks\t  name")
	var data, stored, n int64
	err := e.each(files, func(name string) error {
		d, err := c.describe(e, name)
		if err != nil {
			return err
		}
		what := shown(name)
		if d.Frames > 1 {
			d.NBytes, d.stored = d.AllBytes, d.stored+d.Trailing
			what += fmt.Sprintf(" (%d frames)", d.Frames)
		}
		n, data, stored = n+1, data+d.NBytes, stored+d.stored
		fmt.Fprintf(w, "%s\t%s\t%.2f\t%s\t%s\t%s\t  %s\n", commas(d.NBytes), commas(d.stored), ratio(d.NBytes, d.stored),
			d.itemsShort(), d.codecShort(), d.checksShort(), what)
		return nil
	})
	if n > 1 {
		fmt.Fprintf(w, "%s\t%s\t%.2f\t\t\t\t  %s\n", commas(data), commas(stored), ratio(data, stored), count(n, "file"))
	}
	if n == 0 {
		return err
	}
	w.Flush()
	return errors.Join(e.print(table.String()), err)
}

// itemsShort formats the type and the shape of the items briefly.
func (d *description) itemsShort() string {
	if d.isPlain() {
		return shortType(d.DType, d.TypeSize) + shortShape(d.Shape)
	}
	switch {
	case d.B2ND != nil:
		return shortType(d.B2ND.DType, d.TypeSize) + shortShape(d.B2ND.Shape)
	case d.DType != "":
		return shortType(d.DType, d.TypeSize)
	}
	return count(int64(d.TypeSize), "byte")
}

// isPlain reports whether the file is not compressed.
func (d *description) isPlain() bool { return d.Shape != nil }

func shortType(dtype string, size int) string {
	if strings.ContainsAny(dtype, "{(") {
		return fmt.Sprintf("V%d", size)
	}
	return strings.TrimLeft(dtype, "<|")
}

func shortShape(shape []int64) string {
	dims := make([]string, len(shape))
	for i, n := range shape {
		dims[i] = fmt.Sprint(n)
	}
	return "[" + strings.Join(dims, ",") + "]"
}

func (d *description) codecShort() string {
	if d.isPlain() {
		return d.Kind
	}
	if d.CLevel == nil {
		return d.Codec.Name
	}
	return fmt.Sprintf("%s-%d", d.Codec.Name, *d.CLevel)
}

func (d *description) checksShort() string {
	if d.Checked != nil && *d.Checked {
		return "yes"
	}
	return "no"
}
