package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/item"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/npy"
)

// These are the kinds of uncompressed files that can be viewed.
const (
	kindNPY = "npy"
	kindNPZ = "npz"
	kindWAV = "wav"
	kindCSV = "csv"
	kindRaw = "raw"
)

// A plainFile is an uncompressed file with the items of an array in C order.
type plainFile struct {
	kind  string
	shape []int64
	dtype meta.DType
	rest  int64       // bytes after the last whole item
	src   io.ReaderAt // reads the items, from offset 0
	close func() error
}

// Close closes the file. If the items are in a temporary file, it removes that.
func (p *plainFile) Close() error { return p.close() }

var errUntyped = fmt.Errorf("%w; --dtype sets the type of the items of a raw file", errKind)

var errPlainURL = fmt.Errorf("%w; to read another file, download it first", errKind)

// openPlain opens an uncompressed file: NumPy, sound, comma-separated values, or raw
// bytes. The type of raw bytes is dtype or, if that is "", the type in the suffix. A
// member of a .npz file is FILE:MEMBER.
func (e *env) openPlain(name, dtype string) (*plainFile, error) {
	if isURL(name) {
		return nil, errPlainURL
	}
	file, member := splitMember(name)
	f, err := e.openLocal(file)
	if err != nil {
		return nil, err
	}
	p, err := plainOf(f, file, member, dtype)
	if err != nil {
		f.Close()
		return nil, err
	}
	if p.close == nil || f != e.stdin {
		p.own(f)
	}
	return p, nil
}

// own makes p close f, at once if the items have been copied.
func (p *plainFile) own(f io.Closer) {
	if p.close == nil {
		p.close = f.Close
	} else {
		f.Close()
	}
}

// splitMember splits FILE:MEMBER, unless that is the name of a file.
func splitMember(name string) (file, member string) {
	if _, err := os.Lstat(name); err == nil {
		return name, ""
	}
	if i := strings.LastIndex(name, npzSuffix+":"); i >= 0 {
		return name[:i+len(npzSuffix)], name[i+len(npzSuffix)+1:]
	}
	return name, ""
}

func plainOf(f file, name, member, dtype string) (*plainFile, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, errIsDir
	}
	var head [sniffLen]byte
	n, _ := f.ReadAt(head[:], 0)
	switch {
	case strings.HasPrefix(string(head[:n]), npyMagic):
		r, err := npy.NewReader(f)
		if err != nil {
			return nil, err
		}
		return plainNPY(r, f, info.Size())
	case n >= 4 && string(head[:4]) == "PK\x03\x04":
		return plainMember(f, name, info.Size(), member)
	case n >= 4 && string(head[:4]) == "RIFF" && dtype == "":
		if w := parseWAV(f, info.Size()); w != nil {
			return w.plain(f)
		}
	case isCSV(name) && dtype == "":
		return plainCSV(f)
	}
	if dtype = cmp.Or(dtype, suffixDType(name)); dtype == "" {
		return nil, untyped(name, head[:n])
	}
	d, err := parseDType(dtype)
	if err != nil {
		return nil, err
	}
	return &plainFile{kind: kindRaw, shape: []int64{info.Size() / int64(d.Size)}, rest: info.Size() % int64(d.Size), dtype: d, src: f}, nil
}

// untyped returns the error for a file of unknown kind.
func untyped(name string, head []byte) error {
	_, err := sniff(head, 0)
	if what, _ := compressedBy(head); what != "" {
		return err
	}
	if err == nil || errors.Is(err, errKind) && !strings.HasPrefix(string(head), parquetMagic) && !nearFrame(head) && !wasFrame(name) {
		return errUntyped
	}
	return err
}

// plainNPY returns the array of a .npy file. Items that are not in C order, or not in a
// file, are copied to a temporary one.
func plainNPY(r *npy.Reader, f file, size int64) (*plainFile, error) {
	d, err := r.Header.Type()
	if err != nil {
		return nil, err
	}
	p := &plainFile{kind: kindNPY, shape: r.Header.Shape, dtype: d}
	items, err := r.COrder(maxFortran)
	if err != nil {
		return nil, err
	}
	if items == io.Reader(r) && f != nil {
		at, err := f.Seek(0, io.SeekCurrent)
		if err != nil {
			return nil, err
		}
		bytes, err := r.Header.Size()
		if err == nil && size-at < bytes {
			err = shorter(size-at, bytes, p.shape)
		}
		p.src = io.NewSectionReader(f, at, bytes)
		return p, err
	}
	return p, p.spool(items)
}

// shorter returns the error for a .npy file with fewer bytes of items than its shape.
func shorter(n, want int64, shape []int64) error {
	return fmt.Errorf("%s of items, but shape %v has %s: %w", count(n, "byte"), shape, commas(want), io.ErrUnexpectedEOF)
}

// spool copies the items to a temporary file.
func (p *plainFile) spool(items io.Reader) error {
	f, err := spool(items)
	if err != nil {
		return err
	}
	p.src, p.close = f, f.Close
	return nil
}

// plainMember returns the named array of a .npz file; the name may be empty if there
// is only one.
func plainMember(f file, name string, size int64, member string) (*plainFile, error) {
	z, err := npy.OpenNPZ(f, size)
	if err != nil {
		return nil, err
	}
	names := z.Names()
	switch {
	case member == "" && isStore(name):
		return nil, misusef("%s is a store; name an array as STORE:/KEY: \"blosc2 ls -r %s\" lists them", name, name)
	case member == "" && len(names) == 1:
		member = names[0]
	case member == "":
		return nil, misusef("%s holds several arrays; use FILE:NAME to name one of %s", name, join(names))
	}
	m, err := z.Open(member)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	return plainNPY(m.Reader, nil, 0)
}

func (w *wav) plain(f file) (*plainFile, error) {
	d, err := parseDType(w.dtype)
	return &plainFile{kind: kindWAV, shape: w.shape(), dtype: d, src: io.NewSectionReader(f, int64(len(w.head)), w.size)}, err
}

// read reads a window, as b2nd.Array.ReadWindow does.
func (p *plainFile) read(dst []byte, w b2nd.Window) error {
	size := int64(p.dtype.Size)
	strides := make([]int64, len(w))
	stride := size
	for d := len(w) - 1; d >= 0; d-- {
		strides[d] = stride
		stride *= p.shape[d]
	}
	_, err := p.readFrom(dst, w, strides, 0, size)
	return err
}

// readFrom reads a window of the dimensions that are left, from the offset at of the
// file, and returns the rest of dst.
func (p *plainFile) readFrom(dst []byte, w b2nd.Window, strides []int64, at, size int64) ([]byte, error) {
	if n := onePiece(w, strides, size); n > 0 { // the window is contiguous in the file
		if len(w) > 0 {
			at += w[0].Start * strides[0]
		}
		return dst[n:], item.ReadFull(p.src, dst[:n], at)
	}
	s := w[0]
	if len(w) == 1 {
		return dst[s.Len()*size:], item.Read(dst, p.src, at, s, size)
	}
	for i := range s.Len() {
		var err error
		if dst, err = p.readFrom(dst, w[1:], strides[1:], at+(s.Start+i*s.Step)*strides[0], size); err != nil {
			return nil, err
		}
	}
	return dst, nil
}

// onePiece returns the number of bytes of a window if it is contiguous in the file,
// and 0 otherwise.
func onePiece(w b2nd.Window, strides []int64, item int64) int64 {
	if len(w) == 0 {
		return item
	}
	n := w[0].Len()
	if w[0].Step != 1 && n > 1 {
		return 0
	}
	for d := 1; d < len(w); d++ {
		if w[d].Len()*strides[d] != strides[d-1] || w[d].Step != 1 && w[d].Len() > 1 {
			return 0
		}
	}
	return n * strides[0]
}

// isCSV reports whether a name has a suffix of comma-separated values.
func isCSV(name string) bool {
	ext := strings.ToLower(filepath.Ext(name))
	return ext == ".csv" || ext == ".tsv"
}
