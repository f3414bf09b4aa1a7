package tree_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/tree"
)

// zipOf makes a zip of the named members, which may be repeated.
func zipOf(t testing.TB, names []string, content func(name string) []byte) []byte {
	t.Helper()
	var buf bytes.Buffer
	z := zip.NewWriter(&buf)
	for _, name := range names {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(content(name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// embedBytes is the embed.b2e of a store without embedded values.
func embedBytes(t testing.TB) []byte {
	t.Helper()
	var buf bytes.Buffer
	if err := tree.Write(&buf, tree.Contents{}); err != nil {
		t.Fatal(err)
	}
	s, err := open(t, buf.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if !s.IsTree() || s.Layout() != tree.Zip {
		t.Error(s.IsTree(), s.Layout())
	}
	z, err := zip.NewReader(bytes.NewReader(buf.Bytes()), int64(buf.Len()))
	if err != nil {
		t.Fatal(err)
	}
	r, err := z.Open("embed.b2e")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Names with "..", and members with the same name or key, are rejected.
func TestHostileNames(t *testing.T) {
	embed, a := embedBytes(t), array(t, 0, 3)
	content := func(name string) []byte {
		if name == "embed.b2e" {
			return embed
		}
		return a
	}
	for _, bad := range [][]string{
		{"../x.b2nd"}, {"/x.b2nd"}, {"a/../../x.b2nd"}, {"a//b.b2nd"}, {"./x.b2nd"}, {"a\x00b.b2nd"}, {"a:b.b2nd"}, {"a\nb.b2nd"},
		{"x.b2nd", "x.b2nd"}, {"x.b2nd", "x.b2f"}, {"embed.b2e"}, {"\xff.b2nd"},
	} {
		if _, err := open(t, zipOf(t, append(bad, "embed.b2e"), content)); !errors.Is(err, blosc2.ErrCorrupt) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	good := []string{"..x.b2nd", "x...b2nd", ".b2nd", "a\\b.b2nd", "embed.b2nd", "sub/embed.b2e", "x.tmp", "noframe.txt", "other.frame", "embed.b2e"}
	s, err := open(t, zipOf(t, good, func(name string) []byte {
		if name == "noframe.txt" {
			return []byte("text")
		}
		return content(name)
	}))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"/..x", "/.b2nd", "/a\\b", "/embed", "/noframe", "/other", "/sub/embed", "/x.."}
	want = slices.DeleteFunc(want, func(k string) bool { return k == "/noframe" })
	if got := slices.Sorted(s.Keys()); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for _, key := range []string{"", "x", "//", "/../x", "/a/", "/..", "/missing"} {
		if _, err := s.Node(key); err == nil {
			t.Errorf("node %q", key)
		}
	}
}

// A link out of a folder is not followed.
func TestLink(t *testing.T) {
	dir := t.TempDir()
	outside := filepath.Join(dir, "secret.b2nd")
	if err := os.WriteFile(outside, array(t, 0, 3), 0o600); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "s.b2d")
	if err := tree.WriteFolder(path, tree.Contents{Items: []tree.Item{tree.Bytes("/a", array(t, 0, 3))}}); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(path, "b.b2nd")); err != nil {
		b2test.Missing(t, "symbolic links: "+err.Error())
	}
	s, err := tree.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if keys := slices.Collect(s.Keys()); !slices.Equal(keys, []string{"/a"}) {
		t.Errorf("%q", keys)
	}
}

// A store with more members than the limit returns an error, and the depth of stores
// within stores is limited.
func TestLimits(t *testing.T) {
	var names []string
	for i := range 1000 {
		names = append(names, fmt.Sprintf("m%d.b2nd", i))
	}
	embed := embedBytes(t)
	b := zipOf(t, append(names, "embed.b2e"), func(string) []byte { return embed })
	if _, err := open(t, b, tree.MaxMembers(1000)); !errors.Is(err, blosc2.ErrTooLarge) {
		t.Error(err)
	}
	if _, err := open(t, b); err != nil {
		t.Error(err)
	}

	inner := array(t, 0, 3)
	for range 40 {
		var buf bytes.Buffer
		if err := tree.WriteEmbed(&buf, tree.Contents{Items: []tree.Item{tree.Bytes("/s", inner)}}); err != nil {
			t.Fatal(err)
		}
		inner = buf.Bytes()
	}
	s, err := open(t, inner)
	for depth := 0; err == nil; depth++ {
		var n *tree.Node
		if n, err = s.Node("/s"); err == nil {
			s, err = n.Store()
		}
		if depth > 30 {
			t.Fatal("no end")
		}
	}
	if !errors.Is(err, blosc2.ErrTooLarge) {
		t.Error(err)
	}
}

// If a zip is truncated or damaged anywhere, opening it and all its nodes succeeds or
// returns an error. It never panics.
func TestDamage(t *testing.T) {
	var buf bytes.Buffer
	if err := tree.Write(&buf, tree.Contents{Items: []tree.Item{tree.Bytes("/a", array(t, 0, 30)), tree.Bytes("/g/b", array(t, 5, 3))}}); err != nil {
		t.Fatal(err)
	}
	for i := range buf.Bytes() {
		if _, err := open(t, buf.Bytes()[:i]); err == nil {
			t.Errorf("cut at %d: no error", i)
		}
		bad := slices.Clone(buf.Bytes())
		bad[i] ^= 1 << (i % 8)
		readAll(bad)
	}
}

// readAll reads everything that can be read in a store.
func readAll(b []byte) {
	s, err := tree.Open(bytes.NewReader(b), int64(len(b)), tree.MaxMembers(1000), tree.FrameOptions(frame.WithLimits(frame.Limits{Chunk: 1 << 20, Header: 1 << 16, Index: 1 << 16, Trailer: 1 << 16})))
	if err != nil {
		return
	}
	for key := range s.RawKeys() {
		n, err := s.Node(key)
		if err != nil {
			continue
		}
		n.Metadata()
		n.Tensor()
		n.Recipe()
		n.Proxy()
		if o, err := n.Objects(); err == nil {
			for range o.All() {
			}
		}
		if b, err := n.Batches(); err == nil {
			for range b.Items() {
			}
		}
		if l, err := n.List(); err == nil {
			for range l.Rows() {
			}
		}
		if a, err := n.Array(b2nd.MaxAlloc(1 << 20)); err == nil && a.Size() < 1<<20 {
			a.ReadAll()
		}
	}
	s.Children("/")
}

// FuzzOpen checks that reading arbitrary bytes as a store does not panic and costs little.
func FuzzOpen(f *testing.F) {
	if b2test.HasCorpus(f) {
		paths, err := filepath.Glob(filepath.Join(b2test.Shared(f), "corpus", "neighbours", "trees", "*", "*.b2[ze]"))
		if err != nil || len(paths) == 0 {
			f.Fatal(err)
		}
		for _, path := range paths {
			b, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			if len(b) < 16<<10 {
				f.Add(b)
			}
		}
	}
	f.Add([]byte(strings.Repeat("PK\x05\x06", 10)))
	f.Fuzz(func(t *testing.T, b []byte) {
		end := b2test.Cost(t)
		readAll(b)
		end()
	})
}

// FuzzValue checks that every decoded value survives a round trip.
func FuzzValue(f *testing.F) {
	for _, s := range []string{"\x93\xa9__tuple__\x01\x02", "\xd4\x2a\x07", "\xc7\x0a\x2b\x81\xa4kind\xa3ref", "\x82\x01\x02\xa1k\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := tree.DecodeValue(b)
		if err != nil {
			return
		}
		c, err := tree.EncodeValue(nil, v)
		if err != nil {
			return // nested too deeply after references are decoded
		}
		w, err := tree.DecodeValue(c)
		if err != nil {
			t.Fatal(err)
		}
		if d, err := tree.EncodeValue(nil, w); err != nil || !bytes.Equal(c, d) {
			t.Errorf("% x, then % x: %v", c, d, err)
		}
	})
}
