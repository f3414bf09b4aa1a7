package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// A neighbour is an entry of the corpus of python-blosc2's containers.
type neighbour struct {
	Path, Kind string
	Content    json.RawMessage
	file       string
}

func neighbours(t *testing.T) []neighbour {
	t.Helper()
	dir := filepath.Join(b2test.Shared(t), "corpus", "neighbours", "trees")
	b, err := os.ReadFile(filepath.Join(dir, "MANIFEST.json"))
	if err != nil {
		t.Fatal(err)
	}
	var m struct{ Files []neighbour }
	if err := json.Unmarshal(b, &m); err != nil {
		t.Fatal(err)
	}
	for i := range m.Files {
		m.Files[i].file = filepath.Join(dir, m.Files[i].Path)
	}
	return m.Files
}

// Recipes and proxy caches are described and never printed as zeros, and no token
// is printed at all.
func TestNoZeros(t *testing.T) {
	n := 0
	for _, e := range neighbours(t) {
		recipe := e.Kind == "b2o" || e.Kind == "b2o-legacy" && strings.HasSuffix(e.Path, "expr.b2nd")
		proxy := e.Kind == "proxy" && !strings.HasSuffix(e.Path, "cache-nothing.b2nd")
		if !recipe && !proxy {
			continue
		}
		n++
		if status, stdout, _ := printed(t, "cat", e.file); status != exitFailed || strings.TrimSpace(stdout) != "" {
			t.Errorf("cat %s: status %d, %.80q", e.Path, status, stdout)
		}
		if status, stdout, _ := printed(t, "decompress", "--raw", "-o", "-", e.file); status != exitFailed || stdout != "" {
			t.Errorf("decompress %s: status %d, %.80q", e.Path, status, stdout)
		}
		for _, args := range [][]string{{"info"}, {"info", "--json"}, {"verify"}, {"info", "-r"}} {
			status, stdout, stderr := printed(t, append(args, e.file)...)
			if status != exitDone || stdout == "" {
				t.Errorf("%v %s: status %d, %s", args, e.Path, status, stderr)
			}
			if strings.Contains(stdout+stderr, "SECRET") || strings.Contains(stdout, "5345435245542d") {
				t.Errorf("%v %s prints the token", args, e.Path)
			}
			if args[0] == "verify" && !strings.Contains(stdout, "fetched") && !strings.Contains(stdout, "never computed") && isArrayFile(e.file) {
				t.Errorf("verify %s: %q", e.Path, stdout)
			}
		}
	}
	if n < 8 {
		t.Errorf("%d files", n)
	}
}

func isArrayFile(name string) bool { return filepath.Ext(name) == arraySuffix }

// cat --json prints an object for each live row of every table, with null for
// null.
func TestCatTables(t *testing.T) {
	n := 0
	for _, e := range neighbours(t) {
		if e.Kind != "ctable" {
			continue
		}
		var want struct {
			Rows    int
			Columns map[string]struct {
				Kind   string
				Values []any
			}
		}
		if err := json.Unmarshal(e.Content, &want); err != nil {
			t.Fatal(err)
		}
		status, stdout, stderr := printed(t, "cat", "--json", e.file)
		if status != exitDone {
			t.Errorf("%s: %s", e.Path, stderr)
			continue
		}
		row := 0
		for s := bufio.NewScanner(bytes.NewReader([]byte(stdout))); s.Scan(); row++ {
			var got map[string]any
			if err := json.Unmarshal(s.Bytes(), &got); err != nil || row >= want.Rows {
				t.Fatalf("%s, row %d: %v: %.100s", e.Path, row, err, s.Text())
			}
			if len(got) != len(want.Columns) {
				t.Errorf("%s, row %d: %d columns, want %d", e.Path, row, len(got), len(want.Columns))
			}
			for name, c := range want.Columns {
				v, w := got[name], c.Values[row]
				if (v == nil) != (w == nil) {
					t.Errorf("%s, row %d, %s: %v, want %v", e.Path, row, name, v, w)
				}
				if f, ok := v.(float64); ok && c.Kind == "float32" { // cat prints as few digits as necessary
					v = float64(float32(f))
				}
				switch w.(type) { // values of other types have a different form in the manifest
				case string, float64:
					if v != w && c.Kind != "bool" {
						t.Errorf("%s, row %d, %s: %v, want %v", e.Path, row, name, v, w)
					}
				}
			}
		}
		if row != want.Rows {
			t.Errorf("%s: %d rows, want %d", e.Path, row, want.Rows)
		}
		n++
	}
	if n < 30 {
		t.Errorf("%d tables", n)
	}
}

// Every readable store is listed, with its contents.
func TestListStores(t *testing.T) {
	n := 0
	for _, e := range neighbours(t) {
		if e.Kind != "dictstore" && e.Kind != "treestore" && e.Kind != "embedstore" || string(e.Content) == "null" {
			continue
		}
		var want struct {
			Leaves map[string]struct{ Type string }
		}
		if err := json.Unmarshal(e.Content, &want); err != nil {
			t.Fatal(err)
		}
		status, stdout, stderr := printed(t, "info", "--tree", "--json", e.file)
		if status != exitDone {
			t.Errorf("%s: %s", e.Path, stderr)
			continue
		}
		got := map[string]string{}
		for s := bufio.NewScanner(strings.NewReader(stdout)); s.Scan(); {
			var l nodeLine
			if err := json.Unmarshal(s.Bytes(), &l); err != nil {
				t.Fatal(err)
			}
			got[l.Key] = l.Kind
		}
		for key, leaf := range want.Leaves {
			if got[key] == "" || (leaf.Type == "ctable") != (got[key] == "table") || (leaf.Type == "ndarray") != (got[key] == "array") {
				t.Errorf("%s: %s is %q, want %s", e.Path, key, got[key], leaf.Type)
			}
		}
		if status, _, stderr := printed(t, "info", e.file); status != exitDone {
			t.Errorf("%s: %s", e.Path, stderr)
		}
		n++
	}
	if n < 12 {
		t.Errorf("%d stores", n)
	}
}
