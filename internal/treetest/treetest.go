// Package treetest compares results of packages tree and table with the
// manifest of the corpus of stores, whose "encoding" describes the form of
// values.
package treetest

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/tree"
)

// An Entry is a file of the manifest.
type Entry struct {
	Path, Category, Kind, Python, How string
	Content                           any // numbers are of type json.Number
}

// File returns the path of the entry's file or folder.
func (e Entry) File(t testing.TB) string { return filepath.Join(dir(t), filepath.FromSlash(e.Path)) }

func dir(t testing.TB) string {
	return filepath.Join(b2test.Shared(t), "corpus", "neighbours", "trees")
}

// Entries returns all entries of the manifest.
func Entries(t testing.TB) []Entry {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir(t), "MANIFEST.json"))
	if err != nil {
		t.Fatal(err)
	}
	var m struct {
		Count int
		Files []Entry
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if err := d.Decode(&m); err != nil {
		t.Fatal(err)
	}
	if m.Count != len(m.Files) || m.Count == 0 {
		t.Fatalf("%d entries, the manifest says %d", len(m.Files), m.Count)
	}
	return m.Files
}

// Match returns an error if v, a value from tree or table, differs from the
// manifest. node compares values that are containers.
func Match(want, v any, node func(want map[string]any, e tree.Embedded) error) error {
	differ := func() error { return fmt.Errorf("%.300s, want %.300s", fmt.Sprintf("%T %v", v, v), fmt.Sprint(want)) }
	switch w := want.(type) {
	case nil, bool:
		if v != w {
			return differ()
		}
		return nil
	case json.Number:
		return matchNumber(w, v)
	case string:
		if v != w {
			return differ()
		}
		return nil
	case []any:
		got, ok := v.([]any)
		if !ok {
			return differ()
		}
		return matchList(w, got, node)
	case map[string]any:
		return matchMarked(w, v, node)
	}
	return differ()
}

func matchList(want, got []any, node func(map[string]any, tree.Embedded) error) error {
	if len(want) != len(got) {
		return fmt.Errorf("%d items, want %d", len(got), len(want))
	}
	for i := range want {
		if err := Match(want[i], got[i], node); err != nil {
			return fmt.Errorf("item %d: %w", i, err)
		}
	}
	return nil
}

func matchNumber(w json.Number, v any) error {
	ok := false
	switch v := v.(type) {
	case int64, uint64, int8, int16, int32, uint8, uint16, uint32:
		ok = fmt.Sprint(v) == w.String()
	case float64:
		f, err := strconv.ParseFloat(w.String(), 64)
		ok = err == nil && math.Float64bits(f) == math.Float64bits(v)
	case float32:
		f, err := strconv.ParseFloat(w.String(), 64)
		ok = err == nil && float32(f) == v
	}
	if !ok {
		return fmt.Errorf("%T %v, want %s", v, v, w)
	}
	return nil
}

// bytesMatch compares bytes or, if there are many, their length and digest.
func bytesMatch(want any, got []byte) bool {
	switch w := want.(type) {
	case string:
		return hex.EncodeToString(got) == w
	case map[string]any:
		return fmt.Sprint(w["len"]) == fmt.Sprint(len(got)) && w["sha256"] == b2test.Digest(got)
	}
	return false
}

func matchMarked(w map[string]any, v any, node func(map[string]any, tree.Embedded) error) error {
	differ := func() error { return fmt.Errorf("%.300s, want %.300s", fmt.Sprintf("%T %v", v, v), fmt.Sprint(w)) }
	if want, ok := w["map"]; ok {
		m, ok := v.(meta.Map)
		pairs := want.([]any)
		if !ok || len(m) != len(pairs) {
			return differ()
		}
		for i, p := range pairs {
			if err := matchList(p.([]any), []any{m[i].Key, m[i].Value}, node); err != nil {
				return err
			}
		}
		return nil
	}
	ok := false
	switch v := v.(type) {
	case tree.Tuple:
		if want, is := w["tuple"].([]any); is {
			return matchList(want, v, node)
		}
	case string:
		ok = bytesMatch(w["string"], []byte(v))
	case []byte:
		ok = bytesMatch(w["bytes"], v)
	case float64:
		ok = w["float"] == map[bool]string{true: "nan"}[math.IsNaN(v)] || math.IsInf(v, 1) && w["float"] == "inf" || math.IsInf(v, -1) && w["float"] == "-inf"
	case float32:
		return matchMarked(w, float64(v), node)
	case complex64:
		return matchMarked(w, complex128(v), node)
	case complex128:
		parts, is := w["complex"].([]any)
		ok = is && len(parts) == 2 && Match(parts[0], real(v), node) == nil && Match(parts[1], imag(v), node) == nil
	case meta.Ext:
		parts, is := w["ext"].([]any)
		ok = is && len(parts) == 2 && fmt.Sprint(parts[0]) == fmt.Sprint(v.Type) && bytesMatch(parts[1], v.Data)
	case tree.Reference:
		want, is := w["ref"].(map[string]any)
		if !is {
			return differ()
		}
		return matchReference(want, v)
	case tree.Embedded:
		return node(w, v)
	}
	if !ok {
		return differ()
	}
	return nil
}

// matchReference compares the fields that the manifest lists.
func matchReference(want map[string]any, r tree.Reference) error {
	v, _ := r.Fields.Get("ref")
	fields, ok := v.(meta.Map)
	if !ok {
		fields = r.Fields
	}
	for name, w := range want {
		got, _ := fields.Get(name)
		if err := Match(w, got, nil); err != nil {
			return fmt.Errorf("field %s of a reference: %w", name, err)
		}
	}
	return nil
}
