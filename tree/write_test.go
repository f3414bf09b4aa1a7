package tree_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/containertest"
	"github.com/seed03b80dae/blosc2/internal/fsio"
	"github.com/seed03b80dae/blosc2/internal/treetest"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/tree"
)

// Every store of the corpus is written in all three layouts, and reads as before.
func TestWriteCorpus(t *testing.T) {
	count := 0
	for _, e := range treetest.Entries(t) {
		if e.Kind != "dictstore" && e.Kind != "treestore" && e.Kind != "embedstore" || e.Content == nil {
			continue
		}
		s, _, err := openEntry(t, e)
		if err != nil {
			t.Fatal(err)
		}
		items, err := s.Copy()
		if err != nil {
			t.Fatal(err)
		}
		c := tree.Contents{Items: items, Tables: s.Tables(), Dict: e.Kind == "dictstore"}
		w := withoutRemote(e.Content.(map[string]any))
		dir := t.TempDir()
		for _, name := range []string{"s.b2z", "s.b2e", "s.b2d"} {
			path := filepath.Join(dir, name)
			if name == "s.b2d" {
				err = tree.WriteFolder(path, c)
			} else {
				err = tree.WriteFile(path, c)
			}
			if err != nil {
				t.Errorf("%s to %s: %v", e.Path, name, err)
				continue
			}
			again, err := tree.OpenFile(path)
			if err != nil {
				t.Errorf("%s as %s: %v", e.Path, name, err)
				continue
			}
			if name != "s.b2e" || e.Kind != "treestore" { // an EmbedStore has no metadata and tables
				if err := matchStore(w, again); err != nil {
					t.Errorf("%s as %s: %v", e.Path, name, err)
				}
			}
			if err := again.Close(); err != nil {
				t.Error(err)
			}
			if name != "s.b2e" || e.Kind != "treestore" {
				secondReader(t, dir, name, w)
			}
		}
		count++
	}
	if count == 0 {
		t.Error("no store")
	}
}

// secondReader reads a store with the reader that shares no code with package tree.
func secondReader(t *testing.T, dir, name string, want map[string]any) {
	t.Helper()
	content, err := containertest.Read(os.DirFS(dir), name)
	if err != nil {
		t.Errorf("second reader: %v", err)
		return
	}
	got := leavesOf(content)
	if diff := containertest.Diff(leavesOf(containertest.Plain(want)), got); len(diff) > 0 {
		t.Errorf("second reader, %s:\n%s", name, strings.Join(diff, "\n"))
	}
}

// leavesOf returns the contents of a store, except for groups without metadata.
func leavesOf(content any) map[string]any {
	leaves := map[string]any{}
	for key, v := range content.(map[string]any)["leaves"].(map[string]any) {
		if m, ok := v.(map[string]any); !ok || m["type"] != "group" || m["vlmeta"] != nil {
			leaves[key] = v
		}
	}
	return leaves
}

// withoutRemote removes the remote arrays from a store's contents.
func withoutRemote(w map[string]any) map[string]any {
	leaves := map[string]any{}
	for key, l := range w["leaves"].(map[string]any) {
		if l.(map[string]any)["type"] != "c2array" {
			leaves[key] = l
		}
	}
	return map[string]any{"leaves": leaves, "vlmeta": w["vlmeta"]}
}

// The zip is as documented: stored members with their sizes in the local headers,
// the largest first, embed.b2e last, and the same bytes each time.
func TestZipOrder(t *testing.T) {
	c := tree.Contents{
		Items:    []tree.Item{tree.Bytes("/small", array(t, 0, 3)), tree.Bytes("/g/large", array(t, 0, 100000)), tree.Bytes("/ünï/b.c", array(t, 0, 500))},
		Metadata: map[string]meta.Map{"/": {{Key: "x", Value: tree.Tuple{int64(1)}}}, "/g": {{Key: "y", Value: "z"}}},
	}
	var a, b bytes.Buffer
	for _, w := range []*bytes.Buffer{&a, &b} {
		if err := tree.Write(w, c); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Error("other bytes the second time")
	}
	z, err := zip.NewReader(bytes.NewReader(a.Bytes()), int64(a.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for i, f := range z.File {
		names = append(names, f.Name)
		if f.Method != zip.Store || f.Flags&8 != 0 || i > 0 && i < len(z.File)-1 && f.CompressedSize64 > z.File[i-1].CompressedSize64 {
			t.Errorf("%+v", f.FileHeader)
		}
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := bytes.NewBuffer(nil).ReadFrom(r); err != nil { // the read at the end compares the checksum
			t.Errorf("%s: %v", f.Name, err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
	if names[len(names)-1] != "embed.b2e" || !slices.Contains(names, "ünï/b.c.b2nd") || !slices.Contains(names, "__vlmeta__.b2f") {
		t.Errorf("%q", names)
	}
	s, err := open(t, a.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for group, want := range c.Metadata {
		n, err := s.Node(group)
		if err != nil {
			t.Fatal(err)
		}
		if m, err := n.Metadata(); err != nil || fmt.Sprint(m) != fmt.Sprint(want) {
			t.Errorf("%s: %v, %v", group, m, err)
		}
	}
	if got := s.Children("/"); !slices.Equal(got, []string{"g", "small", "ünï"}) {
		t.Errorf("%q", got)
	}
}

// UpdateFile leaves the other members in place. If it fails, the file is unchanged.
func TestAdd(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.b2z")
	if err := tree.WriteFile(path, tree.Contents{Items: []tree.Item{tree.Bytes("/a", array(t, 0, 1000))}}); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range int64(5) {
		if err := tree.UpdateFile(path, tree.Contents{Items: []tree.Item{tree.Bytes(fmt.Sprintf("/g/x%d", i), array(t, i, 100)), tree.Bytes(fmt.Sprintf("/y%d", i), array(t, i, 7))}}); err != nil {
			t.Fatal(err)
		}
	}
	after, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(after, before) {
		t.Error("what was there is no longer there")
	}
	for _, it := range []tree.Item{
		tree.Bytes("/a", array(t, 0, 1)), tree.Bytes("/g", array(t, 0, 1)), tree.Bytes("/a/b", array(t, 0, 1)),
		tree.Bytes("/../x", array(t, 0, 1)), tree.Bytes("/new", []byte("no frame")),
	} {
		if err := tree.UpdateFile(path, tree.Contents{Items: []tree.Item{it}}); err == nil {
			t.Errorf("%s was added", it.Key)
		}
	}
	if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, after) {
		t.Errorf("a failure changed the file: %v", err)
	}
	s, err := open(t, after)
	if err != nil {
		t.Fatal(err)
	}
	if keys := slices.Collect(s.Keys()); len(keys) != 11 {
		t.Errorf("%q", keys)
	}
	n, err := s.Node("/g/x3")
	if err != nil {
		t.Fatal(err)
	}
	a, err := n.Array()
	if err != nil {
		t.Fatal(err)
	}
	if v, err := b2nd.At[int64](a, 10); v != 13 || err != nil {
		t.Error(v, err)
	}
	if err := tree.UpdateFile(path, tree.Contents{Items: []tree.Item{tree.Bytes("/a", array(t, 0, 1))}}); !errors.Is(err, fs.ErrExist) {
		t.Error(err)
	}
}

// Writing an invalid store returns an error.
func TestWriteRefuses(t *testing.T) {
	a := array(t, 0, 3)
	for _, c := range []tree.Contents{
		{Items: []tree.Item{tree.Bytes("a", a)}}, {Items: []tree.Item{tree.Bytes("/", a)}}, {Items: []tree.Item{tree.Bytes("/a//b", a)}},
		{Items: []tree.Item{tree.Bytes("/../a", a)}}, {Items: []tree.Item{tree.Bytes("/a", a), tree.Bytes("/a", a)}},
		{Items: []tree.Item{tree.Bytes("/a", a), tree.Bytes("/a/b", a)}}, {Items: []tree.Item{tree.Bytes("/a", append(slices.Clone(a), 0))}},
		{Dict: true, Tables: []string{"/t"}}, {Tables: []string{"t"}}, {Items: []tree.Item{tree.Bytes("/"+strings.Repeat("x", 70000), a)}},
	} {
		if err := tree.Write(new(bytes.Buffer), c); !errors.Is(err, blosc2.ErrOption) {
			t.Errorf("%.100v: %v", c, err)
		}
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "x"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := tree.WriteFolder(dir, tree.Contents{}); !errors.Is(err, fs.ErrExist) {
		t.Error(err)
	}
}

// The genuine library reads the frames of a store.
func TestFrames(t *testing.T) {
	var buf bytes.Buffer
	if err := tree.WriteEmbed(&buf, tree.Contents{Items: []tree.Item{tree.Bytes("/a", array(t, 0, 100000)), tree.Bytes("/b", array(t, 5, 3))}}); err != nil {
		t.Fatal(err)
	}
	r, err := frame.Verify(bytes.NewReader(buf.Bytes()), int64(buf.Len()))
	if err != nil || !r.Sound() {
		t.Errorf("%+v, %v", r, err)
	}
}

// A killFile keeps what the first writes did, and half of the pages of the last one.
type killFile struct {
	*fsio.Memory
	left int // number of writes that still succeed; -1 for all
}

func (f *killFile) WriteAt(p []byte, off int64) (int, error) {
	n := len(p)
	switch f.left {
	case 0:
		return n, nil
	case 1:
		if first := 4096 - int(off%4096); n > first { // a write within a page is done entirely or not at all
			p = p[:first+(n-first)/2/4096*4096]
		}
	}
	f.left--
	if _, err := f.Memory.WriteAt(p, off); err != nil {
		return 0, err
	}
	return n, nil
}

// A process that is killed while it changes a zip leaves the old store or the new
// one, for this package and for one that only reads zips.
func TestUpdateKilled(t *testing.T) {
	var buf bytes.Buffer
	if err := tree.Write(&buf, tree.Contents{Items: []tree.Item{tree.Bytes("/a", array(t, 0, 1000)), tree.Bytes("/b", array(t, 0, 10))}}); err != nil {
		t.Fatal(err)
	}
	more := tree.Contents{Items: []tree.Item{tree.Bytes("/a", array(t, 7, 100_000)), tree.Bytes("/c", array(t, 0, 1))}, Tables: []string{"/t"}}
	states := map[string]int{}
	for writes := 0; ; writes++ {
		f := &killFile{fsio.NewMemory(bytes.Clone(buf.Bytes())), writes}
		if err := tree.Update(f, int64(buf.Len()), more, "/a"); err != nil {
			t.Fatal(err)
		}
		b := f.Bytes()
		s, err := open(t, b)
		if err != nil {
			t.Fatalf("after %d writes: %v", writes, err)
		}
		z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Fatalf("after %d writes: %v", writes, err)
		}
		state := fmt.Sprint(slices.Collect(s.Keys()))
		for _, m := range z.File {
			r, err := m.Open()
			if err == nil {
				_, err = io.Copy(io.Discard, r)
			}
			if err != nil {
				t.Fatalf("after %d writes: %s: %v", writes, m.Name, err)
			}
			state += fmt.Sprint(" ", m.UncompressedSize64)
		}
		states[state]++
		if f.left > 0 {
			break
		}
		// A killed update can be repeated.
		again := fsio.NewMemory(bytes.Clone(b))
		if err := tree.Update(again, int64(len(b)), tree.Contents{Items: []tree.Item{tree.Bytes("/d", array(t, 0, 1))}}); err != nil {
			t.Fatalf("after %d writes: %v", writes, err)
		}
	}
	if len(states) != 2 {
		t.Errorf("%v", states)
	}
}

// A zip of more than 65,535 members has the records of zip64, also after it grew.
func TestZip64(t *testing.T) {
	const n = 1 << 16
	b := many(t, n)
	check := func(b []byte, want int) {
		t.Helper()
		z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
		if err != nil || len(z.File) != want+1 { // the arrays and embed.b2e
			t.Fatalf("%v, %v", z, err)
		}
		s, err := open(t, b)
		if err != nil {
			t.Fatal(err)
		}
		count := 0
		for range s.Keys() {
			count++
		}
		node, err := s.Node("/group99/array99")
		if err != nil {
			t.Fatal(err)
		}
		a, err := node.Array()
		if err != nil || a.Len() != 10 || count != want {
			t.Errorf("%d keys, want %d: %v", count, want, err)
		}
	}
	check(b, n)
	file := fsio.NewMemory(b)
	if err := tree.Update(file, int64(len(b)), tree.Contents{Items: []tree.Item{tree.Bytes("/more", array(t, 0, 3))}}); err != nil {
		t.Fatal(err)
	}
	check(file.Bytes(), n+1)
}
