package serve

import (
	"cmp"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/seed03b80dae/blosc2/npy"
	"github.com/seed03b80dae/blosc2/table"
)

// These are the limits of the work for a listing.
const (
	maxEntries  = 10_000
	maxDescribe = 500     // most entries whose files are opened
	maxWalk     = 100_000 // most names that a filter examines
	maxFound    = 500
)

// An entry is a line of a listing.
type entry struct {
	Name  string  `json:"name"` // name relative to the folder, with slashes
	Kind  string  `json:"kind"` // folder, file, or the kind of a dataset
	Size  int64   `json:"size"` // size of the file in bytes
	Shape []int64 `json:"shape,omitempty"`
	DType string  `json:"dtype,omitempty"`
	Ratio float64 `json:"ratio,omitempty"` // the items' bytes divided by the file's bytes
	Error string  `json:"error,omitempty"`
}

// A listing is the content of a folder or store.
type listing struct {
	Kind    string  `json:"kind"` // one of folder, store and group
	Path    string  `json:"path"`
	Entries []entry `json:"entries"`
	More    bool    `json:"more,omitempty"` // there are more entries, which are not listed
	Watch   bool    `json:"watch"`
}

// lockSuffix is the suffix of the files that writers lock. Such files are not listed.
const lockSuffix = ".b2lock"

// tree answers with the content of a folder, or, with the parameter filter, with
// the names below it that contain a text.
func (s *Server) tree(w http.ResponseWriter, r *http.Request) error {
	at, err := s.find(r.PathValue("path"))
	if err != nil {
		return err
	}
	l, err := s.list(r, at)
	if err != nil {
		return err
	}
	return answerJSON(w, r, l)
}

func (s *Server) list(r *http.Request, at *spot) (*listing, error) {
	l := &listing{Kind: "folder", Path: at.path, Entries: []entry{}, Watch: s.Watch}
	if at.place == nil {
		for _, p := range s.Places {
			l.add(s, p.Name)
		}
		return l, nil
	}
	if at.whole || !at.info.IsDir() {
		h, release, err := s.files.open(at)
		if err != nil {
			return nil, err
		}
		defer release()
		switch {
		case h.members != nil && at.key == "":
			return l, s.listMembers(l, h.members)
		case h.store == nil:
			return nil, statusf(http.StatusBadRequest, "not a folder")
		}
		if t, ok, err := h.table(at.key); err != nil {
			return nil, err
		} else if ok {
			return l, l.columns(t)
		}
		return l, s.listStore(l, h, at.key)
	}
	if filter := r.URL.Query().Get("filter"); filter != "" {
		return l, s.search(r, l, at, strings.ToLower(filter))
	}
	dir, err := at.place.root.Open(at.name)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	found, err := dir.ReadDir(maxEntries + 1)
	if err != nil && len(found) == 0 && err.Error() != "EOF" {
		return nil, err
	}
	slices.SortFunc(found, func(a, b fs.DirEntry) int {
		return cmp.Or(-cmp.Compare(rank(a), rank(b)), strings.Compare(a.Name(), b.Name()))
	})
	for _, e := range found {
		if strings.HasPrefix(e.Name(), ".") || strings.HasSuffix(e.Name(), lockSuffix) || e.Name() == zarrMeta {
			continue
		}
		if len(l.Entries) == maxEntries {
			l.More = true
			break
		}
		if err := r.Context().Err(); err != nil {
			return nil, err
		}
		l.add(s, e.Name())
	}
	return l, nil
}

// rank returns 1 for a folder and 0 for a file, because listings begin with the
// folders.
func rank(e fs.DirEntry) int {
	if e.IsDir() {
		return 1
	}
	return 0
}

// add appends the entry of a name, if it leads to something that is served.
func (l *listing) add(s *Server, name string) {
	at, err := s.find(path.Join(l.Path, name))
	if err != nil {
		return
	}
	e := entry{Name: name, Kind: "file", Size: at.info.Size()}
	switch {
	case at.info.IsDir() && !at.whole:
		e.Kind, e.Size = "folder", 0
	case s.OpenPlain != nil && len(l.Entries) < maxDescribe && at.place.object == nil && strings.EqualFold(path.Ext(name), ".npy"):
		e.ofNPY(at)
	case at.whole || len(l.Entries) < maxDescribe && (mayBeStored(name, at) || s.OpenPlain != nil && plainKinds[strings.ToLower(path.Ext(name))]):
		s.describe(&e, at)
	case s.OpenPlain != nil && len(l.Entries) < maxDescribe:
		e.Kind = plainKind(name)
	}
	l.Entries = append(l.Entries, e)
}

// mayBeStored reports whether a file is worth opening for a listing.
func mayBeStored(name string, at *spot) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".b2nd", ".b2frame", ".b2chunk", ".b2z", ".b2e", ".b2d", ".cat2", ".caterva":
		return true
	}
	return at.place.object != nil
}

func (s *Server) describe(e *entry, at *spot) {
	h, release, err := s.files.open(at)
	if err != nil {
		_, e.Error = statusOf(err)
		return
	}
	defer release()
	if t, ok, err := h.table(""); ok && err == nil {
		e.ofTable(t)
		if at.whole {
			e.Size = h.stored("")
		}
		return
	}
	if h.store != nil {
		e.Kind = kindStore
		if at.whole {
			e.Size = h.stored("")
		}
		return
	}
	d := h.array
	if d == nil {
		return
	}
	e.ofArray(d, d.storedBytes(at))
}

// listStore lists a group of a store.
func (s *Server) listStore(l *listing, h *handle, key string) error {
	n, err := h.store.Node("/" + key)
	if err != nil {
		return err
	}
	l.Kind = n.Kind().String()
	for _, name := range h.store.Children("/" + key) {
		e := entry{Name: name, Kind: "group"}
		n, err := h.store.Node("/" + path.Join(key, name))
		if err != nil {
			_, e.Error = statusOf(err)
			l.Entries = append(l.Entries, e)
			continue
		}
		e.Kind, e.Size = n.Kind().String(), max(n.Stored(), 0)
		if t, ok, err := h.table(path.Join(key, name)); ok && err == nil {
			e.ofTable(t)
			e.Size = h.stored(path.Join(key, name))
		} else if d, err := h.dataset(s.files, path.Join(key, name)); err == nil {
			e.ofArray(d, e.Size)
		}
		l.Entries = append(l.Entries, e)
		if len(l.Entries) == maxEntries {
			l.More = true
			break
		}
	}
	return nil
}

// ofTable describes a table: its rows and columns.
func (e *entry) ofTable(t *table.Table) {
	e.Kind, e.Shape = kindTable, []int64{t.Len(), int64(len(t.Schema().Columns))}
}

// ofArray describes an array that is stored in size bytes.
func (e *entry) ofArray(d *dataset, size int64) {
	e.Kind, e.Shape, e.DType, e.Size = d.kind, d.shape, d.dtype.String(), size
	if size > 0 {
		e.Ratio = float64(mul(product(d.shape), d.itemBytes())) / float64(size)
	}
}

// ofNPY describes a .npy file by its header, without opening it: one in Fortran
// order would be copied.
func (e *entry) ofNPY(at *spot) {
	f, _, err := at.open(at.name)
	if err != nil {
		_, e.Error = statusOf(err)
		return
	}
	defer f.Close()
	h, err := npy.ReadHeader(f)
	if err != nil {
		e.Error = plain(err)
		return
	}
	e.Kind, e.Shape, e.DType = "npy", h.Shape, h.DType
}

// columns lists the columns of a table that are arrays.
func (l *listing) columns(t *table.Table) error {
	l.Kind = kindTable
	for _, s := range t.Schema().Columns {
		if c, err := t.Column(s.Name); err == nil {
			if d, err := columnOf(c, t.Len()); err == nil {
				l.Entries = append(l.Entries, entry{Name: s.Name, Kind: kindColumn, Shape: d.shape, DType: d.dtype.String()})
			}
		}
	}
	return nil
}

// listMembers lists the arrays of a file that holds several.
func (s *Server) listMembers(l *listing, m *members) error {
	l.Kind = kindStore
	for _, name := range m.names {
		e := entry{Name: name, Kind: "file"}
		if d, err := m.dataset(name); err != nil {
			_, e.Error = statusOf(err)
		} else {
			e.Kind, e.Shape, e.DType = d.kind, d.shape, d.dtype.String()
			if !m.far {
				e.Size = mul(product(d.shape), d.itemBytes())
			}
		}
		l.Entries = append(l.Entries, e)
	}
	return nil
}

// plainKind returns the kind of an uncompressed file by its name.
func plainKind(name string) string {
	switch ext := strings.ToLower(path.Ext(name)); ext {
	case ".csv", ".tsv":
		return "csv"
	case ".npz":
		return kindStore
	}
	return "file"
}

// search lists the files below a folder whose names contain a text.
func (s *Server) search(r *http.Request, l *listing, at *spot, text string) error {
	seen := 0
	return fs.WalkDir(at.place.root.FS(), at.name, func(name string, e fs.DirEntry, err error) error {
		if err := r.Context().Err(); err != nil {
			return err
		}
		if seen++; seen > maxWalk || len(l.Entries) >= maxFound {
			l.More = true
			return fs.SkipAll
		}
		if err != nil || name == at.name {
			return nil
		}
		if strings.HasPrefix(e.Name(), ".") {
			if e.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		whole := e.IsDir() && isWhole(folder{at.place.root, name})
		below := name
		if at.name != "." {
			below = strings.TrimPrefix(name, at.name+"/")
		}
		if strings.Contains(strings.ToLower(below), text) && (whole || !e.IsDir()) {
			l.add(s, below)
		}
		if whole {
			return fs.SkipDir
		}
		return nil
	})
}
