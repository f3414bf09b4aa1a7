package frame

import (
	"encoding/binary"
	"errors"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/framing"
)

// take reads a chunk and checks it against its digest.
func (r *repairer) take(buf []byte, n int64, c found) (it Item, err error) {
	switch {
	case c.err != nil:
		return Item{}, c.err
	case c.special && !c.index:
		return r.special(n, c)
	case c.index:
		it, err = r.whole.fetch(buf, n)
	default:
		it, err = r.read(buf, c)
		it.N = n
	}
	if err == nil {
		err = it.Verify()
	}
	if errors.Is(err, blosc2.ErrChecksum) {
		if despite, ok := r.readWithoutRecord(n, c); ok {
			return despite, nil
		}
	}
	return it, err
}

// read reads a chunk that may be in no index.
func (r *repairer) read(buf []byte, c found) (Item, error) {
	view := r.view()
	view.index = []int64{c.at - int64(len(r.raw))}
	return view.fetch(buf, 0)
}

// special returns the special chunk that an entry of an index encodes.
func (r *repairer) special(n int64, c found) (Item, error) {
	f := &Reader{h: r.h, cfg: config{limits: r.o.limits}, index: []int64{c.entry}, nbytes: r.lostSize(n, c)}
	if !f.fixed() || f.nbytes <= 0 {
		return Item{}, blosc2.Errorf(blosc2.PartIndex, blosc2.ErrCorrupt, "the size of a special chunk in a frame of variable chunk size is unknown")
	}
	b, err := f.special(nil, 0)
	return Item{Header: r.h, N: n, Offset: -1, Chunk: b, NBytes: int(f.nbytes)}, err
}

// matchingBytes is the number of bytes of a digest that must be right for the data to be
// treated as intact and the record as damaged. If the data were damaged, nearly all bytes
// of the digest would differ.
const matchingBytes = 4

// digestMatches reports whether at least matchingBytes bytes of stored, a digest that may
// be damaged, equal those of digest.
func digestMatches(stored []byte, digest uint64) bool {
	right := 0
	for i, v := range binary.LittleEndian.AppendUint64(nil, digest) {
		if stored[i] == v {
			right++
		}
	}
	return right >= matchingBytes
}

// readWithoutRecord reads a chunk whose record is damaged, if enough bytes of the digest
// in it are right.
func (r *repairer) readWithoutRecord(n int64, c found) (Item, bool) {
	if c.at < 0 {
		return Item{}, false
	}
	var head [minChunk]byte
	if k, _ := r.src.ReadAt(head[:], c.at); k < len(head) {
		return Item{}, false
	}
	nbytes, cbytes := chunkNBytes(head[:]), chunkCBytes(head[:])
	if !r.plausible(head[:]) || c.at+cbytes+recordLen > r.size {
		return Item{}, false
	}
	b := make([]byte, cbytes+recordLen)
	if k, _ := r.src.ReadAt(b, c.at); k < len(b) {
		return Item{}, false
	}
	digest := framing.Digest(b[:cbytes])
	if !digestMatches(b[cbytes+8:], digest) {
		return Item{}, false
	}
	return Item{Header: r.h, N: n, Offset: c.at, Chunk: b[:cbytes], NBytes: int(nbytes), Checked: true, Digest: digest}, true
}
