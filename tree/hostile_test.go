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

// If a zip is truncated anywhere, opening it returns an error. If it is damaged, errors of
// opening it and all its nodes are of a known kind.
func TestDamage(t *testing.T) {
	var buf bytes.Buffer
	if err := tree.Write(&buf, tree.Contents{Items: []tree.Item{tree.Bytes("/a", array(t, 0, 30)), tree.Bytes("/g/b", array(t, 5, 3))}}); err != nil {
		t.Fatal(err)
	}
	for i := range buf.Bytes() {
		_, err := open(t, buf.Bytes()[:i])
		if known(t, err); err == nil {
			t.Errorf("cut at %d: no error", i)
		}
		bad := slices.Clone(buf.Bytes())
		bad[i] ^= 1 << (i % 8)
		readAll(t, bad)
	}
}

// readAll reads everything that can be read in a store. Errors must be of a known kind.
func readAll(t *testing.T, b []byte) {
	t.Helper()
	s, err := tree.Open(bytes.NewReader(b), int64(len(b)), tree.MaxMembers(1000), tree.FrameOptions(frame.WithLimits(frame.Limits{Chunk: 1 << 20, Header: 1 << 16, Index: 1 << 16, Trailer: 1 << 16})))
	if err != nil {
		known(t, err)
		return
	}
	for key := range s.RawKeys() {
		n, err := s.Node(key)
		if err != nil {
			known(t, err)
			continue
		}
		_, err = n.Metadata()
		known(t, err)
		_, err = n.Tensor()
		known(t, err)
		_, err = n.Recipe()
		known(t, err)
		_, err = n.Proxy()
		known(t, err)
		o, err := n.Objects()
		known(t, err)
		if err == nil {
			for _, err := range o.All() {
				known(t, err)
			}
		}
		l, err := n.List()
		known(t, err)
		if err == nil {
			for _, err := range l.Rows() {
				known(t, err)
			}
		}
		c, err := n.Batches()
		known(t, err)
		if err == nil {
			for _, err := range c.Items() {
				known(t, err)
			}
		}
		a, err := n.Array(b2nd.MaxAlloc(1 << 20))
		known(t, err)
		if err == nil && a.Size() < 1<<20 {
			all, err := a.ReadAll()
			known(t, err)
			if err == nil && int64(len(all)) != a.Size() {
				t.Errorf("%s: %d bytes of an array of %d", key, len(all), a.Size())
			}
		}
	}
	s.Children("/")
}

// known checks that an error is about the data, or about an option of the caller.
func known(t *testing.T, err error) {
	t.Helper()
	var fe *blosc2.FormatError
	if err != nil && !errors.As(err, &fe) && !errors.Is(err, blosc2.ErrOption) {
		t.Errorf("error of another kind: %T: %v", err, err)
	}
}

// FuzzOpen checks that reading arbitrary bytes as a store does not panic, costs little and
// returns errors of a known kind.
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
		readAll(t, b)
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
