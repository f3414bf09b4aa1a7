package frame

import (
	"encoding/binary"
	"io"

	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/internal/xxh3"
)

// recordLen is the length of a record in bytes.
const recordLen = framing.RecordLen

// A kind says what a record describes, and so where it is stored.
type kind uint8

const (
	kindChunk    kind = framing.ChunkRecord // right after a chunk: the digest of its stored bytes
	kindHeader   kind = 1                   // right after the header: the header's digest
	kindTail     kind = 2                   // between index and trailer: the digest of end mark, index and trailer
	kindContinue kind = 3                   // right before a chunk that begins with the data of the previous chunk
	kindOpen     kind = 4                   // at the head of an open chunk: a digest of its offset and number
	kindSkip     kind = 5                   // at the offset of a chunk: the number of bytes up to the next part
)

// A record is a parsed record.
type record struct {
	kind  kind
	small uint16 // kind 0: the low 16 bits of the chunk's cbytes; kind 4: a generation; other kinds: 0
	value uint64 // kinds 0 to 2 and 4: a digest; kind 3: decoded bytes of the previous chunk; kind 5: bytes to skip
}

func (r record) append(dst []byte) []byte {
	return framing.AppendRecord(dst, uint8(r.kind), r.small, r.value)
}

// parseRecord reads the record at the beginning of b. ok is false if there is no
// record, or one of an unknown kind or algorithm.
func parseRecord(b []byte) (r record, ok bool) {
	if len(b) < recordLen || string(b[:4]) != framing.RecordMagic || b[4] > byte(kindSkip) || b[5] != framing.XXH3 {
		return record{}, false
	}
	r.kind = kind(b[4])
	r.small = binary.LittleEndian.Uint16(b[6:])
	r.value = binary.LittleEndian.Uint64(b[8:])
	return r, r.kind == kindChunk || r.kind == kindOpen || r.small == 0
}

// readRecord reads the record at an offset.
func readRecord(r io.ReaderAt, at int64) (rec record, ok bool) {
	var b [recordLen]byte
	n, _ := r.ReadAt(b[:], at)
	return parseRecord(b[:n])
}

// readChunkRecord reads the record at an offset, if it is that of a chunk of cbytes bytes.
func readChunkRecord(r io.ReaderAt, at, cbytes int64) (rec record, ok bool) {
	rec, ok = readRecord(r, at)
	return rec, ok && rec.isOf(cbytes)
}

// isOf reports whether r may be the record after a chunk of cbytes bytes.
func (r record) isOf(cbytes int64) bool { return r.kind == kindChunk && r.small == uint16(cbytes) }

// A hasher computes a digest piece by piece.
type hasher struct{ xxh3.Hasher }

func newDigest(b []byte) *hasher {
	h := new(hasher)
	h.Write(b)
	return h
}
