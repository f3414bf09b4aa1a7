package table_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/internal/treetest"
	"github.com/seed03b80dae/blosc2/table"
	"github.com/seed03b80dae/blosc2/tree"
)

// Every table of the corpus with kinds that can be written is rewritten, and holds
// the same rows.
func TestRewriteCorpus(t *testing.T) {
	count, left := 0, 0
	for _, e := range treetest.Entries(t) {
		if e.Kind != "ctable" {
			continue
		}
		tab := openTable(t, e)
		var specs []table.Spec
		var names []string
		for _, s := range tab.Schema().Columns {
			if s.Kind == table.Object || s.Kind == table.Struct || s.Item != nil && s.Item.Kind == table.Struct {
				left++
				continue
			}
			s.Nullable = s.Nullable || s.Null != nil
			specs = append(specs, s)
			names = append(names, s.Name)
		}
		b, err := table.NewBuilder(specs...)
		if err != nil {
			t.Fatalf("%s: %v", e.Path, err)
		}
		if err := b.AppendTable(tab); err != nil {
			t.Fatalf("%s: %v", e.Path, err)
		}
		path := filepath.Join(t.TempDir(), "t.b2z")
		if err := b.WriteFile(path); err != nil {
			t.Fatalf("%s: %v", e.Path, err)
		}
		again, err := table.OpenFile(path)
		if err != nil {
			t.Fatalf("%s: %v", e.Path, err)
		}
		defer again.Close()
		secondReader(t, path, e, names, 1)
		if again.Len() != tab.Len() {
			t.Errorf("%s: %d rows, want %d", e.Path, again.Len(), tab.Len())
		}
		var want []string
		for r, err := range tab.Rows(0, tab.Len(), names...) {
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, rowText(r))
		}
		i := 0
		for r, err := range again.Rows(0, again.Len()) {
			if err != nil {
				t.Fatalf("%s: %v", e.Path, err)
			}
			if got := rowText(r); got != want[i] {
				t.Errorf("%s: row %d is %s, want %s", e.Path, i, got, want[i])
			}
			i++
		}
		count++
	}
	if count == 0 || left == 0 {
		t.Errorf("%d tables, %d columns left out", count, left)
	}
}

// A trip is a row with fields of all kinds that structs may have.
type trip struct {
	ID     int32     `blosc2:"id"`
	Begin  time.Time `blosc2:"trip.begin,ms"`
	City   string    `blosc2:"city,dictionary"`
	Plate  string    `blosc2:"plate,string=8"`
	Code   []byte    `blosc2:"code,bytes=4"`
	Blob   []byte    `blosc2:"blob"`
	Tip    *float64  `blosc2:"tip"`
	Note   *string   `blosc2:"note"`
	Stops  []int64   `blosc2:"stops"`
	Names  []string  `blosc2:"names"`
	Paid   bool      `blosc2:"paid"`
	Big    uint64
	Hidden string `blosc2:"-"`
}

func trips(n int) []trip {
	out := make([]trip, n)
	for i := range out {
		tip, note := float64(i)/3, strings.Repeat("ü", i%5)
		out[i] = trip{
			ID: int32(i), Begin: time.UnixMilli(int64(i) * 1001).UTC(), City: []string{"Łódź", "Bergen", ""}[i%3], Plate: fmt.Sprint("p", i%1000),
			Code: []byte{byte(1 + i%7), 0, 2}, Blob: bytes.Repeat([]byte{byte(i)}, i%4), Paid: i%2 == 0, Big: math.MaxUint64 - uint64(i),
			Stops: []int64{int64(i), -1}[:i%3%2+1], Names: []string{"a", "b"}[:i%3%2],
		}
		if i%3 != 0 {
			out[i].Tip = &tip
		}
		if i%4 != 0 {
			out[i].Note = &note
		}
		if i%11 == 0 {
			out[i].Stops = nil
		}
	}
	return out
}

// Rows that are structs survive a round trip through AppendRows and Scan.
func TestStructs(t *testing.T) {
	specs, err := table.SpecsOf[trip]()
	if err != nil {
		t.Fatal(err)
	}
	b, err := table.NewBuilder(specs...)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	want := trips(5000)
	for from := 0; from < len(want); from += 1234 {
		if err := table.AppendRows(b, want[from:min(from+1234, len(want))]); err != nil {
			t.Fatal(err)
		}
	}
	tab := treetest.Reopen(t, b)
	if tab.Len() != int64(len(want)) || tab.Schema().Version != 3 {
		t.Fatal(tab.Len(), tab.Schema().Version)
	}
	i := 0
	for r, err := range tab.Rows(0, tab.Len()) {
		if err != nil {
			t.Fatal(err)
		}
		var got struct {
			trip2
			ID    int32     `blosc2:"id"`
			Begin time.Time `blosc2:"trip.begin"`
			City  string    `blosc2:"city"`
			Plate string    `blosc2:"plate"`
			Code  []byte    `blosc2:"code"`
			Blob  []byte    `blosc2:"blob"`
			Tip   *float64  `blosc2:"tip"`
			Note  *string   `blosc2:"note"`
			Stops []any     `blosc2:"stops"`
			Names any       `blosc2:"names"`
			Paid  bool      `blosc2:"paid"`
			Big   uint64
		}
		if err := r.Scan(&got); err != nil {
			t.Fatal(err)
		}
		w := want[i]
		if got.ID != w.ID || !got.Begin.Equal(w.Begin) || got.City != w.City || got.Plate != w.Plate || !bytes.Equal(got.Code, w.Code) ||
			!bytes.Equal(got.Blob, w.Blob) || !reflect.DeepEqual(got.Tip, w.Tip) || !reflect.DeepEqual(got.Note, w.Note) || got.Paid != w.Paid || got.Big != w.Big ||
			fmt.Sprint(got.Stops) != fmt.Sprint(w.Stops) || w.Stops == nil != (got.Stops == nil) || fmt.Sprint(got.Names) != fmt.Sprint(w.Names) && w.Names != nil {
			t.Fatalf("row %d: %+v, want %+v", i, got, w)
		}
		i++
	}
	if i != len(want) {
		t.Error(i)
	}
	for r, err := range tab.Rows(0, 1) {
		if err != nil {
			t.Fatal(err)
		}
		var bad struct {
			ID string `blosc2:"id"`
		}
		if err := r.Scan(&bad); !errors.Is(err, blosc2.ErrOption) {
			t.Error(err)
		}
		if err := r.Scan(bad); !errors.Is(err, blosc2.ErrOption) {
			t.Error(err)
		}
	}
}

type trip2 struct{}

// The genuine library reads every frame of a table.
func TestGenuineReads(t *testing.T) {
	specs, err := table.SpecsOf[trip]()
	if err != nil {
		t.Fatal(err)
	}
	b, err := table.NewBuilder(specs...)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if err := table.AppendRows(b, trips(5000)); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "t.b2d")
	c, err := b.Contents("/")
	if err != nil {
		t.Fatal(err)
	}
	if err := tree.WriteFolder(dir, c); err != nil {
		t.Fatal(err)
	}
	arrays := 0
	for _, lib := range b2test.Oracles(t) {
		paths, err := filepath.Glob(filepath.Join(dir, "_cols", "*.b2nd"))
		if err != nil || len(paths) == 0 {
			t.Fatal(paths, err)
		}
		for _, path := range paths {
			a, err := b2nd.OpenFile(path)
			if err != nil {
				t.Fatal(err)
			}
			want, err := a.ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			if err := a.Close(); err != nil {
				t.Error(err)
			}
			if got, err := lib.Decode(t, "read-b2nd", path); err != nil || !bytes.Equal(got, want) {
				t.Errorf("C-Blosc2 %d, %s: %d bytes, %v", lib.Major, path, len(got), err)
			}
			arrays++
		}
		if lib.Major < 3 { // version 2 has no blocks of variable length
			continue
		}
		paths, err = filepath.Glob(filepath.Join(dir, "_cols", "*.b2b"))
		if err != nil || len(paths) == 0 {
			t.Fatal(paths, err)
		}
		for _, path := range paths {
			f, err := frame.OpenFile(path)
			if err != nil {
				t.Fatal(err)
			}
			want := make([]byte, f.Size())
			if _, err := f.ReadAt(want, 0); err != nil {
				t.Fatal(err)
			}
			if err := f.Close(); err != nil {
				t.Error(err)
			}
			if got, err := lib.Decode(t, "read-frame", path); err != nil || !bytes.Equal(got, want) {
				t.Errorf("C-Blosc2 %d, %s: %d bytes, want %d: %v", lib.Major, path, len(got), len(want), err)
			}
		}
	}
	if arrays == 0 {
		t.Error("no array was read")
	}
}

// A table without rows is valid, and an invalid table returns an error.
func TestRefuses(t *testing.T) {
	all := []table.Spec{
		{Name: "a", Kind: table.UTF8}, {Name: "b", Kind: table.Dictionary}, {Name: "c", Kind: table.VLString}, {Name: "d", Kind: table.Float32, Nullable: true},
		{Name: "e", Kind: table.NDArray, DType: "<f8", ItemShape: []int64{2, 3}}, {Name: "f", Kind: table.List, Item: &table.Spec{Kind: table.Int8}},
	}
	b, err := table.NewBuilder(all...)
	if err != nil {
		t.Fatal(err)
	}
	tab := treetest.Reopen(t, b)
	if tab.Len() != 0 || len(tab.Schema().Columns) != len(all) {
		t.Error(tab.Len())
	}
	for range tab.Rows(0, 0) {
		t.Error("a row")
	}
	for _, s := range []table.Spec{
		{}, {Name: "x"}, {Name: "_x", Kind: table.Int8}, {Name: "x", Kind: "int7"}, {Name: "x", Kind: table.Object}, {Name: "x", Kind: table.List},
		{Name: "x", Kind: table.Timestamp, Unit: "h"}, {Name: "x", Kind: table.String, MaxLength: -1}, {Name: "x", Kind: table.NDArray}, {Name: "a..b", Kind: table.Int8},
	} {
		if _, err := table.NewBuilder(s); !errors.Is(err, blosc2.ErrOption) {
			t.Errorf("%+v: %v", s, err)
		}
	}
	b, err = table.NewBuilder(table.Spec{Name: "s", Kind: table.String, MaxLength: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	for _, c := range []table.Cells{{}, {Values: []int{1}}, {Values: []string{"a"}, Valid: []bool{}}, {Values: []string{"a"}, Valid: []bool{false}}, {Values: []string{"abc"}}} {
		if err := b.Append(c); !errors.Is(err, blosc2.ErrOption) {
			t.Errorf("%v: %v", c, err)
		}
	}
}

// CSV survives a round trip, with quotes, line breaks and nulls.
func TestCSV(t *testing.T) {
	text := "name,n,when,x\r\n\"a \"\"quote\"\", and\nmore\",1,2026-11-22T10:00:00Z,1.5\n,,,\n\"\",-3,1969-12-31,NaN\n\nplain,4,5,1e300"
	b, err := table.NewBuilder(
		table.Spec{Name: "x", Kind: table.Float64, Nullable: true}, table.Spec{Name: "n", Kind: table.Int16, Nullable: true},
		table.Spec{Name: "name", Kind: table.UTF8, Nullable: true}, table.Spec{Name: "when", Kind: table.Timestamp, Unit: "s", Nullable: true},
		table.Spec{Name: "missing", Kind: table.Bool, Nullable: true},
	)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	n, err := b.AppendCSV(strings.NewReader(text))
	if err != nil || n != 4 {
		t.Fatal(n, err)
	}
	var got strings.Builder
	tab := treetest.Reopen(t, b)
	for r, err := range tab.Rows(0, tab.Len()) {
		if err != nil {
			t.Fatal(err)
		}
		got.WriteString(rowText(r) + "\n")
	}
	want := "1.5|1|a \"quote\", and\nmore|1795341600|<nil>|\n<nil>|<nil>|<nil>|<nil>|<nil>|\nNaN|-3||-86400|<nil>|\n1e+300|4|plain|5|<nil>|\n"
	if got.String() != want {
		t.Errorf("%s, want %s", got.String(), want)
	}
	specs, err := table.InferCSV(strings.NewReader("a,b,c,d,e,f\n1,1.5,true,2026-01-01,x,\n2,3,false,,1,\n"))
	kinds := ""
	for _, s := range specs {
		kinds += string(s.Kind) + " "
	}
	if err != nil || kinds != "int64 float64 bool timestamp utf8 utf8 " {
		t.Error(kinds, err)
	}
}

// Invalid CSV returns an error that names its line.
func TestBadCSV(t *testing.T) {
	for _, text := range []string{"", "y\n1", "x,x\n1,1", "x\na", "x\n1,2", "x\n\"1", "x\n\"1\"2", "x\n1\"2", "x\n300", "s\n"} {
		b, err := table.NewBuilder(table.Spec{Name: "x", Kind: table.Int8}, table.Spec{Name: "s", Kind: table.UTF8, Nullable: true})
		if err != nil {
			t.Fatal(err)
		}
		n, err := b.AppendCSV(strings.NewReader(text))
		if err == nil && text != "s\n" {
			t.Errorf("%q: %d rows", text, n)
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}
}
