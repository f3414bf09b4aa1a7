package table_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/internal/containertest"
	"github.com/seed03b80dae/blosc2/internal/treetest"
	"github.com/seed03b80dae/blosc2/table"
	"github.com/seed03b80dae/blosc2/tree"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// matchValue compares a value of a column with the manifest.
func matchValue(want any, v any, c *table.Column) error {
	if v == nil || want == nil {
		if v != want {
			return fmt.Errorf("%v, want %v", v, want)
		}
		return nil
	}
	switch c.Spec().Kind {
	case table.Timestamp:
		w, ok := want.(map[string]any)
		if !ok || fmt.Sprint(w["datetime64"]) != fmt.Sprint(v) || w["unit"] != c.Spec().Unit {
			return fmt.Errorf("%v %s, want %v", v, c.Spec().Unit, want)
		}
		return nil
	case table.Bool: // python-blosc2 returns those with a null value as numbers
		if n, ok := want.(json.Number); ok {
			want = n != "0"
		}
	case table.NDArray:
		w, ok := want.(map[string]any)["items"].(map[string]any)
		if !ok || w["sha256"] != b2test.Digest(v.([]byte)) || fmt.Sprint(w["shape"]) != fmt.Sprint(c.Spec().ItemShape) || w["dtype"] != c.Spec().DType {
			return fmt.Errorf("% x, want %v", v, want)
		}
		return nil
	}
	return treetest.Match(want, v, func(map[string]any, tree.Embedded) error { return fmt.Errorf("a frame") })
}

// matchTable compares a whole table with the "content" of the manifest.
func matchTable(w map[string]any, t *table.Table) error {
	if fmt.Sprint(w["rows"]) != fmt.Sprint(t.Len()) || fmt.Sprint(w["schema_version"]) != fmt.Sprint(t.Schema().Version) {
		return fmt.Errorf("%d rows of version %d, want %v of %v", t.Len(), t.Schema().Version, w["rows"], w["schema_version"])
	}
	columns := w["columns"].(map[string]any)
	if len(columns) != len(t.Schema().Columns) {
		return fmt.Errorf("%d columns, want %d", len(t.Schema().Columns), len(columns))
	}
	computed, _ := w["computed"].(map[string]any)
	if len(computed) != len(t.Schema().Computed) {
		return fmt.Errorf("%d computed columns, want %d", len(t.Schema().Computed), len(computed))
	}
	rows := int64(0)
	for r, err := range t.Rows(0, t.Len()) {
		if err != nil {
			return err
		}
		for i, c := range r.Columns() {
			col := columns[c.Spec().Name].(map[string]any)
			if col["kind"] != string(c.Spec().Kind) {
				return fmt.Errorf("column %s of kind %s, want %v", c.Spec().Name, c.Spec().Kind, col["kind"])
			}
			values, ok := col["values"].([]any)
			if !ok {
				return fmt.Errorf("the manifest has no values for %s", c.Spec().Name)
			}
			if err := matchValue(values[rows], r.Value(i), c); err != nil {
				return fmt.Errorf("row %d of %s: %w", rows, c.Spec().Name, err)
			}
		}
		rows++
	}
	if rows != t.Len() {
		return fmt.Errorf("%d rows, want %d", rows, t.Len())
	}
	m, err := t.Metadata()
	want, _ := w["vlmeta"].(map[string]any)
	if err != nil || len(m) != len(want) {
		return fmt.Errorf("metadata %v, want %v: %v", m, want, err)
	}
	for name, v := range want {
		got, _ := m.Get(name)
		if err := treetest.Match(v, got, nil); err != nil {
			return fmt.Errorf("metadata %s: %w", name, err)
		}
	}
	return nil
}

// openTable opens the table of an entry of the manifest.
func openTable(t testing.TB, e treetest.Entry) *table.Table {
	t.Helper()
	tab, err := table.OpenFile(e.File(t))
	if err != nil {
		t.Fatalf("%s: %v", e.Path, err)
	}
	t.Cleanup(func() {
		if err := tab.Close(); err != nil {
			t.Error(err)
		}
	})
	return tab
}

// array makes an array of bytes.
func array(t *testing.T, dtype string, shape []int64, b []byte) []byte {
	t.Helper()
	var buf bytes.Buffer
	w, err := b2nd.NewWriter(&buf, b2nd.Spec{Shape: shape, DType: dtype})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func rowText(r *table.Row) string {
	var s strings.Builder
	for i := range r.Columns() {
		fmt.Fprintf(&s, "%v|", r.Value(i))
	}
	return s.String()
}

// secondReader reads a table with package containertest, which shares no code with this
// package, and compares the named columns with those of the manifest, repeated the
// given number of times.
func secondReader(t *testing.T, path string, e treetest.Entry, names []string, times int) {
	t.Helper()
	dir, name := filepath.Split(path)
	content, err := containertest.Read(os.DirFS(dir), name)
	if err != nil {
		t.Errorf("%s: second reader: %v", e.Path, err)
		return
	}
	got := content.(map[string]any)
	want := containertest.Plain(e.Content).(map[string]any)
	columns := map[string]any{}
	for _, name := range names {
		c := want["columns"].(map[string]any)[name].(map[string]any)
		for i, v := range c["values"].([]any) {
			if c["kind"] == "bool" && (v == any(int64(0)) || v == any(int64(1))) { // python-blosc2 returns booleans with a sentinel as numbers
				c["values"].([]any)[i] = v == any(int64(1))
			}
		}
		c["values"] = slices.Repeat(c["values"].([]any), times)
		columns[name] = c
	}
	want["rows"] = want["rows"].(int64) * int64(times)
	if diff := containertest.Diff(map[string]any{"rows": want["rows"], "columns": columns}, map[string]any{"rows": got["rows"], "columns": got["columns"]}); len(diff) > 0 {
		t.Errorf("%s: second reader:\n%s", e.Path, strings.Join(diff, "\n"))
	}
}
