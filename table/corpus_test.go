package table_test

import (
	"reflect"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/treetest"
	"github.com/seed03b80dae/blosc2/table"
	"github.com/seed03b80dae/blosc2/tree"
)

// Every table of the corpus is read as its manifest says, whether it is a whole store
// or a part of one.
func TestCorpus(t *testing.T) {
	tables, want, inside := 0, 0, 0
	for _, e := range treetest.Entries(t) {
		w, _ := e.Content.(map[string]any)
		switch e.Kind {
		case "ctable":
			want++
			if err := matchTable(w, openTable(t, e)); err != nil {
				t.Errorf("%s: %v", e.Path, err)
				continue
			}
			tables++
		case "treestore":
			s, err := tree.OpenFile(e.File(t))
			if err != nil {
				t.Fatal(err)
			}
			for key, l := range w["leaves"].(map[string]any) {
				if l := l.(map[string]any); l["type"] == "ctable" {
					tab, err := table.Open(s, key)
					if err == nil {
						err = matchTable(l, tab)
					}
					if err != nil {
						t.Errorf("%s%s: %v", e.Path, key, err)
					}
					inside++
				}
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	if tables != want || want == 0 || inside == 0 {
		t.Errorf("saw %d of %d tables, and %d in stores", tables, want, inside)
	}
}

// Any range of rows of any column has the values that the whole column has there.
func TestRanges(t *testing.T) {
	for _, e := range treetest.Entries(t) {
		if e.Kind != "ctable" {
			continue
		}
		tab := openTable(t, e)
		var all []string
		for r, err := range tab.Rows(0, tab.Len()) {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, rowText(r))
		}
		n := tab.Len()
		for from := int64(0); from <= n; from += 1 + n/7 {
			for to := from; to <= n; to += 1 + n/5 {
				i := from
				for r, err := range tab.Rows(from, to) {
					if err != nil {
						t.Fatal(err)
					}
					if got := rowText(r); got != all[i] || r.Number != i {
						t.Errorf("%s: row %d of %d to %d: %s, want %s", e.Path, i, from, to, got, all[i])
					}
					i++
				}
				if i != to {
					t.Errorf("%s: rows %d to %d end at %d", e.Path, from, to, i)
				}
			}
		}
		for _, bad := range [][2]int64{{-1, 0}, {1, 0}, {0, n + 1}} {
			for _, err := range tab.Rows(bad[0], bad[1]) {
				if err == nil {
					t.Errorf("%s: rows %v", e.Path, bad)
				}
			}
		}
	}
}

// Columns are read with their GoType, and with no other type.
func TestTypes(t *testing.T) {
	for _, e := range treetest.Entries(t) {
		if e.Path != "ctable/types.b2d" {
			continue
		}
		tab := openTable(t, e)
		for i, s := range tab.Schema().Columns {
			c, err := tab.Column(s.Name)
			if err != nil {
				t.Fatal(err)
			}
			if c.GoType() == reflect.TypeFor[int32]() {
				total := int64(0)
				for b, err := range table.Values[int32](c) {
					if err != nil || b.Row != total {
						t.Fatal(b.Row, err)
					}
					total += int64(len(b.Values))
				}
				if total != tab.Len() {
					t.Errorf("%d values of %d", total, tab.Len())
				}
				continue
			}
			for _, err := range table.Values[int32](c) {
				if err == nil {
					t.Errorf("column %d of type %s was read as int32", i, c.GoType())
				}
			}
		}
		if _, err := tab.Column("missing"); err == nil {
			t.Error("a column that is not there")
		}
		return
	}
	t.Fatal("the table of types is missing")
}
