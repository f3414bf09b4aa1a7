package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/ranges"
	"github.com/seed03b80dae/blosc2/remote"
	"github.com/seed03b80dae/blosc2/tree"
)

// storeSuffixes are the suffixes of stores: a zip, a folder and a single frame.
var storeSuffixes = []string{".b2z", ".b2d", ".b2e"}

// splitStore splits STORE:/KEY, unless that is the name of a file.
func splitStore(name string) (store, key string, ok bool) {
	if !isURL(name) {
		if _, err := os.Lstat(name); err == nil {
			return name, "", false
		}
	}
	for _, suffix := range storeSuffixes {
		if i := strings.Index(name, suffix+":"); i >= 0 {
			// A key with ".." is not cleaned, because it must be rejected later.
			if key = "/" + name[i+len(suffix)+1:]; !strings.Contains(key, "/..") {
				key = path.Clean(key)
			}
			return name[:i+len(suffix)], key, true
		}
		// The query of a URL precedes the key.
		if i := strings.Index(name, suffix+"?"); i >= 0 && isURL(name) {
			if j := strings.LastIndex(name, ":/"); j > i {
				return name[:j], path.Clean(name[j+1:]), true
			}
		}
	}
	return name, "", false
}

// isStore reports whether a name is the name of a store, or of a group or table in one.
// For the name of a leaf it returns false. It looks at the suffix, or at the contents
// of the folder.
func isStore(name string) bool {
	if _, _, ok := splitStore(name); ok {
		return false
	}
	local := strings.TrimRight(localName(name), "/")
	if slices.Contains(storeSuffixes, filepath.Ext(local)) {
		return true
	}
	if isURL(name) {
		return false
	}
	info, err := os.Stat(filepath.Join(name, "embed.b2e"))
	return err == nil && info.Mode().IsRegular()
}

// storeTail is the number of bytes to read first from the end of a remote store. They
// usually contain its directory.
const storeTail = 256 << 10

// An openStore is a store and, if it is remote, its file.
type openStore struct {
	*tree.Store
	name string
	far  *remote.Object
	kept bool // the store stays open until closeStores, for later use
}

// openNode opens the store that name names, and in it the node. It returns nil if name
// is not the name of a store or of a node of one.
func (e *env) openNode(name string) (*openStore, *tree.Node, error) {
	file, key, inside := splitStore(name)
	if !inside {
		key = "/"
		if !isStore(name) {
			return nil, nil, nil
		}
	}
	s, err := e.openStore(file)
	if err != nil {
		return nil, nil, err
	}
	n, err := s.Node(key)
	if err != nil {
		s.Close()
		return nil, nil, s.unknown(key, err)
	}
	return s, n, nil
}

// openStore opens a store, which may be remote. A store in one file is opened
// once in a run.
func (e *env) openStore(name string) (*openStore, error) {
	e.storesMu.Lock()
	defer e.storesMu.Unlock()
	if known := e.stores[name]; known != nil {
		return known, nil
	}
	s := &openStore{name: name}
	var err error
	if isURL(name) {
		if s.far, err = e.openURL(name, remote.Tail(storeTail)); err != nil {
			return nil, withName(name, err)
		}
		if s.Store, err = tree.Open(s.far, s.far.Size()); err != nil {
			s.far.Close()
			return nil, withName(name, err)
		}
	} else if s.Store, err = tree.OpenFile(name); err != nil {
		return nil, withName(name, err)
	} else if s.Layout() == tree.Folder { // not kept, because its files stay open until Close
		return s, nil
	}
	if e.stores == nil {
		e.stores = map[string]*openStore{}
	}
	s.kept, e.stores[name] = true, s
	return s, nil
}

// closeStores closes the stores in one file, which are kept for the whole run.
func (e *env) closeStores() {
	for _, s := range e.stores {
		s.kept = false
		s.Close()
	}
}

// Close closes the store and its file.
func (s *openStore) Close() error {
	if s.kept {
		return nil
	}
	err := s.Store.Close()
	if s.far != nil {
		err = errors.Join(err, s.far.Close())
	}
	return err
}

// A member is a leaf of a store, open as a file.
type member struct {
	file
	store *openStore
}

// A farMember is a member of a remote store.
type farMember struct {
	*member
	ranges.ReaderAt
}

// Close closes the leaf and the store.
func (m *member) Close() error { return errors.Join(m.file.Close(), m.store.Close()) }

// openMember opens a leaf of a store as a file.
func (e *env) openMember(name, key string) (file, error) {
	s, err := e.openStore(name)
	if err != nil {
		return nil, err
	}
	f, err := s.open(key)
	if err != nil {
		s.Close()
		return nil, withName(name+":"+key, err)
	}
	m := &member{f, s}
	if far, ok := ranges.Of(f); ok {
		return &farMember{m, far}, nil
	}
	return m, nil
}

// open opens the frame of a leaf as a target.
func (s *openStore) open(key string) (file, error) {
	n, err := s.Node(key)
	if err != nil {
		return nil, s.unknown(key, err)
	}
	switch n.Kind() {
	case tree.KindGroup:
		return nil, fmt.Errorf("is a group of the store; \"blosc2 ls %s:%s\" lists it", shown(s.name), shown(key))
	case tree.KindTable:
		return nil, fmt.Errorf("is a table: info and cat read it")
	case tree.KindRemote:
		return nil, fmt.Errorf("is a reference to an array elsewhere: %w", blosc2.ErrUnsupported)
	}
	f, err := s.Store.Open(strings.TrimPrefix(key, "/"))
	if err != nil {
		return nil, err
	}
	if whole, ok := f.(file); ok {
		return whole, nil
	}
	f.Close()
	return nil, fmt.Errorf("does not support random access: %w", blosc2.ErrUnsupported)
}

// unknown adds the most similar key to the error for a missing one.
func (s *openStore) unknown(key string, err error) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var keys []string
	for k := range s.Keys() {
		if keys = append(keys, k); len(keys) > 10000 {
			break
		}
	}
	text := "the store has no such key"
	if near := nearest(key, keys); near != "" {
		text += "; is " + shown(near) + " meant?"
	}
	return errors.New(text)
}

var _ io.ReaderAt = (*member)(nil)

// leaves replaces the names of stores, groups and tables by the names of all frames in
// them.
func (e *env) leaves(names []string) (all []string, err error) {
	for _, name := range names {
		store, key, member := splitStore(name)
		if !member && !isStore(name) {
			all = append(all, name)
			continue
		}
		s, errOpen := e.openStore(store)
		if errOpen != nil {
			e.report(errOpen)
			err = errReported
			continue
		}
		if n, errNode := s.Node(key); member && (errNode != nil || n.Kind() != tree.KindGroup && n.Kind() != tree.KindTable) {
			all = append(all, name) // name is a leaf
		} else {
			all = append(all, s.frames(key)...)
		}
		err = errors.Join(err, s.Close())
	}
	return all, err
}

// frames returns the names of all frames below a key.
func (s *openStore) frames(below string) (names []string) {
	below = strings.TrimSuffix(below, "/") + "/"
	for key := range s.RawKeys() {
		if !strings.HasPrefix(key, below) {
			continue
		}
		if n, err := s.Node(key); err != nil || n.Kind() != tree.KindRemote {
			names = append(names, s.frameName(key))
		}
	}
	return names
}

// frameName returns the name of a leaf's file in a folder, or else STORE:/KEY.
func (s *openStore) frameName(key string) string {
	if s.Layout() == tree.Folder {
		for _, suffix := range []string{arraySuffix, ".b2f", ".b2b"} {
			name := filepath.Join(s.name, filepath.FromSlash(key)) + suffix
			if info, err := os.Lstat(name); err == nil && info.Mode().IsRegular() {
				return name
			}
		}
	}
	return s.name + ":" + key
}
