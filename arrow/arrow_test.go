package arrow_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	apache "github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/arrow"
	"github.com/seed03b80dae/blosc2/internal/treetest"
	"github.com/seed03b80dae/blosc2/table"
)

const rows = 150000 // more rows than a record holds

// makeTable makes a table of all kinds that Arrow supports.
func makeTable(t testing.TB) *table.Table {
	t.Helper()
	b, err := table.NewBuilder(
		table.Spec{Name: "i", Kind: table.Int32, Nullable: true}, table.Spec{Name: "f", Kind: table.Float64}, table.Spec{Name: "b", Kind: table.Bool, Nullable: true},
		table.Spec{Name: "s", Kind: table.UTF8, Nullable: true}, table.Spec{Name: "d", Kind: table.Dictionary, Nullable: true},
		table.Spec{Name: "when.begin", Kind: table.Timestamp, Unit: "ms", Timezone: "UTC", Nullable: true}, table.Spec{Name: "v", Kind: table.VLBytes, Nullable: true},
		table.Spec{Name: "l", Kind: table.List, Nullable: true, Item: &table.Spec{Kind: table.Int64}},
	)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	i, f, bs, s, d, w, v, l, ok := make([]int32, rows), make([]float64, rows), make([]bool, rows), make([]string, rows), make([]string, rows), make([]int64, rows), make([][]byte, rows), make([]any, rows), make([]bool, rows)
	for k := range rows {
		ok[k] = k%5 != 0
		f[k] = float64(k) / 3
		v[k] = []byte{}
		if ok[k] {
			i[k], bs[k], s[k], d[k], w[k], v[k] = int32(k), k%2 == 0, fmt.Sprint("s", k%999), fmt.Sprint("word ", k%7), int64(k)*1000, []byte{byte(k)}
			l[k] = []any{int64(k), nil, int64(-1)}[:k%4%3]
		}
	}
	err = b.Append(
		table.Cells{Values: i, Valid: ok}, table.Cells{Values: f}, table.Cells{Values: bs, Valid: ok}, table.Cells{Values: s, Valid: ok}, table.Cells{Values: d, Valid: ok},
		table.Cells{Values: w, Valid: ok}, table.Cells{Values: v, Valid: ok}, table.Cells{Values: l, Valid: ok},
	)
	if err != nil {
		t.Fatal(err)
	}
	return treetest.Reopen(t, b)
}

func sameRows(t *testing.T, a, b *table.Table) {
	t.Helper()
	if a.Len() != b.Len() {
		t.Fatalf("%d rows, want %d", b.Len(), a.Len())
	}
	var want []string
	for r, err := range a.Rows(0, a.Len()) {
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, text(r))
	}
	n := 0
	for r, err := range b.Rows(0, b.Len()) {
		if err != nil {
			t.Fatal(err)
		}
		if got := text(r); got != want[n] {
			t.Fatalf("row %d is %s, want %s", n, got, want[n])
		}
		n++
	}
}

func text(r *table.Row) (s string) {
	for i := range r.Columns() {
		s += fmt.Sprintf("%v|", r.Value(i))
	}
	return s
}

// A table survives a round trip through Arrow, and all memory of the allocator is
// released.
func TestRoundTrip(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
	defer mem.AssertSize(t, 0)
	tab := makeTable(t)
	r, err := arrow.NewReader(tab, mem)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Release()
	specs, err := arrow.Specs(r.Schema())
	if err != nil {
		t.Fatal(err)
	}
	b, err := table.NewBuilder(specs...)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	n, err := arrow.Append(b, r)
	if err != nil || n != rows {
		t.Fatal(n, err)
	}
	sameRows(t, tab, treetest.Reopen(t, b))
}

// Records remain valid after the next one is read, and their nulls are those of the
// table.
func TestRecords(t *testing.T) {
	tab := makeTable(t)
	r, err := arrow.NewReader(tab, memory.DefaultAllocator, "f", "i")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Release()
	var all []apache.RecordBatch
	for r.Next() {
		batch := r.RecordBatch()
		batch.Retain()
		defer batch.Release()
		all = append(all, batch)
	}
	if err := r.Err(); err != nil || len(all) != 3 {
		t.Fatal(len(all), err)
	}
	k := 0
	for _, batch := range all {
		f, i := batch.Column(0).(*array.Float64), batch.Column(1).(*array.Int32)
		for j := range f.Len() {
			if f.Value(j) != float64(k)/3 || i.IsNull(j) != (k%5 == 0) || i.IsValid(j) && i.Value(j) != int32(k) {
				t.Fatalf("row %d: %v, %v", k, f.Value(j), i.Value(j))
			}
			k++
		}
	}
	if k != rows {
		t.Error(k)
	}
}

// Columns without a matching Arrow type, and Arrow types without a matching column, are
// rejected.
func TestRefuses(t *testing.T) {
	if _, err := arrow.Field(&table.Spec{Name: "c", Kind: table.Complex64}); !errors.Is(err, blosc2.ErrUnsupported) {
		t.Error(err)
	}
	if _, err := arrow.Specs(apache.NewSchema([]apache.Field{{Name: "x", Type: apache.FixedWidthTypes.Time32s}}, nil)); !errors.Is(err, blosc2.ErrUnsupported) {
		t.Error(err)
	}
	if _, err := arrow.Specs(apache.NewSchema([]apache.Field{{Name: "x", Type: apache.ListOf(apache.FixedWidthTypes.Date32)}}, nil)); !errors.Is(err, blosc2.ErrUnsupported) {
		t.Error(err)
	}
	if _, err := arrow.NewReader(makeTable(t), memory.DefaultAllocator, "missing"); !errors.Is(err, blosc2.ErrOption) {
		t.Error(err)
	}
}

// Arrow types for which a table has only a similar kind are converted to that kind.
func TestConverts(t *testing.T) {
	large := apache.LargeListOf(apache.BinaryTypes.LargeString)
	category := &apache.DictionaryType{IndexType: apache.PrimitiveTypes.Int8, ValueType: apache.BinaryTypes.String}
	schema := apache.NewSchema([]apache.Field{
		{Name: "day", Type: apache.FixedWidthTypes.Date32, Nullable: true}, {Name: "text", Type: apache.BinaryTypes.LargeString, Nullable: true},
		{Name: "raw", Type: apache.BinaryTypes.LargeBinary}, {Name: "two", Type: &apache.FixedSizeBinaryType{ByteWidth: 2}},
		{Name: "word", Type: category, Nullable: true}, {Name: "list", Type: large, Nullable: true},
	}, nil)
	batch, _, err := array.RecordFromJSON(memory.DefaultAllocator, schema, strings.NewReader(`[
		{"day": "1970-01-03", "text": "ü", "raw": "AAE=", "two": "AAE=", "word": "x", "list": ["a", null]},
		{"day": null, "text": null, "raw": "", "two": "AgM=", "word": null, "list": null}]`))
	if err != nil {
		t.Fatal(err)
	}
	defer batch.Release()
	r, err := array.NewRecordReader(schema, []apache.RecordBatch{batch})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Release()
	specs, err := arrow.Specs(schema)
	if err != nil {
		t.Fatal(err)
	}
	b, err := table.NewBuilder(specs...)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if n, err := arrow.Append(b, r); err != nil || n != 2 {
		t.Fatal(n, err)
	}
	want := []string{"172800|ü|[0 1]|[0 1]|x|[a <nil>]|", "<nil>|<nil>|[]|[2 3]|<nil>|<nil>|"}
	tab := treetest.Reopen(t, b)
	for row, err := range tab.Rows(0, tab.Len()) {
		if err != nil {
			t.Fatal(err)
		}
		if got := text(row); got != want[0] {
			t.Errorf("%q, want %q", got, want[0])
		}
		want = want[1:]
	}
}
