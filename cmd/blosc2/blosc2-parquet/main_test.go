package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/table"
)

// makeTable writes a table of the kinds that Parquet supports.
func makeTable(t *testing.T, path string) {
	t.Helper()
	b, err := table.NewBuilder(
		table.Spec{Name: "i", Kind: table.Int32, Nullable: true}, table.Spec{Name: "f", Kind: table.Float64}, table.Spec{Name: "b", Kind: table.Bool, Nullable: true},
		table.Spec{Name: "s", Kind: table.UTF8, Nullable: true}, table.Spec{Name: "d", Kind: table.Dictionary}, table.Spec{Name: "t", Kind: table.Timestamp, Unit: "ms"},
		table.Spec{Name: "l", Kind: table.List, Nullable: true, Item: &table.Spec{Kind: table.Int64}},
	)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	ok := []bool{true, false, true}
	err = b.Append(
		table.Cells{Values: []int32{1, 0, 3}, Valid: ok}, table.Cells{Values: []float64{0.5, 1.5, -2}}, table.Cells{Values: []bool{true, false, false}, Valid: ok},
		table.Cells{Values: []string{"ü", "", ""}, Valid: ok}, table.Cells{Values: []string{"x", "y", "x"}}, table.Cells{Values: []int64{0, 1, 86400000}},
		table.Cells{Values: []any{[]any{int64(1), int64(2)}, nil, []any{}}, Valid: ok},
	)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.WriteFile(path); err != nil {
		t.Fatal(err)
	}
}

func rowsOf(t *testing.T, path string) (rows []string) {
	t.Helper()
	tab, err := table.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer tab.Close()
	for r, err := range tab.Rows(0, tab.Len()) {
		if err != nil {
			t.Fatal(err)
		}
		var s []string
		for i, c := range r.Columns() {
			s = append(s, fmt.Sprintf("%s=%v", c.Spec().Name, r.Value(i)))
		}
		rows = append(rows, strings.Join(s, " "))
	}
	return rows
}

// A table that is converted to Parquet and back has the same rows.
func TestRoundTrip(t *testing.T) {
	dir := t.TempDir()
	first, parquet, second := filepath.Join(dir, "a.b2z"), filepath.Join(dir, "a.parquet"), filepath.Join(dir, "b.b2z")
	makeTable(t, first)
	if err := run(first, parquet, false); err != nil {
		t.Fatal(err)
	}
	if err := run(parquet, second, false); err != nil {
		t.Fatal(err)
	}
	if a, b := rowsOf(t, first), rowsOf(t, second); !reflect.DeepEqual(a, b) {
		t.Errorf("%q, want %q", b, a)
	}
	for _, args := range [][2]string{{first, parquet}, {first, filepath.Join(dir, "x")}, {parquet, filepath.Join(dir, "x")}, {second, filepath.Join(dir, "c.b2z")}} {
		if err := run(args[0], args[1], false); err == nil {
			t.Errorf("%v is not refused", args)
		}
	}
	if err := run(first+":/", parquet, true); err != nil {
		t.Error(err)
	}
}

// The scripts run blosc2, which finds this program in its own folder. $BLOSC2 is its
// path.
func TestScripts(t *testing.T) {
	dir := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", dir+string(filepath.Separator), "..", ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("PATH", dir+string(filepath.ListSeparator)+env.Getenv("PATH"))
			env.Setenv("BLOSC2", filepath.Join(dir, "blosc2"))
			return nil
		},
	})
}

// Converting a damaged Parquet file returns an error or writes a table that can be
// read.
func TestDamaged(t *testing.T) {
	dir := t.TempDir()
	first, parquet, bad, table := filepath.Join(dir, "a.b2z"), filepath.Join(dir, "a.parquet"), filepath.Join(dir, "bad.parquet"), filepath.Join(dir, "b.b2z")
	makeTable(t, first)
	if err := run(first, parquet, false); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(parquet)
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	for i := 4; i < len(whole); i += 7 {
		b := slices.Clone(whole)
		b[i] ^= 1 << (i % 8)
		if err := os.WriteFile(bad, b, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := run(bad, table, true); err != nil {
			refused++
			continue
		}
		rowsOf(t, table)
	}
	for _, n := range []int{4, 11, len(whole) / 2, len(whole) - 1} {
		if err := os.WriteFile(bad, whole[:n], 0o666); err != nil {
			t.Fatal(err)
		}
		if err := run(bad, table, true); err == nil {
			t.Errorf("the first %d bytes are not refused", n)
		}
	}
	if refused == 0 {
		t.Error("nothing was refused")
	}
}

const pyarrowReads = `
import sys, json, pyarrow.parquet as pq
print(json.dumps(pq.read_table(sys.argv[1]).to_pylist(), default=str))
`

const pyarrowWrites = `
import sys, pyarrow as pa, pyarrow.parquet as pq
pq.write_table(pa.table({
    'i': pa.array([1, None, -3], pa.int16()), 'f': pa.array([0.5, None, 2.5], pa.float32()), 's': pa.array(['a', None, '']),
    'd': pa.array(['x', 'y', None]).dictionary_encode(), 't': pa.array([1, None, 3], pa.timestamp('us', 'UTC')), 'b': pa.array([b'\x00', None, b'']),
    'l': pa.array([[1.5], None, []], pa.list_(pa.float64())), 'o': pa.array([True, None, False])}), sys.argv[1])
`

// pyarrow reads the Parquet files that this program writes, and this program reads
// those of pyarrow.
func TestPyArrow(t *testing.T) {
	python := b2test.Readers(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "a.b2z")
	makeTable(t, path)
	if err := run(path, filepath.Join(dir, "a.parquet"), false); err != nil {
		t.Fatal(err)
	}
	var got any
	if err := json.Unmarshal([]byte(python.Run(t, pyarrowReads, filepath.Join(dir, "a.parquet"))), &got); err != nil {
		t.Fatal(err)
	}
	want := []any{
		map[string]any{"i": 1.0, "f": 0.5, "b": true, "s": "ü", "d": "x", "t": "1970-01-01 00:00:00", "l": []any{1.0, 2.0}},
		map[string]any{"i": nil, "f": 1.5, "b": nil, "s": nil, "d": "y", "t": "1970-01-01 00:00:00.001000", "l": nil},
		map[string]any{"i": 3.0, "f": -2.0, "b": false, "s": "", "d": "x", "t": "1970-01-02 00:00:00", "l": []any{}},
	}
	if !reflect.DeepEqual(got, any(want)) {
		t.Errorf("pyarrow reads %v, want %v", got, want)
	}
	python.Run(t, pyarrowWrites, filepath.Join(dir, "p.parquet"))
	if err := run(filepath.Join(dir, "p.parquet"), filepath.Join(dir, "p.b2z"), false); err != nil {
		t.Fatal(err)
	}
	rows := rowsOf(t, filepath.Join(dir, "p.b2z"))
	wantRows := []string{
		"i=1 f=0.5 s=a d=x t=1 b=[0] l=[1.5] o=true", "i=<nil> f=<nil> s=<nil> d=y t=<nil> b=<nil> l=<nil> o=<nil>", "i=-3 f=2.5 s= d=<nil> t=3 b=[] l=[] o=false",
	}
	if !reflect.DeepEqual(rows, wantRows) {
		t.Errorf("%q, want %q", rows, wantRows)
	}
}
