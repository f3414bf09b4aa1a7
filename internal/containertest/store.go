package containertest

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/seed03b80dae/blosc2/frame"
)

// A node is the value of a key: a frame, or a reference to a remote array.
type node struct {
	f      *frame.Reader
	remote any
}

// A store holds the keys of a store of any kind.
type store struct {
	root  *frame.Reader
	nodes map[string]node
	files []io.Closer
}

func (s *store) close() {
	for _, f := range s.files {
		f.Close()
	}
}

// Read returns the contents of the named file or folder in fsys: a frame of any
// kind, a sparse frame, or a store.
func Read(fsys fs.FS, name string) (any, error) {
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		sub, err := fs.Sub(fsys, name)
		if err != nil {
			return nil, err
		}
		if _, err := fs.Stat(sub, "chunks.b2frame"); err == nil {
			f, err := frame.OpenFS(sub)
			if err != nil {
				return nil, err
			}
			return frameContent(f)
		}
		s, err := folder(sub)
		if err != nil {
			return nil, err
		}
		defer s.close()
		return s.read()
	}
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := f.(io.ReaderAt)
	var magic [4]byte
	if _, err := r.ReadAt(magic[:], 0); err != nil {
		return nil, err
	}
	if string(magic[:2]) == "PK" {
		s, err := zipped(r, info.Size())
		if err != nil {
			return nil, err
		}
		return s.read()
	}
	fr, err := frame.Open(r, info.Size())
	if err != nil {
		return nil, err
	}
	return frameContent(fr)
}

// read returns the content of a store with leaves.
func (s *store) read() (any, error) {
	if _, ok := s.nodes["/_meta"]; ok {
		return s.table("")
	}
	if has(s.root, "b2tree") {
		return s.content("treestore")
	}
	return s.content("dictstore")
}

// embedded returns the keys of an embed store.
func embedded(f *frame.Reader) (*store, error) {
	s := &store{root: f, nodes: map[string]node{}}
	v, err := vlmeta(f, "estore_metadata")
	if err != nil {
		return nil, err
	}
	m, _ := v.(pairs)
	byKey, _ := m.get("embed_map")
	keys, ok := byKey.(pairs)
	if !ok {
		return nil, errors.New("the store has no embed_map")
	}
	for _, kv := range keys {
		place := kv[1].(pairs)
		if off, ok := place.get("offset"); ok {
			n, _ := place.get("length")
			b := make([]byte, n.(int64))
			if _, err := f.ReadAt(b, off.(int64)); err != nil {
				return nil, fmt.Errorf("%s: %w", kv[0], err)
			}
			inner, err := openBytes(b)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", kv[0], err)
			}
			s.nodes[kv[0].(string)] = node{f: inner}
			continue
		}
		base, _ := place.get("urlbase")
		p, _ := place.get("path")
		s.nodes[kv[0].(string)] = node{remote: map[string]any{"type": "c2array", "path": p, "urlbase": base}}
	}
	return s, nil
}

// add adds a leaf. It ignores bytes that are not a frame, but returns an error if their
// name is that of a frame.
func (s *store) add(name string, r io.ReaderAt, size int64) error {
	if strings.HasSuffix(name, ".tmp") {
		return nil
	}
	suffix := path.Ext(name)
	f, err := frame.Open(r, size)
	if err != nil {
		if suffix == ".b2nd" || suffix == ".b2f" || suffix == ".b2b" {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	}
	s.nodes["/"+strings.TrimSuffix(name, suffix)] = node{f: f}
	return nil
}

func folder(fsys fs.FS) (*store, error) {
	file, err := fsys.Open("embed.b2e")
	if err != nil {
		return nil, err
	}
	s, err := opened(file)
	if err != nil {
		file.Close()
		return nil, err
	}
	err = fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || name == "embed.b2e" {
			return err
		}
		file, err := fsys.Open(name)
		if err != nil {
			return err
		}
		s.files = append(s.files, file)
		info, err := file.Stat()
		if err != nil {
			return err
		}
		return s.add(name, file.(io.ReaderAt), info.Size())
	})
	if err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func opened(file fs.File) (*store, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	f, err := frame.Open(file.(io.ReaderAt), info.Size())
	if err != nil {
		return nil, err
	}
	s, err := embedded(f)
	if err == nil {
		s.files = append(s.files, file)
	}
	return s, err
}

func zipped(r io.ReaderAt, size int64) (*store, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, err
	}
	section := func(m *zip.File) (*io.SectionReader, error) {
		if m.Method != zip.Store {
			return nil, fmt.Errorf("%s is compressed in the zip", m.Name)
		}
		off, err := m.DataOffset() // the offset follows from the local header
		return io.NewSectionReader(r, off, int64(m.CompressedSize64)), err
	}
	var s *store
	for _, m := range z.File {
		if m.Name != "embed.b2e" {
			continue
		}
		part, err := section(m)
		if err != nil {
			return nil, err
		}
		f, err := frame.Open(part, part.Size())
		if err != nil {
			return nil, err
		}
		if s, err = embedded(f); err != nil {
			return nil, err
		}
	}
	if s == nil {
		return nil, errors.New("the zip has no embed.b2e")
	}
	for _, m := range z.File {
		if m.Name == "embed.b2e" || strings.HasSuffix(m.Name, "/") {
			continue
		}
		part, err := section(m)
		if err != nil {
			return nil, err
		}
		if err := s.add(m.Name, part, part.Size()); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// tables returns the keys of tables below the root.
func (s *store) tables() (map[string]bool, error) {
	found := map[string]bool{}
	v, err := vlmeta(s.root, "_object_registry")
	if err != nil {
		return nil, err
	}
	if registry, ok := v.(pairs); ok && len(registry) > 0 {
		for _, kv := range registry {
			if kind, _ := kv[1].(pairs).get("kind"); kind == any("ctable") {
				found[kv[0].(string)] = true
			}
		}
		return found, nil
	}
	for key, n := range s.nodes {
		if parent, ok := strings.CutSuffix(key, "/_meta"); ok && n.f != nil {
			if kind, err := vlmeta(n.f, "kind"); err == nil && kind == any("ctable") {
				found[parent] = true
			}
		}
	}
	return found, nil
}

// content returns all keys with their contents.
func (s *store) content(kind string) (any, error) {
	leaves := map[string]any{}
	content := map[string]any{"type": kind, "leaves": leaves}
	tables := map[string]bool{}
	if kind == "treestore" {
		var err error
		if tables, err = s.tables(); err != nil {
			return nil, err
		}
		for key := range tables {
			t, err := s.table(key)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", key, err)
			}
			leaves[key] = t
			s.groups(leaves, key)
		}
	}
next:
	for key, n := range s.nodes {
		if n.remote != nil {
			leaves[key] = n.remote
			continue
		}
		for p := path.Dir(key); p != "/"; p = path.Dir(p) {
			if tables[p] {
				continue next
			}
		}
		if kind == "treestore" && path.Base(key) == "__vlmeta__" {
			m, err := userMeta(n.f)
			if err != nil {
				return nil, err
			}
			switch parent := path.Dir(key); {
			case len(m) == 0:
			case parent == "/":
				content["vlmeta"] = m
			default:
				leaves[parent] = map[string]any{"type": "group", "vlmeta": m}
			}
			continue
		}
		v, err := frameContent(n.f)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
		leaves[key] = v
		if kind == "treestore" {
			s.groups(leaves, key)
		}
	}
	return content, nil
}

// groups adds the groups above key.
func (s *store) groups(leaves map[string]any, key string) {
	for p := path.Dir(key); p != "/"; p = path.Dir(p) {
		if _, ok := leaves[p]; !ok {
			leaves[p] = map[string]any{"type": "group"}
		}
	}
}
