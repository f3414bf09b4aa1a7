package frame

import (
	"encoding/binary"
	"io"
	"sync"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/internal/framing"
)

// An open chunk is the last chunk of a frame that is being written: a stored
// chunk that grows in place, so that a Flush costs only the new bytes. Its head
// holds, in one sector,
//
//	 0 record of kind 4, with a value that binds it to its offset and chunk number
//	16  two flush slots: how many bytes there are (4 bytes) and the low half of their digest (4 bytes)
//	32  two commit slots: how many bytes were committed (8 bytes) and their digest (8 bytes)
//	64  the header of the chunk as of the last commit, which is what C-Blosc2 reads
//	96  the bytes
//
// Slots are written in turn, so that one of the two is always valid. The bytes
// never change while the record of kind 4 exists: it is destroyed before they
// are overwritten.
type openChunk struct {
	at     int64 // offset of the head, from the frame's start
	n      int64 // number of the chunk
	gen    uint16
	size   int // bytes that the chunk holds
	digest hasher
	flush  int // the slot of the last flush
	commit int // the slot of the last commit

	damaged bool // no digest matches its committed bytes

	rows *rowLayout      // layout of the rows of an open slab; nil for an open chunk
	sums func() []uint64 // digests of a slab's chunks for a Reader; nil if its rows do not match digest
	done bool            // the finished chunks of the slab are in place
}

const (
	openAlign  = 128 // alignment of the head, so that it is within one sector
	openFlush  = recordLen
	openCommit = openFlush + 2*flushSlotLen
	openHeader = openCommit + 2*commitSlotLen
	openData   = openHeader + chunk.HeaderLen

	flushSlotLen  = 8
	commitSlotLen = 16
)

// openMark is the record at the head of an open chunk. Its generation changes when bytes
// of the chunk are dropped. It also changes when a chunk that was finished before it was
// full is opened again, perhaps at the same offset. So a reader of the former open chunk
// does not mistake the new one for it.
func openMark(at, n int64, gen uint16) record {
	var b [16]byte
	binary.LittleEndian.PutUint64(b[:], uint64(at))
	binary.LittleEndian.PutUint64(b[8:], uint64(n))
	return record{kind: kindOpen, small: gen, value: framing.Digest(b[:])}
}

// generation returns the generation of a new open chunk or slab, of which there is a
// finished form with the given number of bytes.
func generation(have int) uint16 { return uint16(have) ^ uint16(have>>16) }

// displacedMark returns the record that precedes chunk n if the chunk was displaced: see
// chunkLog.displace.
func displacedMark(at, n int64) record { return openMark(at, ^n, 0) }

// parseOpenMark reads the record of the open chunk n, at offset at, from the
// beginning of b.
func parseOpenMark(b []byte, at, n int64) (gen uint16, ok bool) {
	rec, ok := parseRecord(b)
	return rec.small, ok && rec == openMark(at, n, rec.small)
}

// readOpenMark reads the record of the open chunk n, at offset at.
func readOpenMark(r io.ReaderAt, at, n int64) (gen uint16, ok bool) {
	rec, ok := readRecord(r, at)
	return rec.small, ok && rec == openMark(at, n, rec.small)
}

// appendFlushSlot appends a flush slot for size bytes with a digest.
func appendFlushSlot(dst []byte, size int, digest uint64) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, uint32(size))
	return binary.LittleEndian.AppendUint32(dst, uint32(digest))
}

// appendCommitSlot appends a commit slot.
func appendCommitSlot(dst []byte, size int, digest uint64) []byte {
	dst = binary.LittleEndian.AppendUint64(dst, uint64(size))
	return binary.LittleEndian.AppendUint64(dst, digest)
}

// storedBlock is the block size of longer open chunks, if the frame does not state one.
// The chunk is stored, so the size changes nothing but its header.
const storedBlock = 64 << 10

// storedHeader returns the header of a stored chunk of size decoded bytes. size must not
// be 0.
func storedHeader(size, typesize, blocksize int) [chunk.HeaderLen]byte {
	if typesize > 255 {
		typesize = 1
	}
	if blocksize <= 0 {
		blocksize = storedBlock
	}
	h := [chunk.HeaderLen]byte{0: chunk.Version, 1: 1, 2: 7, 3: byte(typesize)}
	binary.LittleEndian.PutUint32(h[4:], uint32(size))
	binary.LittleEndian.PutUint32(h[8:], uint32(min(size, blocksize)))
	binary.LittleEndian.PutUint32(h[12:], uint32(size+chunk.HeaderLen))
	return h
}

// A slot holds the contents of a slot in the head of an open chunk or slab.
type slot struct {
	units  int64 // number of bytes or rows
	digest uint64
	flush  int  // the flush slot that was written last, if this slot is valid
	whole  bool // the slot holds all bits of the digest
}

// readSlots returns the flush slots in a head, the longer prefix first, and then the
// commit slots for the committed bytes or rows. It sets o.commit, and o.done and the
// flush slot that says so.
func (o *openChunk) readSlots(head []byte, committed int64) (slots []slot) {
	for i := range 2 {
		b := head[openFlush+i*flushSlotLen:]
		s := slot{units: int64(binary.LittleEndian.Uint32(b)), digest: uint64(binary.LittleEndian.Uint32(b[4:])), flush: i}
		if o.rows != nil && s.units == rowsDone && s.digest == uint64(uint32(o.mark().value)) {
			o.done, o.flush = true, i
		}
		slots = append(slots, s)
	}
	if slots[1].units > slots[0].units {
		slots[0], slots[1] = slots[1], slots[0]
	}
	for i := range 2 {
		b := head[openCommit+i*commitSlotLen:]
		if binary.LittleEndian.Uint64(b) == uint64(committed) {
			slots = append(slots, slot{committed, binary.LittleEndian.Uint64(b[8:]), 1, true})
			o.commit = i
		}
	}
	return slots
}

// readOpen reads the open chunk n with its head at offset at, if there is one, or the open
// slab with layout y that begins with chunk n. At least the first committed bytes or
// rows, perhaps 0, are part of a sealed frame. If these are damaged, the chunk or slab
// has only these, and reading it fails. limit is the number of bytes or rows of a full
// one.
func (f *Reader) readOpen(y *rowLayout, at, n, committed, limit int64) (*openChunk, error) {
	var head [openData]byte
	if got, err := f.src.ReadAt(head[:], at); got < len(head) {
		return nil, endOf(err)
	}
	o := &openChunk{at: at, n: n, rows: y}
	var ok bool
	if o.gen, ok = parseOpenMark(head[:], at, o.number()); !ok && !(f.cfg.damagedMarks && openMarkDamaged(head[:], at, o.number())) {
		return nil, nil
	}
	// All digests are of prefixes, so one pass over the bytes suffices.
	slots, most := o.readSlots(head[:], committed), int64(0)
	for _, s := range slots {
		if s.units <= limit {
			most = max(most, s.units)
		}
	}
	parts, have, err := o.readUnits(f, most)
	if err != nil {
		return nil, err
	}
	for _, s := range slots { // the longest prefix first
		if s.units == 0 || s.units < committed || s.units > have {
			continue
		}
		h := o.digestOf(parts, s.units)
		if sum := h.Sum64(); sum != s.digest && (s.whole || uint32(sum) != uint32(s.digest)) {
			continue
		}
		o.size, o.digest = int(s.units)*o.unit(), *h
		if y != nil {
			sums := y.sums(parts, s.units)
			o.sums = func() []uint64 { return sums }
		}
		if o.done {
			o.flush = 1 - o.flush // the next flush overwrites the slot that says so
			return o, nil
		}
		if o.flush = s.flush; !f.cfg.drop {
			f.checkSlots(o, head[:], func(units int64) (uint64, bool) {
				if units > have {
					return 0, false
				}
				return o.digestOf(parts, units).Sum64(), true
			})
		}
		return o, nil
	}
	if committed > 0 {
		return o.asDamaged(f, head[:], int(committed)*o.unit())
	}
	if !o.done {
		f.checkSlots(o, head[:], func(int64) (uint64, bool) { return 0, false })
	}
	return o, nil
}

// readUnits reads the first bytes of the open chunk, or the decoded bytes of the chunks
// that hold the first rows of the slab. It returns how many bytes or rows there are.
func (o *openChunk) readUnits(f *Reader, units int64) (parts [][]byte, have int64, err error) {
	if o.rows != nil {
		parts, err = o.readParts(f, units)
		return parts, units, err
	}
	data := make([]byte, max(min(units, f.size-o.at-openData, f.cfg.limits.Chunk), 0))
	n, err := f.src.ReadAt(data, o.at+openData)
	if err == io.EOF {
		err = nil
	}
	return [][]byte{data[:n]}, int64(n), err
}

// digestOf returns the digest of the first bytes or rows in parts.
func (o *openChunk) digestOf(parts [][]byte, units int64) *hasher {
	if o.rows != nil {
		return o.rows.digest(parts, units)
	}
	return newDigest(parts[0][:units])
}

// asDamaged returns o with only its committed bytes, which match no digest. head is the
// head of o as it was read. If the writer is active, the bytes may be older or newer than
// the head, and asDamaged returns an error.
func (o *openChunk) asDamaged(f *Reader, head []byte, committed int) (*openChunk, error) {
	if !f.writerIdle(o, head) {
		return nil, o.mismatch()
	}
	o.size, o.damaged = committed, true
	return o, nil
}

func (o *openChunk) mismatch() error {
	what := "chunk"
	if o.rows != nil {
		what = "rows"
	}
	return blosc2.At(blosc2.Errorf(blosc2.PartChunk, blosc2.ErrChecksum, "the digest of the open %s does not match", what), o.n, o.at)
}

// growOpen returns the open chunk or slab o with the bytes that were flushed to it since.
// It returns o if there are none, and nil if the writer has finished or truncated it. It
// reads only the new bytes.
func (f *Reader) growOpen(o *openChunk) (*openChunk, error) {
	var head [openCommit]byte
	if n, err := f.src.ReadAt(head[:], o.at); n < len(head) {
		return nil, endOf(err)
	}
	if gen, ok := parseOpenMark(head[:], o.at, o.number()); !ok || gen != o.gen {
		return nil, nil
	}
	if o.damaged {
		return o, nil
	}
	limit := int64(f.h.ChunkSize)
	if o.rows != nil {
		limit = o.rows.rows * o.rows.row()
	}
	var slots [2]struct {
		size  int64
		flush int
	}
	for i := range slots {
		units := binary.LittleEndian.Uint32(head[openFlush+i*flushSlotLen:])
		if o.rows != nil && units == rowsDone {
			return nil, nil
		}
		slots[i].size, slots[i].flush = int64(units)*int64(o.unit()), i
	}
	if slots[0].size > slots[1].size {
		slots[0], slots[1] = slots[1], slots[0]
	}
	// Both digests are of prefixes. While the longer prefix is being written, use the
	// shorter one.
	now, hash, size := o, o.digest, int64(o.size)
	for _, s := range slots {
		if s.size <= size || s.size > limit || s.size > f.size-o.at-openData {
			continue
		}
		more, err := o.readMore(f, size, s.size)
		if err != nil {
			return nil, err
		}
		if more == nil {
			break
		}
		hash.Write(more)
		size = s.size
		if uint32(hash.Sum64()) == binary.LittleEndian.Uint32(head[openFlush+s.flush*flushSlotLen+4:]) {
			grown := *o
			grown.size, grown.digest, grown.flush = int(size), hash, s.flush
			if o.rows != nil {
				grown.sums = sync.OnceValue(func() []uint64 { return grown.measure(f) })
			}
			now = &grown
		}
	}
	if now == o {
		return o, nil
	}
	if gen, ok := readOpenMark(f.src, o.at, o.number()); !ok || gen != o.gen {
		return nil, nil
	}
	return now, nil
}

// readMore reads the bytes [from, to) of the open chunk or slab, in the order of
// the digest. It returns nil if the source ends before them.
func (o *openChunk) readMore(f *Reader, from, to int64) ([]byte, error) {
	if o.rows != nil && !o.rows.flat() {
		return o.readMoreRows(f, from/o.rows.row(), to/o.rows.row())
	}
	more := make([]byte, to-from)
	if n, err := f.src.ReadAt(more, o.at+openData+from); n < len(more) {
		return nil, endOf(err)
	}
	return more, nil
}

// endOf returns nil if err is the end of a source, which means that the missing bytes
// were not written. It returns any other err.
func endOf(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

// read reads stored bytes of the open chunk, including its header, from offset off into
// b. It checks that the bytes still were the chunk's when they were read.
func (o *openChunk) read(f *Reader, b []byte, off int64) (n int, err error) {
	if o.damaged {
		return 0, o.mismatch()
	}
	if off < chunk.HeaderLen {
		h := storedHeader(o.size, int(f.h.TypeSize), int(f.h.BlockSize))
		n = copy(b, h[off:])
		off = chunk.HeaderLen
	}
	if rest := int64(o.size) - (off - chunk.HeaderLen); rest < int64(len(b)-n) {
		b = b[:n+int(max(rest, 0))]
	}
	if n < len(b) {
		var got int
		got, err = f.src.ReadAt(b[n:], o.at+openData+off-chunk.HeaderLen)
		n += got
		if err != nil && err != io.EOF {
			return n, err
		}
	}
	if err := o.checkUnchanged(f); err != nil {
		return 0, err
	}
	if n < len(b) {
		return 0, o.changed()
	}
	return n, nil
}
