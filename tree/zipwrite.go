package tree

import (
	"encoding/binary"
	"hash/crc32"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/framing"
)

// Write writes a store to w, as a zip of stored members.
func Write(w io.Writer, c Contents) error {
	if err := framing.Need(w != nil, "destination", "an io.Writer"); err != nil {
		return err
	}
	members, err := c.members()
	if err != nil {
		return err
	}
	z := &zipWriter{w: w}
	for _, m := range members {
		if err := z.add(m); err != nil {
			return err
		}
	}
	return z.finish()
}

// WriteEmbed writes a store to w, as a single frame, which it holds in memory.
func WriteEmbed(w io.Writer, c Contents) error {
	if err := framing.Need(w != nil, "destination", "an io.Writer"); err != nil {
		return err
	}
	items, err := c.frames()
	if err != nil {
		return err
	}
	b, err := embedFrame(embedName, items, c.Tables)
	if err == nil {
		_, err = w.Write(b)
	}
	return err
}

// A zipWriter writes members and their directory.
type zipWriter struct {
	w     io.Writer
	pos   int64
	dir   []byte // entries of the directory so far
	count uint64
}

func (z *zipWriter) write(b []byte) error {
	n, err := z.w.Write(b)
	z.pos += int64(n)
	return err
}

const (
	zipStored   = 20 // version that a reader needs for stored members
	zipLarge    = 45 // version that a reader needs for zip64
	zipUTF8     = 1 << 11
	zipDate     = 0x21 // 1 January 1980: the bytes do not depend on the clock
	zipLocal    = "PK\x03\x04"
	zipEntry    = "PK\x01\x02"
	zipEnd      = "PK\x05\x06"
	zipEnd64    = "PK\x06\x06"
	zipLocator  = "PK\x06\x07"
	zipFileMode = 0o100644 << 16

	zipEntryLen  = 46      // length of an entry of the directory, without its name
	zipLocalMost = 30 + 20 // length of a local header, without its name
)

// add writes a member. It reads the bytes twice, first for the checksum, which
// precedes them.
func (z *zipWriter) add(m member) error {
	if len(m.name) > math.MaxUint16 {
		return &blosc2.OptionError{Option: "key", Value: m.name[:64] + "…", Range: "at most 65,535 bytes"}
	}
	sum := crc32.NewIEEE()
	if n, err := io.Copy(sum, io.NewSectionReader(m.r, 0, m.length)); err != nil {
		return err
	} else if n != m.length {
		return io.ErrUnexpectedEOF
	}
	large := m.length >= math.MaxUint32 || z.pos >= math.MaxUint32
	version, size, offset := uint16(zipStored), uint32(m.length), uint32(z.pos)
	var extra []byte
	if large {
		version, size, offset = zipLarge, math.MaxUint32, math.MaxUint32
		extra = le(nil, uint16(1), uint16(24), uint64(m.length), uint64(m.length), uint64(z.pos))
	}
	common := le(nil, version, uint16(zipUTF8), uint16(0), uint16(0), uint16(zipDate), sum.Sum32(), size, size, uint16(len(m.name)))
	local := extra
	if large {
		local = le(nil, uint16(1), uint16(16), uint64(m.length), uint64(m.length))
	}
	head := append([]byte(zipLocal), common...)
	head = append(le(head, uint16(len(local))), m.name...)
	z.dir = append(append(z.dir, zipEntry...), byte(version), 3) // the upper byte says that the zip was made on Unix
	z.dir = append(z.dir, common...)
	z.dir = le(z.dir, uint16(len(extra)), uint16(0), uint16(0), uint16(0), uint32(zipFileMode&math.MaxUint32), offset)
	z.dir = append(append(z.dir, m.name...), extra...)
	z.count++
	if err := z.write(append(head, local...)); err != nil {
		return err
	}
	n, err := io.Copy(z.w, io.NewSectionReader(m.r, 0, m.length))
	z.pos += n
	if err == nil && n != m.length {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// finish writes the directory and the end of the zip.
func (z *zipWriter) finish() error {
	return z.write(z.end())
}

// end returns the directory and the end of the zip.
func (z *zipWriter) end() []byte {
	at, n := uint64(z.pos), uint64(len(z.dir))
	end := slices.Clone(z.dir)
	if at+n >= math.MaxUint32 || z.count >= math.MaxUint16 {
		end = append(end, zipEnd64...)
		end = le(end, uint64(44), uint16(zipLarge), uint16(zipLarge), uint32(0), uint32(0), z.count, z.count, n, at)
		end = append(end, zipLocator...)
		end = le(end, uint32(0), at+n, uint32(1))
	}
	count := uint16(min(z.count, math.MaxUint16))
	end = append(end, zipEnd...)
	return le(end, uint16(0), uint16(0), count, count, uint32(min(n, math.MaxUint32)), uint32(min(at, math.MaxUint32)), uint16(0))
}

// without returns a directory without the members of the given names.
func without(dir []byte, count uint64, names map[string]bool) ([]byte, uint64, error) {
	var out []byte
	u := binary.LittleEndian
	for len(dir) > 0 {
		if len(dir) < zipEntryLen || string(dir[:4]) != zipEntry {
			return nil, 0, corrupt(blosc2.PartDirectory, "the zip's directory holds something other than entries")
		}
		name := int(u.Uint16(dir[28:]))
		n := zipEntryLen + name + int(u.Uint16(dir[30:])) + int(u.Uint16(dir[32:]))
		if n > len(dir) {
			return nil, 0, corrupt(blosc2.PartDirectory, "the zip's directory ends within an entry")
		}
		if names[string(dir[zipEntryLen:zipEntryLen+name])] {
			count--
		} else {
			out = append(out, dir[:n]...)
		}
		dir = dir[n:]
	}
	return out, count, nil
}

// le appends numbers in little-endian order.
func le(b []byte, numbers ...any) []byte {
	for _, n := range numbers {
		switch n := n.(type) {
		case uint16:
			b = binary.LittleEndian.AppendUint16(b, n)
		case uint32:
			b = binary.LittleEndian.AppendUint32(b, n)
		case uint64:
			b = binary.LittleEndian.AppendUint64(b, n)
		}
	}
	return b
}

// readDirectory finds the directory of a zip of size bytes, and returns its stored
// entries.
func readDirectory(r io.ReaderAt, size int64) (dir []byte, count uint64, err error) {
	n := min(size, 22+math.MaxUint16)
	tail := make([]byte, n)
	if _, err := r.ReadAt(tail, size-n); err != nil && err != io.EOF {
		return nil, 0, err
	}
	at := strings.LastIndex(string(tail), zipEnd)
	if at < 0 || len(tail)-at < 22 {
		return nil, 0, corrupt(blosc2.PartDirectory, "the zip has no directory")
	}
	u := binary.LittleEndian
	end := tail[at:]
	count, length, offset := uint64(u.Uint16(end[10:])), uint64(u.Uint32(end[12:])), uint64(u.Uint32(end[16:]))
	place := uint64(size-n) + uint64(at)
	if at >= 20 && string(tail[at-20:at-16]) == zipLocator {
		var large [56]byte
		where := u.Uint64(tail[at-12:])
		if where > uint64(size)-56 {
			return nil, 0, corrupt(blosc2.PartDirectory, "the zip's directory is missing")
		}
		if _, err := r.ReadAt(large[:], int64(where)); err != nil {
			return nil, 0, err
		}
		if string(large[:4]) != zipEnd64 {
			return nil, 0, corrupt(blosc2.PartDirectory, "the zip's directory is missing")
		}
		count, length, offset, place = u.Uint64(large[32:]), u.Uint64(large[40:]), u.Uint64(large[48:]), where
	}
	if length > place || offset != place-length {
		return nil, 0, blosc2.Errorf(blosc2.PartDirectory, blosc2.ErrUnsupported, "there is data before the zip, or between its directory and its end")
	}
	dir = make([]byte, length)
	_, err = r.ReadAt(dir, int64(offset))
	if length == 0 || err == io.EOF {
		err = nil
	}
	return dir, count, err
}
