package zarr

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/zstd"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/filter"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// decode undoes codecs. The result has size bytes.
func decode(b []byte, codecs []Codec, size int) ([]byte, error) {
	b, err := undo(b, codecs, size)
	if err == nil && len(b) != size {
		err = corrupt("chunk decodes to %d bytes; its shape needs %d", len(b), size)
	}
	return b, err
}

// undo undoes codecs. The result has at most the given number of bytes.
func undo(b []byte, codecs []Codec, most int) ([]byte, error) {
	for i := len(codecs) - 1; i >= 0; i-- {
		var err error
		limit := most + 4*i // codecs before this one may have added checksums
		switch c := codecs[i]; c.Name {
		case "blosc":
			b, err = filter.DecodeZarr(nil, b, limit)
		case "crc32c":
			if len(b) < 4 || crc32.Checksum(b[:len(b)-4], castagnoli) != binary.LittleEndian.Uint32(b[len(b)-4:]) {
				return nil, fmt.Errorf("blosc2: Zarr: crc32c: %w", blosc2.ErrChecksum)
			}
			b = b[:len(b)-4]
		default:
			b, err = inflate(c.Name, b, limit)
		}
		if err != nil {
			return nil, err
		}
	}
	return b, nil
}

// inflate decompresses up to limit bytes.
func inflate(name string, b []byte, limit int) ([]byte, error) {
	var r io.Reader
	var err error
	switch name {
	case "zstd":
		d, errNew := zstd.NewReader(bytes.NewReader(b), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(uint64(max(limit, 1<<20))))
		if err = errNew; err == nil {
			defer d.Close()
			r = d
		}
	case "gzip":
		r, err = gzip.NewReader(bytes.NewReader(b))
	case "zlib":
		r, err = zlib.NewReader(bytes.NewReader(b))
	default:
		return nil, unsupported("codec %q", name)
	}
	if err != nil {
		return nil, corrupt("%s: %v", name, err)
	}
	var out bytes.Buffer
	n, err := io.Copy(&out, io.LimitReader(r, int64(limit)+1))
	if err != nil {
		return nil, corrupt("%s: %v", name, err)
	}
	if n > int64(limit) {
		return nil, fmt.Errorf("blosc2: Zarr: %s: more than the %d bytes of a chunk: %w", name, limit, blosc2.ErrTooLarge)
	}
	return out.Bytes(), nil
}

// encode applies codecs; this package writes only blosc and crc32c.
func encode(dst, src []byte, codecs []Codec) ([]byte, error) {
	if len(codecs) != 1 || codecs[0].Name != "blosc" {
		return nil, unsupported("writing with codecs %v; must be blosc alone", codecs)
	}
	return filter.EncodeZarr(dst, src, codecs[0].Blosc)
}
