package tree_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/internal/treetest"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/tree"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// texts converts a list of the manifest to strings.
func texts(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// matchNode compares a node with the "content" of the manifest.
func matchNode(w map[string]any, n *tree.Node) error {
	switch w["type"] {
	case "ndarray":
		return matchArray(w, n)
	case "schunk":
		return matchFrame(w, n)
	case "tensor":
		t, err := n.Tensor()
		if err != nil {
			return err
		}
		if t.Library != "numpy" || texts(t.Shape) != texts(w["shape"]) || t.DType != w["dtype"] {
			return fmt.Errorf("%+v, want %v", t, w)
		}
		w = map[string]any{"nbytes": w["nbytes"], "sha256": w["sha256"]}
		return matchFrame(w, n)
	case "objectarray":
		o, err := n.Objects()
		if err != nil {
			return err
		}
		want := w["items"].([]any)
		if o.Len() != int64(len(want)) {
			return fmt.Errorf("%d items, want %d", o.Len(), len(want))
		}
		i := 0
		for v, err := range o.All() {
			if err != nil {
				return err
			}
			if err := treetest.Match(want[i], v, matchEmbedded); err != nil {
				return fmt.Errorf("item %d: %w", i, err)
			}
			i++
		}
	case "batcharray":
		return matchBatches(w, n)
	case "listarray":
		l, err := n.List()
		if err != nil {
			return err
		}
		i, want := 0, w["rows"].([]any)
		for v, err := range l.Rows() {
			if err != nil {
				return err
			}
			if err := treetest.Match(want[i], v, matchEmbedded); err != nil {
				return fmt.Errorf("row %d: %w", i, err)
			}
			i++
		}
		if i != len(want) {
			return fmt.Errorf("%d rows, want %d", i, len(want))
		}
	case "c2array":
		r, err := n.Recipe()
		if err != nil {
			return err
		}
		path, _ := r.Fields.Get("path")
		url, _ := r.Fields.Get("urlbase")
		if r.Kind != "c2array" || path != w["path"] || url != w["urlbase"] {
			return fmt.Errorf("%v, want %v", r, w)
		}
		return nil
	case "group":
		if n.Kind() != tree.KindGroup {
			return fmt.Errorf("%s, want a group", n.Kind())
		}
	case "ctable":
		if n.Kind() != tree.KindTable {
			return fmt.Errorf("%s, want a table", n.Kind())
		}
		return nil // package table reads tables
	case "embedstore", "dictstore", "treestore":
		s, err := n.Store()
		if err != nil {
			return err
		}
		return matchStore(w, s)
	default:
		return fmt.Errorf("type %v", w["type"])
	}
	return matchMetadata(w["vlmeta"], n)
}

func matchEmbedded(w map[string]any, e tree.Embedded) error {
	n, err := e.Node()
	if err != nil {
		return err
	}
	return matchNode(w, n)
}

func matchArray(w map[string]any, n *tree.Node) error {
	a, err := n.Array()
	if err != nil {
		return err
	}
	if got := a.DType().String(); strings.Trim(got, "'") != w["dtype"] || texts(a.Shape()) != texts(w["shape"]) {
		return fmt.Errorf("%s %v, want %v %v", got, a.Shape(), w["dtype"], w["shape"])
	}
	b, err := a.ReadAll()
	if err == nil && b2test.Digest(b) != w["sha256"] {
		err = fmt.Errorf("other bytes")
	}
	return err
}

func matchFrame(w map[string]any, n *tree.Node) error {
	f, err := n.Frame()
	if err != nil {
		return err
	}
	b := make([]byte, f.Size())
	if len(b) > 0 {
		if _, err := f.ReadAt(b, 0); err != nil {
			return err
		}
	}
	if fmt.Sprint(len(b)) != fmt.Sprint(w["nbytes"]) || b2test.Digest(b) != w["sha256"] {
		return fmt.Errorf("%d bytes, want %v", len(b), w["nbytes"])
	}
	return matchMetadata(w["vlmeta"], n)
}

func matchBatches(w map[string]any, n *tree.Node) error {
	b, err := n.Batches()
	if err != nil {
		return err
	}
	want := w["batches"].([]any)
	if b.Len() != int64(len(want)) || fmt.Sprint(b.ItemsPerBlock()) != fmt.Sprint(w["items_per_block"]) {
		return fmt.Errorf("%d batches in blocks of %d, want %d of %v", b.Len(), b.ItemsPerBlock(), len(want), w["items_per_block"])
	}
	lengths, err := b.Lengths()
	if err != nil {
		return err
	}
	for i := range want {
		got, err := b.Batch(int64(i))
		if err != nil {
			return err
		}
		if err := treetest.Match(want[i], got, matchEmbedded); err != nil {
			return fmt.Errorf("batch %d: %w", i, err)
		}
		if lengths != nil && lengths[i] != int64(len(got)) {
			return fmt.Errorf("batch %d has %d items, but its length is listed as %d", i, len(got), lengths[i])
		}
	}
	return matchMetadata(w["vlmeta"], n)
}

func matchMetadata(want any, n *tree.Node) error {
	got, err := n.Metadata()
	if err != nil {
		return err
	}
	w, _ := want.(map[string]any)
	if len(got) != len(w) {
		return fmt.Errorf("metadata %v, want %v", got, w)
	}
	for name, v := range w {
		g, _ := got.Get(name)
		if err := treetest.Match(v, g, matchEmbedded); err != nil {
			return fmt.Errorf("metadata %s: %w", name, err)
		}
	}
	return nil
}

// matchStore compares all keys of a store. For a tree, the manifest also lists the
// groups.
func matchStore(w map[string]any, s *tree.Store) error {
	leaves := w["leaves"].(map[string]any)
	var want, got []string
	for key, l := range leaves {
		if l.(map[string]any)["type"] != "group" {
			want = append(want, key)
		}
	}
	slices.Sort(want)
	got = slices.Sorted(s.Keys())
	if !slices.Equal(got, want) {
		return fmt.Errorf("keys %q, want %q", got, want)
	}
	for key, l := range leaves {
		n, err := s.Node(key)
		if err == nil {
			err = matchNode(l.(map[string]any), n)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	}
	root, err := s.Node("/")
	if err != nil {
		return err
	}
	return matchMetadata(w["vlmeta"], root)
}

// openEntry opens a file of the manifest: a store, or a frame outside a store.
func openEntry(t *testing.T, e treetest.Entry) (*tree.Store, *tree.Node, error) {
	t.Helper()
	path := e.File(t)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	sparse := false
	if info.IsDir() {
		_, err := os.Stat(path + "/chunks.b2frame")
		sparse = err == nil
	}
	if strings.HasSuffix(e.Path, ".b2e") || strings.HasSuffix(e.Path, ".b2z") || info.IsDir() && !sparse {
		s, err := tree.OpenFile(path)
		if err == nil {
			t.Cleanup(func() {
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			})
		}
		return s, nil, err
	}
	f, err := frame.OpenFile(path)
	if err != nil {
		return nil, nil, err
	}
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	return nil, tree.FromFrame(f.Reader), nil
}

// value returns a value of a map.
func value(m meta.Map, key string) any {
	v, _ := m.Get(key)
	return v
}

var errNothing = errors.New("nothing")

func open(t testing.TB, b []byte, opts ...tree.Option) (*tree.Store, error) {
	t.Helper()
	return tree.Open(bytes.NewReader(b), int64(len(b)), opts...)
}

// array makes an array of n numbers, beginning with first.
func array(t testing.TB, first, n int64) []byte {
	t.Helper()
	spec, err := b2nd.SpecOf[int64](n)
	if err != nil {
		t.Fatal(err)
	}
	var buf bytes.Buffer
	w, err := b2nd.NewWriter(&buf, spec)
	if err != nil {
		t.Fatal(err)
	}
	items := make([]int64, n)
	for i := range items {
		items[i] = first + int64(i)
	}
	if _, err := b2nd.WriteSlice(w, items); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}
