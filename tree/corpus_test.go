package tree_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/treetest"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/tree"
)

// Every file of the corpus of stores is read as its manifest says, or is rejected
// if it says so. Tables are opened as stores here; package table reads them.
func TestCorpus(t *testing.T) {
	seen := map[string]int{}
	entries := treetest.Entries(t)
	for _, e := range entries {
		s, n, err := openEntry(t, e)
		w, _ := e.Content.(map[string]any)
		switch {
		case w == nil:
			err = refused(e, s, n, err)
		case err != nil:
		case e.Kind == "ctable":
			err = tableAsStore(s)
		case e.Kind == "proxy":
			err = matchProxy(w, n)
		case w["type"] == "carrier", e.Kind == "b2o-legacy" && w["type"] == nil:
			err = matchRecipe(w, n)
		case s != nil:
			err = matchStore(w, s)
		default:
			err = matchNode(w, n)
		}
		if err != nil {
			t.Errorf("%s: %v", e.Path, err)
		}
		seen[e.Kind]++
	}
	total := 0
	for _, kind := range []string{"dictstore", "treestore", "embedstore", "ctable", "objectarray", "batcharray", "listarray", "b2o", "b2o-legacy", "proxy", "tensor", "ndarray", "schunk"} {
		if seen[kind] == 0 {
			t.Errorf("no file of kind %s", kind)
		}
		total += seen[kind]
	}
	if total != len(entries) {
		t.Errorf("saw %v, together %d of %d", seen, total, len(entries))
	}
}

// refused checks the results for the files that python-blosc2 does not read.
func refused(e treetest.Entry, s *tree.Store, n *tree.Node, err error) error {
	switch {
	case strings.HasSuffix(e.Path, "zip-deflated-embed.b2z"):
		if !errors.Is(err, blosc2.ErrUnsupported) {
			return fmt.Errorf("opened: %w", err)
		}
	case strings.HasSuffix(e.Path, "zip-no-embed.b2z"):
		if !errors.Is(err, blosc2.ErrNotBlosc2) {
			return fmt.Errorf("opened: %w", err)
		}
	case err != nil:
		return err
	case strings.HasSuffix(e.Path, "zip-dirs-and-junk.b2z"):
		return junk(s, "/g/junk", blosc2.ErrNotBlosc2, 1)
	case strings.HasSuffix(e.Path, "zip-deflated-leaves.b2z"):
		return junk(s, "", blosc2.ErrUnsupported, 2)
	case n != nil && n.Kind() == tree.KindObjects: // items of ext 43, or that Python does not accept
		o, err := n.Objects()
		if err != nil {
			return err
		}
		count := 0
		for v, err := range o.All() {
			if err != nil {
				return err
			}
			if _, isRef := v.(tree.Reference); isRef {
				count++
			}
		}
		if count == 0 {
			return errNothing
		}
	default:
		return errNothing
	}
	return nil
}

// junk reads all keys of a store. count of them must be rejected, including key.
func junk(s *tree.Store, key string, want error, count int) error {
	for k := range s.Keys() {
		_, err := s.Node(k)
		if err == nil && k != key {
			continue
		}
		if !errors.Is(err, want) {
			return fmt.Errorf("%s: %v", k, err)
		}
		count--
	}
	if count != 0 {
		return fmt.Errorf("%d more members should be refused", count)
	}
	return nil
}

// tableAsStore opens every frame of a table, which is the root of its store or
// all keys of a frame.
func tableAsStore(s *tree.Store) error {
	for key := range s.RawKeys() {
		f, err := s.Open(key[1:])
		if err != nil {
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	n, err := s.Node("/")
	if err == nil && n.Kind() != tree.KindTable {
		err = fmt.Errorf("the root is a %s", n.Kind())
	}
	return err
}

func matchRecipe(w map[string]any, n *tree.Node) error {
	r, err := n.Recipe()
	if err != nil {
		return err
	}
	if _, err := n.Array(); !errors.Is(err, blosc2.ErrOption) {
		return fmt.Errorf("read as an array: %v", err)
	}
	vl := w["vlmeta"].(map[string]any)
	want := vl["b2o"]
	if want == nil {
		want = vl["_LazyArray"]
	}
	return treetest.Match(want, r.Fields, nil)
}

func matchProxy(w map[string]any, n *tree.Node) error {
	p, err := n.Proxy()
	if err != nil {
		return err
	}
	if text := fmt.Sprintf("%+v %v", p, p); strings.Contains(text, "SECRET") {
		return fmt.Errorf("the token is there: %s", text)
	}
	if _, err := n.Array(); !errors.Is(err, blosc2.ErrOption) {
		return fmt.Errorf("read as an array: %v", err)
	}
	if chunks, ok := w["chunks"].(map[string]any); ok {
		if len(chunks) != len(p.Fetched) {
			return fmt.Errorf("%d chunks, want %d", len(p.Fetched), len(chunks))
		}
		for i, got := range p.Fetched {
			if got != (chunks[fmt.Sprint(i)] == "NOT_SPECIAL") {
				return fmt.Errorf("chunk %d: %v, want %v", i, got, chunks[fmt.Sprint(i)])
			}
		}
		m, err := n.Metadata()
		if note := w["vlmeta"].(map[string]any)["note"]; note != nil && value(m, "note") != note {
			return fmt.Errorf("metadata %v, %v", m, err)
		}
		return nil
	}
	want := map[string]bool{}
	per := 1
	if f, ok := w["fetched"].(map[string]any); ok {
		for _, i := range f["set"].([]any) {
			want[fmt.Sprint(i)] = true
		}
		if f["unit"] == "blocks" {
			per = 5
		}
	}
	for i, got := range p.Fetched {
		all := true
		for k := range per {
			all = all && want[fmt.Sprint(i*per+k)]
		}
		if got != all {
			return fmt.Errorf("chunk %d: %v, want %v", i, got, all)
		}
	}
	return nil
}

// A store is a valid io/fs.FS, according to testing/fstest.
func TestFS(t *testing.T) {
	count := 0
	for _, e := range treetest.Entries(t) {
		if e.Kind != "dictstore" && e.Kind != "treestore" && e.Kind != "embedstore" || e.Content == nil {
			continue
		}
		s, _, err := openEntry(t, e)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for key := range s.RawKeys() {
			if n, err := s.Node(key); err != nil || n.Kind() != tree.KindRemote {
				names = append(names, key[1:])
			}
		}
		if len(names) == 0 {
			continue
		}
		if err := fstest.TestFS(s, names...); err != nil {
			t.Errorf("%s: %v", e.Path, err)
		}
		count++
	}
	if count == 0 {
		t.Error("no store")
	}
}

// Values are encoded to the bytes from which they were decoded.
func TestValues(t *testing.T) {
	for _, v := range []any{
		nil, true, int64(-5), "x", []byte{1}, 1.5, []any{}, []any{int64(1), "a"}, tree.Tuple{}, tree.Tuple{int64(1), tree.Tuple{"y"}},
		meta.Map{{Key: "k", Value: tree.Tuple{int64(1)}}}, meta.Ext{Type: 5, Data: []byte("abc")}, tree.Embedded{Bytes: []byte("frame")},
		tree.Reference{Kind: "ref", Fields: meta.Map{{Key: "kind", Value: "ref"}, {Key: "version", Value: int64(1)}}},
	} {
		b, err := tree.EncodeValue([]byte("x"), v)
		if err != nil || b[0] != 'x' {
			t.Fatal(err)
		}
		back, err := tree.DecodeValue(b[1:])
		if err != nil {
			t.Fatal(err)
		}
		if again, err := tree.EncodeValue([]byte("x"), back); err != nil || string(again) != string(b) || fmt.Sprintf("%T", back) != fmt.Sprintf("%T", v) {
			t.Errorf("%T %v comes back as %T %v: %v", v, v, back, back, err)
		}
	}
}

// The depth of references within references is limited, and so is that of values.
func TestDepth(t *testing.T) {
	v := any(int64(1))
	var b []byte
	for range 100 {
		var err error
		if b, err = tree.EncodeValue(nil, meta.Map{{Key: "ref", Value: v}}); err != nil {
			t.Fatal(err)
		}
		v = meta.Ext{Type: 43, Data: b}
	}
	if _, err := tree.DecodeValue(b); !errors.Is(err, blosc2.ErrTooLarge) {
		t.Errorf("100 references within each other: %v", err)
	}
	if _, err := tree.DecodeValue([]byte(strings.Repeat("\x91", 1000))); !errors.Is(err, blosc2.ErrCorrupt) {
		t.Errorf("1,000 lists within each other: %v", err)
	}
}
