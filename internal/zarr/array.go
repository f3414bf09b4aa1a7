package zarr

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/seed03b80dae/blosc2/b2nd"
)

// An Array reads an array. It is for one goroutine at a time.
type Array struct {
	*Metadata
	fsys fs.FS
	name string

	key  string // key of the last chunk that was read, whose items are kept
	last []byte
}

// Open opens the array in a folder of fsys, "." for its root. If there is no array
// the error is fs.ErrNotExist. Open reads all chunks of an array of Strings.
func Open(fsys fs.FS, name string) (*Array, error) {
	m, err := ReadMetadata(fsys, name)
	if err != nil {
		return nil, err
	}
	a := &Array{Metadata: m, fsys: fsys, name: name}
	return a, a.measure()
}

// Clone returns a reader of the same array, for use by another goroutine.
func (a *Array) Clone() *Array { return &Array{Metadata: a.Metadata, fsys: a.fsys, name: a.name} }

// ReadMetadata reads the metadata of the array in a folder of fsys, as Open does,
// but no chunks: the DType of Strings is not yet that of the longest.
func ReadMetadata(fsys fs.FS, name string) (*Metadata, error) {
	b, err := fs.ReadFile(fsys, path.Join(name, MetaV3))
	if err == nil {
		return ParseV3(b)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if b, err = fs.ReadFile(fsys, path.Join(name, MetaV2)); err != nil {
		return nil, err
	}
	m, err := ParseV2(b)
	if err != nil {
		return nil, err
	}
	if b, err := fs.ReadFile(fsys, path.Join(name, attrsV2)); err == nil {
		m.Attributes = b
	}
	return m, nil
}

// Arrays returns the names of all arrays below the root of fsys.
func Arrays(fsys fs.FS) ([]string, error) {
	var names []string
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		isArray, err := IsArray(fsys, name)
		if isArray {
			names = append(names, name)
			return fs.SkipDir
		}
		return err
	})
	return names, err
}

// Listed returns the names of all arrays below the root of an fsys that cannot be
// walked: of the root itself if it is an array, or of the arrays that the metadata of
// the group there lists (consolidated metadata).
func Listed(fsys fs.FS) ([]string, error) {
	b, err := fs.ReadFile(fsys, MetaV3)
	if errors.Is(err, fs.ErrNotExist) {
		return listedV2(fsys)
	}
	if err != nil {
		return nil, err
	}
	var j struct {
		NodeType string `json:"node_type"`
		All      *struct {
			Metadata map[string]struct {
				NodeType string `json:"node_type"`
			} `json:"metadata"`
		} `json:"consolidated_metadata"`
	}
	if err := json.Unmarshal(b, &j); err != nil {
		return nil, corrupt("%s: %v", MetaV3, err)
	}
	switch {
	case j.NodeType == "array":
		return []string{"."}, nil
	case j.All == nil:
		return nil, errUnlisted()
	}
	var names []string
	for name, n := range j.All.Metadata {
		if n.NodeType == "array" && fs.ValidPath(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}

// listedV2 is like Listed, for format 2.
func listedV2(fsys fs.FS) ([]string, error) {
	if _, err := fs.ReadFile(fsys, MetaV2); err == nil {
		return []string{"."}, nil
	}
	b, err := fs.ReadFile(fsys, listV2)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err = fs.ReadFile(fsys, groupV2); err == nil {
			err = errUnlisted()
		}
	}
	if err != nil {
		return nil, err
	}
	var j struct {
		Metadata map[string]json.RawMessage `json:"metadata"`
	}
	if err := json.Unmarshal(b, &j); err != nil {
		return nil, corrupt("%s: %v", listV2, err)
	}
	var names []string
	for key := range j.Metadata {
		if name, ok := strings.CutSuffix(key, "/"+MetaV2); ok && fs.ValidPath(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}

func errUnlisted() error {
	return unsupported("a group without consolidated metadata, in a place that cannot be listed; name one of its arrays")
}

// GroupAttributes returns the attributes of a group, or nil if it has none.
func GroupAttributes(fsys fs.FS, name string) json.RawMessage {
	if b, err := fs.ReadFile(fsys, path.Join(name, MetaV3)); err == nil {
		var j struct{ Attributes json.RawMessage }
		if json.Unmarshal(b, &j) == nil {
			return j.Attributes
		}
		return nil
	}
	b, err := fs.ReadFile(fsys, path.Join(name, attrsV2))
	if err != nil || !json.Valid(b) {
		return nil
	}
	return b
}

// IsArray reports whether a folder is an array.
func IsArray(fsys fs.FS, name string) (isArray bool, err error) {
	if _, err := fs.Stat(fsys, path.Join(name, MetaV2)); err == nil {
		return true, nil
	}
	b, err := fs.ReadFile(fsys, path.Join(name, MetaV3))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	var j struct {
		NodeType string `json:"node_type"`
	}
	return json.Unmarshal(b, &j) == nil && j.NodeType == "array", nil
}

// chunkName returns the name of the file of a chunk.
func (m *Metadata) chunkName(at []int64) string {
	var parts []string
	if m.Prefix != "" {
		parts = append(parts, m.Prefix)
	}
	for _, n := range at {
		parts = append(parts, strconv.FormatInt(n, 10))
	}
	if len(parts) == 0 { // the name of a scalar's chunk in format 2
		return "0"
	}
	return strings.Join(parts, m.Separator)
}

// Unit returns the shape of the unit of decoding: a chunk or, with shards, an inner
// chunk.
func (m *Metadata) Unit() []int64 {
	if m.Inner != nil {
		return m.Inner
	}
	return m.Chunks
}

func product(shape []int64) int64 {
	n := int64(1)
	for _, side := range shape {
		n *= side
	}
	return n
}

// strides returns the distances in bytes of neighbours along each dimension, for items
// in C order.
func strides(shape []int64, size int64) []int64 {
	s := make([]int64, len(shape))
	for d := len(shape) - 1; d >= 0; d-- {
		s[d] = size
		size *= shape[d]
	}
	return s
}

// lengths returns the number of indices along each dimension. Window.Shape omits
// dimensions of which a single index is selected.
func lengths(w b2nd.Window) []int64 {
	n := make([]int64, len(w))
	for d := range w {
		n[d] = w[d].Len()
	}
	return n
}

// ReadWindow reads the items of a window in C order, as b2nd.Array.ReadWindow does.
// It reads only the chunks or inner chunks that hold some of these items.
func (a *Array) ReadWindow(dst []byte, w b2nd.Window) error {
	n := len(a.Shape)
	if len(w) != n {
		return unsupported("window has %d dimensions, but the array has %d", len(w), n)
	}
	for _, s := range w {
		if s.Len() == 0 {
			return nil
		}
	}
	unit := a.Unit()
	low, high := make([]int64, n), make([]int64, n)
	for d, s := range w {
		low[d] = s.Start / unit[d]
		high[d] = (s.Start + (s.Len()-1)*max(s.Step, 1)) / unit[d]
	}
	return each(low, high, func(at []int64) error {
		items, err := a.chunk(at)
		if err != nil {
			return err
		}
		a.copy(dst, items, w, at, unit)
		return nil
	})
}

// each calls do for all coordinates from low to high, inclusive, in C order.
func each(low, high []int64, do func(at []int64) error) error {
	at := append([]int64(nil), low...)
	for {
		if err := do(at); err != nil {
			return err
		}
		d := len(at) - 1
		for ; d >= 0; d-- {
			if at[d]++; at[d] <= high[d] {
				break
			}
			at[d] = low[d]
		}
		if d < 0 {
			return nil
		}
	}
}

// copy copies the items of a window that are in the chunk at the given coordinates.
// A nil chunk is not stored.
func (a *Array) copy(dst, items []byte, w b2nd.Window, at, unit []int64) {
	n, size := len(w), int64(a.DType.Size)
	out, in := strides(lengths(w), size), strides(unit, size)
	var walk func(d int, to, from int64)
	walk = func(d int, to, from int64) {
		if d == n {
			if items == nil {
				copy(dst[to:to+size], a.Fill)
			} else {
				copy(dst[to:to+size], items[from:])
			}
			return
		}
		s, step := w[d], max(w[d].Step, 1)
		first := at[d] * unit[d]
		k := max(0, (first-s.Start+step-1)/step)
		end := min(s.Len(), (first+unit[d]-1-s.Start)/step+1)
		if d == n-1 && step == 1 && items != nil && end > k {
			start := from + (s.Start+k-first)*size
			copy(dst[to+k*size:to+end*size], items[start:])
			return
		}
		for ; k < end; k++ {
			walk(d+1, to+k*out[d], from+(s.Start+k*step-first)*in[d])
		}
	}
	walk(0, 0, 0)
}

// chunk returns the items of a chunk, or inner chunk, in C order, or nil if it is
// not stored. They are valid until the next call.
func (a *Array) chunk(at []int64) ([]byte, error) {
	key := a.chunkName(at)
	if key == a.key && a.key != "" {
		return a.last, nil
	}
	raw, err := a.stored(at)
	if err != nil {
		return nil, err
	}
	a.key, a.last = "", nil
	if raw != nil {
		unit := a.Unit()
		items, err := a.items(raw, int(product(unit)))
		if err != nil {
			return nil, &fs.PathError{Op: "read", Path: path.Join(a.name, key), Err: err}
		}
		if a.Axes != nil {
			items = transposed(items, unit, a.Axes, a.DType.Size)
		}
		a.last = items
	}
	a.key = key
	return a.last, nil
}

// transposed returns items in C order that were stored with their axes in another
// order.
func transposed(items []byte, shape []int64, axes []int, size int) []byte {
	out := make([]byte, len(items))
	n := len(shape)
	byAxis, inOrder := strides(shape, int64(size)), make([]int64, n) // inOrder is in the order of axes
	high, low := make([]int64, n), make([]int64, n)
	for i, axis := range axes {
		inOrder[i], high[i] = byAxis[axis], shape[axis]-1
	}
	from := 0
	_ = each(low, high, func(at []int64) error {
		to := int64(0)
		for i, k := range at {
			to += k * inOrder[i]
		}
		copy(out[to:to+int64(size)], items[from:])
		from += size
		return nil
	})
	return out
}

// stored returns the stored bytes of a chunk, or inner chunk, or nil if it is not
// stored.
func (a *Array) stored(at []int64) ([]byte, error) {
	if a.Inner == nil {
		return a.whole(path.Join(a.name, a.chunkName(at)))
	}
	shard, inside := make([]int64, len(at)), int64(0)
	for d, k := range at {
		per := a.Chunks[d] / a.Inner[d]
		shard[d] = k / per
		inside = inside*per + k%per
	}
	name := path.Join(a.name, a.chunkName(shard))
	f, err := a.fsys.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := a.innerChunk(f, inside)
	if err != nil {
		err = &fs.PathError{Op: "read", Path: name, Err: err}
	}
	return b, err
}

// whole returns the contents of a chunk's file, or nil if there is none.
func (a *Array) whole(name string) ([]byte, error) {
	f, err := a.fsys.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err == nil && (!info.Mode().IsRegular() || info.Size() > a.mostStored()) {
		err = corrupt("file of %d bytes cannot hold a chunk of %d bytes", info.Size(), product(a.Unit())*int64(a.DType.Size))
	}
	var b []byte
	if err == nil {
		b = make([]byte, info.Size())
		_, err = io.ReadFull(f, b)
	}
	if err != nil {
		return nil, &fs.PathError{Op: "read", Path: name, Err: err}
	}
	return b, nil
}

// mostStored returns the largest size of a chunk's file that is read. No codec makes
// larger ones.
func (a *Array) mostStored() int64 {
	if a.Strings {
		return maxChunk
	}
	return 2*product(a.Unit())*int64(a.DType.Size) + 64<<10
}

// innerChunk reads an inner chunk of a shard.
func (a *Array) innerChunk(f fs.File, n int64) ([]byte, error) {
	index, whole, err := a.shardIndex(f)
	if err != nil {
		return nil, err
	}
	off, length := entry(index, n)
	if off == notStored && length == notStored {
		return nil, nil
	}
	if off > whole || length > whole-off || length > uint64(a.mostStored()) {
		return nil, corrupt("inner chunk %d at offset %d has %d bytes, which do not fit into the shard of %d", n, off, length, whole)
	}
	b := make([]byte, length)
	if _, err := f.(io.ReaderAt).ReadAt(b, int64(off)); err != nil && err != io.EOF {
		return nil, err
	}
	return b, nil
}

// notStored is the position and the length in the index of an inner chunk that is
// not stored.
const notStored = 1<<64 - 1

// entry returns the position and the length of an inner chunk.
func entry(index []byte, n int64) (off, length uint64) {
	return binary.LittleEndian.Uint64(index[16*n:]), binary.LittleEndian.Uint64(index[16*n+8:])
}

// shardIndex reads the index of a shard, and also returns the size of the shard. If the
// file is not an io.ReaderAt, it returns an error.
func (a *Array) shardIndex(f fs.File) (index []byte, whole uint64, err error) {
	r, ok := f.(io.ReaderAt)
	if !ok {
		return nil, 0, unsupported("shards in files that do not support random access")
	}
	info, err := f.Stat()
	if err != nil {
		return nil, 0, err
	}
	count := int64(1)
	for d := range a.Chunks {
		count *= a.Chunks[d] / a.Inner[d]
	}
	size := 16*count + 4*int64(len(a.Index))
	at := int64(0)
	if !a.IndexFirst {
		at = info.Size() - size
	}
	if at < 0 || size > info.Size() {
		return nil, 0, corrupt("shard has %d bytes; its index needs %d", info.Size(), size)
	}
	index = make([]byte, size)
	if _, err := r.ReadAt(index, at); err != nil && err != io.EOF {
		return nil, 0, err
	}
	index, err = decode(index, a.Index, int(16*count))
	return index, uint64(info.Size()), err
}
