package tree

import (
	"archive/zip"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/ranges"
)

// leafSuffixes holds the suffixes of members that are always leaves.
var leafSuffixes = []string{".b2nd", ".b2f", ".b2b"}

// A zipMembers holds the members of a zip.
type zipMembers struct {
	r     io.ReaderAt
	size  int64   // length of the zip
	far   *farZip // nil if reads are cheap
	files map[string]*zip.File
}

// openZip opens a store in a zip.
func openZip(r io.ReaderAt, size int64, cfg config) (*Store, error) {
	m := &zipMembers{r: r, size: size, files: map[string]*zip.File{}}
	if src, ok := ranges.Of(r); ok {
		var err error
		if m.far, err = newFarZip(src, size); err != nil {
			return nil, err
		}
		m.r, r = m.far.Ahead, m.far
	}
	z, err := zip.NewReader(io.NewSectionReader(r, 0, size), size) // a damaged zip has offsets outside of it
	switch {
	case errors.Is(err, zip.ErrFormat):
		return nil, blosc2.Errorf(blosc2.PartHeader, blosc2.ErrNotBlosc2, "neither a zip nor a frame")
	case errors.Is(err, zip.ErrInsecurePath):
		err = nil // keyOf checks the names
	}
	if err != nil {
		return nil, zipFault(err)
	}
	if len(z.File) > cfg.members {
		return nil, blosc2.Errorf(blosc2.PartDirectory, blosc2.ErrTooLarge, "%d members; the limit is %d", len(z.File), cfg.members)
	}
	var names []string
	for _, f := range z.File {
		if strings.HasSuffix(f.Name, "/") {
			continue
		}
		if _, twice := m.files[f.Name]; twice {
			return nil, corrupt(blosc2.PartDirectory, "two members are named %q", f.Name)
		}
		m.files[f.Name] = f
		names = append(names, f.Name)
	}
	d := &data{layout: Zip, members: m, cfg: cfg}
	return d.openMembers(names, func(name string) int64 { return int64(m.files[name].UncompressedSize64) })
}

// zipFault returns an error of package archive/zip as a *blosc2.FormatError. It returns an
// error of the source as it is.
func zipFault(err error) error {
	for _, known := range []error{zip.ErrFormat, zip.ErrAlgorithm, zip.ErrChecksum, io.EOF, io.ErrUnexpectedEOF} {
		if err == known {
			return corrupt(blosc2.PartDirectory, "the zip is damaged: %v", err)
		}
	}
	return err
}

// openMembers opens a store with the given members.
func (d *data) openMembers(names []string, size func(string) int64) (*Store, error) {
	if !slices.Contains(names, embedFile) {
		return nil, blosc2.Errorf(blosc2.PartDirectory, blosc2.ErrNotBlosc2, "not a store: no member %s", embedFile)
	}
	var leaves []leaf
	for _, name := range names {
		key, ok, err := d.keyOf(name)
		if err != nil {
			return nil, err
		}
		if ok {
			leaves = append(leaves, leaf{key: key, member: name, size: size(name)})
		}
	}
	r, n, c, err := d.members.open(embedFile)
	if err == nil {
		err = d.keep(c)
	}
	if err == nil {
		d.embed, err = frame.Open(r, n, d.cfg.frame...)
	}
	var s *Store
	if err == nil {
		s, err = d.finish(leaves)
	}
	if err != nil {
		(&Store{data: d}).Close()
		return nil, err
	}
	return s, nil
}

// keyOf returns the key of a member: a slash and its name without the last
// suffix. ok is false if it is not a leaf.
func (d *data) keyOf(name string) (key string, ok bool, err error) {
	key = "/" + name
	dot := strings.LastIndexByte(name, '.')
	if dot > strings.LastIndexByte(name, '/')+1 {
		key = key[:dot+1]
	}
	if name == embedFile || strings.HasSuffix(name, ".tmp") {
		return "", false, nil
	}
	if !slices.Contains(leafSuffixes, name[len(key)-1:]) && !d.isFrame(name) {
		return "", false, nil
	}
	if err := checkKey(key); err != nil || strings.HasPrefix(name, "/") {
		return "", false, corrupt(blosc2.PartDirectory, "member %q is not a valid key of a store", name)
	}
	return key, true, nil
}

// isFrame reports whether a member begins like a frame.
func (d *data) isFrame(name string) bool {
	r, size, c, err := d.members.open(name)
	if err != nil {
		return false
	}
	if c != nil {
		defer c.Close()
	}
	var head [len(frame.Magic)]byte
	if size < int64(len(head)) {
		return false
	}
	n, _ := r.ReadAt(head[:], 0)
	return string(head[:n]) == frame.Magic
}

// open returns the bytes of a member, which must be stored.
func (m *zipMembers) open(name string) (io.ReaderAt, int64, io.Closer, error) {
	f := m.files[name]
	if f.Method != zip.Store || f.CompressedSize64 != f.UncompressedSize64 {
		return nil, 0, nil, blosc2.Errorf(blosc2.PartDirectory, blosc2.ErrUnsupported, "member %q is compressed by the zip, which the format of stores does not allow: zip it again with method store", name)
	}
	find, size := f.DataOffset, int64(f.UncompressedSize64)
	if m.far != nil {
		find = func() (int64, error) { return m.far.locate(size, f.DataOffset) }
	}
	off, err := find()
	if err != nil {
		return nil, 0, nil, zipFault(err)
	}
	if size < 0 || off > m.size-size {
		return nil, 0, nil, corrupt(blosc2.PartDirectory, "member %q has %d bytes from %d, in a zip of %d", name, f.UncompressedSize64, off, m.size)
	}
	return io.NewSectionReader(m.r, off, size), size, nil, nil
}
