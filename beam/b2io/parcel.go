package b2io

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/seed03b80dae/blosc2/internal/xxh3"
	"github.com/seed03b80dae/blosc2/shard"
)

// A parcel is sent to the worker that makes a shard. It is empty, or begins with one of
// these bytes. After it come either encoded windows, each preceded by its length in
// four bytes, or a reference to a file of such windows in the folder of shards: its
// name, the offset and length in it, and the digest of those bytes.
const (
	parcelWindows = 1
	parcelFile    = 2
)

var errParcel = errors.New("b2io: not a parcel of windows")

// A packer makes parcels.
type packer struct {
	folder string   // folder in which the windows are written; "" puts them into the parcels
	file   *os.File // nil before the first parcel
	size   int64
	buf    []byte // windows that are not in a parcel yet
}

// add appends a window.
func (p *packer) add(w *Window) (err error) {
	at := len(p.buf)
	p.buf = append(p.buf, 0, 0, 0, 0)
	if p.buf, err = appendWindow(p.buf, w); err != nil {
		return err
	}
	binary.LittleEndian.PutUint32(p.buf[at:], uint32(len(p.buf)-at-4))
	return nil
}

// parcel returns a parcel of the windows added since the last call, nil if there are none.
func (p *packer) parcel() (parcel []byte, err error) {
	defer func() { p.buf = p.buf[:0] }()
	switch {
	case len(p.buf) == 0:
		return nil, nil
	case p.folder == "":
		return append([]byte{parcelWindows}, p.buf...), nil
	case p.file == nil:
		if err := os.MkdirAll(p.folder, 0o777); err != nil {
			return nil, err
		}
		p.size = 0
		if p.file, err = os.OpenFile(filepath.Join(p.folder, rand.Text()+".windows"), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666); err != nil {
			return nil, err
		}
	}
	if _, err := p.file.Write(p.buf); err != nil {
		return nil, err
	}
	parcel = appendString([]byte{parcelFile}, filepath.Base(p.file.Name()))
	parcel = binary.AppendUvarint(parcel, uint64(p.size))
	parcel = binary.AppendUvarint(parcel, uint64(len(p.buf)))
	p.size += int64(len(p.buf))
	return binary.LittleEndian.AppendUint64(parcel, xxh3.Sum64(p.buf)), nil
}

// close completes the file, if there is one, after which every worker can read it.
func (p *packer) close() error {
	if p.file == nil {
		return nil
	}
	err := p.file.Close()
	p.file = nil
	return err
}

// An unpacker returns the windows of parcels.
type unpacker struct {
	folder string
	next   func(*[]byte) bool
	rest   []byte // remaining windows of the parcel
	buf    []byte // memory for bytes read from a file
	items  []byte // items of the last window
}

// window sets w to the next window, whose items are valid until the next call. It
// returns false after the last one.
func (u *unpacker) window(w *Window) (ok bool, err error) {
	for len(u.rest) == 0 {
		var parcel []byte
		if !u.next(&parcel) {
			return false, nil
		}
		if u.rest, err = u.open(parcel); err != nil {
			return false, err
		}
	}
	n := uint64(len(u.rest))
	if n >= 4 {
		n = uint64(binary.LittleEndian.Uint32(u.rest)) + 4
	}
	if n < 4 || n > uint64(len(u.rest)) {
		return false, errParcel
	}
	*w, err = decodeWindowTo(u.items, u.rest[4:n])
	u.items, u.rest = w.Items, u.rest[n:]
	return true, err
}

// open returns the windows of a parcel.
func (u *unpacker) open(parcel []byte) ([]byte, error) {
	switch {
	case len(parcel) == 0:
		return nil, nil
	case parcel[0] == parcelWindows:
		return parcel[1:], nil
	case parcel[0] != parcelFile:
		return nil, errParcel
	}
	r := windowReader{b: parcel[1:]}
	name, off, n := r.string(), int64(r.uint(1<<62)), int(r.uint(1<<31))
	digest := r.bytes(8)
	if r.bad || len(r.b) > 0 || name != filepath.Base(name) {
		return nil, errParcel
	}
	file, err := os.Open(filepath.Join(u.folder, name))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if cap(u.buf) < n {
		u.buf = make([]byte, n)
	}
	u.buf = u.buf[:n]
	if _, err := file.ReadAt(u.buf, off); err != nil {
		return nil, err
	}
	if xxh3.Sum64(u.buf) != binary.LittleEndian.Uint64(digest) {
		return nil, fmt.Errorf("b2io: %s: the %d bytes at %d: %w", file.Name(), n, off, shard.ErrDamaged)
	}
	return u.buf, nil
}
