package table_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/internal/treetest"
	"github.com/seed03b80dae/blosc2/table"
)

// benchRows is the number of items of the numeric column: 4 Mi, or 100 million with
// BLOSC2_FULL=1.
var benchRows = func() int64 {
	if os.Getenv("BLOSC2_FULL") != "" {
		return 100_000_000
	}
	return 4 << 20
}()

const benchTexts = 4 << 20 // number of strings

// benchTables returns a table of numbers, one of strings, and the numbers as an
// array.
func benchTables(b *testing.B) (numbers, texts *table.Table, a *b2nd.Array, size int64) {
	var buf bytes.Buffer
	aw, err := b2nd.NewWriter(&buf, b2nd.Spec{Shape: []int64{benchRows}, DType: "<f8"})
	if err != nil {
		b.Fatal(err)
	}
	nw, err := table.NewBuilder(table.Spec{Name: "x", Kind: table.Float64})
	if err != nil {
		b.Fatal(err)
	}
	defer nw.Close()
	values := make([]float64, 1<<20)
	for at := int64(0); at < benchRows; at += int64(len(values)) {
		v := values[:min(int64(len(values)), benchRows-at)]
		for i := range v {
			v[i] = math.Sin(float64(at+int64(i)) / 1000)
		}
		if err := nw.Append(table.Cells{Values: v}); err != nil {
			b.Fatal(err)
		}
		if _, err := b2nd.WriteSlice(aw, v); err != nil {
			b.Fatal(err)
		}
	}
	if err := aw.Close(); err != nil {
		b.Fatal(err)
	}
	if a, err = b2nd.Open(bytes.NewReader(buf.Bytes()), int64(buf.Len())); err != nil {
		b.Fatal(err)
	}
	tw, err := table.NewBuilder(table.Spec{Name: "s", Kind: table.UTF8})
	if err != nil {
		b.Fatal(err)
	}
	defer tw.Close()
	text := make([]string, benchTexts)
	for i := range text {
		text[i] = fmt.Sprint("street ", i%100000)
		size += int64(len(text[i]))
	}
	if err := tw.Append(table.Cells{Values: text}); err != nil {
		b.Fatal(err)
	}
	return treetest.Reopen(b, nw), treetest.Reopen(b, tw), a, size
}

// perCPU reports the bytes per second of processor time, which other load does not
// affect.
func perCPU(b *testing.B, bytes int64, do func()) {
	b.SetBytes(bytes)
	n, began := 0, b2test.CPUTime()
	for b.Loop() {
		n++
		do()
	}
	b.ReportMetric(float64(n)*float64(bytes)/1e6/(b2test.CPUTime()-began).Seconds(), "MB/CPU-s")
}

func BenchmarkRead(b *testing.B) {
	t, texts, a, size := benchTables(b)
	windows := func(size int64, read func(w b2nd.Span) error) func() {
		return func() {
			for at := int64(0); at < benchRows; at += size {
				if err := read(b2nd.Span{Start: at, Stop: min(at+size, benchRows)}); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
	// The array is read in the fastest way: in windows of two chunks, into the same
	// memory.
	b.Run("array", func(b *testing.B) {
		dst := make([]float64, 2*a.ChunkShape()[0])
		perCPU(b, 8*benchRows, windows(int64(len(dst)), func(w b2nd.Span) error {
			return b2nd.ReadInto(a, dst[:w.Len()], b2nd.Window{w})
		}))
	})
	const slice = 1_000_000 // so that the rows do not end where chunks do
	b.Run("array/slices", func(b *testing.B) {
		perCPU(b, 8*benchRows, windows(slice, func(w b2nd.Span) error {
			_, err := b2nd.Read[float64](a, b2nd.Window{w})
			return err
		}))
	})
	x, err := t.Column("x")
	if err != nil {
		b.Fatal(err)
	}
	b.Run("float64", func(b *testing.B) {
		perCPU(b, 8*benchRows, func() {
			for _, err := range table.Values[float64](x) {
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	})
	b.Run("float64/slices", func(b *testing.B) {
		perCPU(b, 8*benchRows, windows(slice, func(w b2nd.Span) error {
			for _, err := range table.Range[float64](x, w.Start, w.Stop) {
				if err != nil {
					return err
				}
			}
			return nil
		}))
	})
	s, err := texts.Column("s")
	if err != nil {
		b.Fatal(err)
	}
	b.Run("utf8", func(b *testing.B) {
		perCPU(b, size, func() {
			for _, err := range table.Values[string](s) {
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	})
}

func BenchmarkCSV(b *testing.B) {
	var text strings.Builder
	text.WriteString("id,city,lon,lat,passengers,tip\n")
	for i := range 1000000 {
		fmt.Fprintf(&text, "%d,city %d,%.6f,%.6f,%d,%.2f\n", i, i%1000, math.Sin(float64(i))*180, math.Cos(float64(i))*90, i%7, float64(i%500)/100)
	}
	specs, err := table.InferCSV(strings.NewReader(text.String()))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(text.Len()))
	n, began := 0, b2test.CPUTime()
	defer func() { // report the speed per second of processor time, which other load does not affect
		b.ReportMetric(float64(n*text.Len())/1e6/(b2test.CPUTime()-began).Seconds(), "MB/CPU-s")
	}()
	for b.Loop() {
		n++
		w, err := table.NewBuilder(specs...)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := w.AppendCSV(strings.NewReader(text.String())); err != nil {
			b.Fatal(err)
		}
		var buf bytes.Buffer
		if err := w.Write(&buf); err != nil {
			b.Fatal(err)
		}
	}
}
