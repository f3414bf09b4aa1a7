package serve

import (
	"net/http"
	"path"
	"strings"
	"sync"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/meta"
)

// A Plain is an uncompressed file that holds an array, or several under names.
type Plain struct {
	Kind  string // one of npy, npz, csv, wav and raw
	Shape []int64
	DType meta.DType
	Read  func(dst []byte, w b2nd.Window) error // reads a window, as b2nd.Array.ReadWindow does
	Close func() error                          // also closes the file
	// Members are the names of the arrays, if there are several. OpenPlain opens one of
	// them by its name.
	Members []string
}

// maxCSV is the largest file of comma-separated values that is shown. It is parsed
// whole before its first row is shown.
const maxCSV = 64 << 20

// plainKinds holds the kinds of files that are opened for a listing, because
// reading a header suffices.
var plainKinds = map[string]bool{".wav": true, ".f2": true, ".f4": true, ".f8": true, ".i1": true, ".i2": true, ".i4": true, ".i8": true, ".u1": true, ".u2": true, ".u4": true, ".u8": true, ".c8": true, ".c16": true}

// loadPlain opens an uncompressed file.
func (c *cache) loadPlain(at *spot) (*handle, error) {
	p, err := c.openPlain(at, "")
	if err != nil {
		return nil, err
	}
	h := &handle{file: &shared{Closer: closerFunc(p.Close), users: 1}}
	if p.Members == nil {
		h.array = p.dataset()
		return h, nil
	}
	all := &members{names: p.Members, open: func(name string) (*dataset, func() error, error) {
		p, err := c.openPlain(at, name)
		if err != nil {
			return nil, nil, err
		}
		return p.dataset(), p.Close, nil
	}}
	h.members = all
	h.file.Closer = closerFunc(func() error {
		all.close()
		return p.Close()
	})
	return h, nil
}

func (c *cache) openPlain(at *spot, member string) (*Plain, error) {
	f, info, err := at.open(at.name)
	if err != nil {
		return nil, err
	}
	name := info.Name()
	switch ext := strings.ToLower(path.Ext(name)); {
	case (ext == ".csv" || ext == ".tsv") && info.Size() > maxCSV:
		err = statusf(415, "the text has %d bytes; at most %d are shown as a table: compress it to an array first", info.Size(), maxCSV)
	default:
		var p *Plain
		if p, err = c.plain(f, name, member); err == nil {
			return p, nil
		}
		if status, text := statusOf(err); status == http.StatusInternalServerError {
			err = statusf(http.StatusUnprocessableEntity, "%s", text)
		}
	}
	f.Close()
	return nil, err
}

type closerFunc func() error

func (f closerFunc) Close() error { return f() }

// These are the sizes of the pieces in which the items of plain files are read, in
// bytes.
const (
	plainChunk = 1 << 20
	plainBlock = 64 << 10
)

// dataset returns the array in the file as a dataset.
func (p *Plain) dataset() *dataset {
	d := &dataset{kind: p.Kind, shape: p.Shape, dtype: p.DType, read: p.Read}
	d.chunks, d.blocks = rowsOf(p.Shape, plainChunk/d.itemBytes()), rowsOf(p.Shape, plainBlock/d.itemBytes())
	return d
}

// rowsOf returns the shape of a box of consecutive items in C order, at most n but at
// least one.
func rowsOf(shape []int64, n int64) []int64 {
	part := make([]int64, len(shape))
	for d := len(shape) - 1; d >= 0; d-- {
		part[d] = max(min(shape[d], n), 1)
		n /= part[d]
	}
	return part
}

// A members holds the arrays of a file with several. Each is opened on request, and
// stays open as long as the file. It is safe for use by several goroutines.
type members struct {
	names []string
	open  func(name string) (*dataset, func() error, error)
	far   bool // the arrays are in a remote Zarr folder

	mu     sync.Mutex
	opened map[string]*dataset
	closes []func() error
	closed bool
}

// dataset returns the array with the given name.
func (m *members) dataset(name string) (*dataset, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if d := m.opened[name]; d != nil {
		return d, nil
	}
	for _, known := range m.names {
		if known != name || m.closed {
			continue
		}
		d, done, err := m.open(name)
		if err != nil {
			return nil, err
		}
		if m.opened == nil {
			m.opened = map[string]*dataset{}
		}
		m.opened[name] = d
		m.closes = append(m.closes, done)
		return d, nil
	}
	return nil, errMissing
}

func (m *members) close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	for _, done := range m.closes {
		done()
	}
}
