package frame

import (
	"bytes"
	"encoding/binary"
	"io"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/meta"
)

// step reads what follows a chunk: another chunk, which it returns, or a tail. For a tail
// ok is false.
func (w *Walker) step(buf []byte) (it Item, ok bool, err error) {
	head := w.scratch[:]
	if err := w.room(int64(len(head))); err != nil {
		return it, false, err
	}
	// Every part is at least 32 bytes long, or is a record of kind 3, which a chunk
	// follows. So this does not wait for bytes that may not come yet.
	got, err := w.src.lead(blosc2.PartChunk, head, beginsPart)
	if got > 0 && !beginsPart(head) {
		return it, false, w.misplaced(got, "byte %#02x cannot begin a chunk", head[0])
	}
	if err != nil {
		return it, false, err
	}
	begin := w.src.pos - int64(len(head))
	if rec, ok := parseRecord(head); ok && rec.kind == kindSkip {
		return it, false, w.skip(rec)
	}
	again := head[0] == framing.RecordMagic[0]
	if again {
		if err := w.continued(head[:recordLen]); err != nil {
			return it, false, err
		}
		begin += recordLen
		copy(head, head[recordLen:])
		if err := w.room(recordLen); err != nil {
			return it, false, err
		}
		if _, err := w.src.full(blosc2.PartChunk, head[recordLen:]); err != nil {
			return it, false, err
		}
		if head[0] < 1 || head[0] > chunk.VersionVL || chunkNBytes(head) == 0 {
			return it, false, w.misplaced(minChunk, "no chunk follows the record of a continued chunk")
		}
	}
	if chunkNBytes(head) == 0 {
		return it, false, w.tail(head)
	}
	it, err = w.chunk(buf, begin, again)
	return it, err == nil, err
}

// skip skips unused bytes, which a writer leaves to avoid overwriting the tail of
// its last commit.
func (w *Walker) skip(rec record) error {
	n := int64(rec.value) - minChunk
	if n < 0 || w.mark.order != Sealed {
		return w.misplaced(minChunk, "invalid skip of %d bytes", rec.value)
	}
	if err := w.room(n); err != nil {
		return err
	}
	if w.src.at != nil {
		return w.src.skip(blosc2.PartRecord, n)
	}
	got, err := io.CopyN(io.Discard, w.src.r, n)
	w.src.pos += got
	if err == io.EOF {
		err = blosc2.Errorf(blosc2.PartRecord, io.ErrUnexpectedEOF, "truncated: has %d of %d bytes to skip", got, n)
	}
	return err
}

// misplaced returns the error for the last n bytes that were read, which are not allowed
// here.
func (w *Walker) misplaced(n int, format string, args ...any) error {
	return blosc2.At(blosc2.Errorf(blosc2.PartChunk, blosc2.ErrCorrupt, format, args...), int64(len(w.offsets)), w.src.pos-int64(n))
}

// room returns an error if a read would extend beyond the end of a sealed frame.
func (w *Walker) room(n int64) error {
	if left := w.left(); w.mark.order == Sealed && n > left {
		return w.errorf(blosc2.PartHeader, blosc2.ErrCorrupt, "frame of %d bytes ends within a part, after %d more bytes", w.h.FrameLen, left)
	}
	return nil
}

// left returns the number of bytes to the end of a sealed frame.
func (w *Walker) left() int64 { return w.start + int64(w.h.FrameLen) - w.src.pos }

// continued checks the record before a continued chunk.
func (w *Walker) continued(b []byte) error {
	rec, ok := parseRecord(b)
	if !ok || rec.kind != kindContinue {
		return w.misplaced(minChunk, "a new chunk or the record of a continued chunk must follow")
	}
	if len(w.offsets) == 0 || rec.value != uint64(w.last) {
		return w.misplaced(minChunk, "continues a chunk of %d bytes, but the previous chunk has %d", rec.value, w.last)
	}
	return nil
}

// chunk reads the rest of a chunk whose first 32 bytes are in scratch.
func (w *Walker) chunk(buf []byte, begin int64, again bool) (Item, error) {
	n := int64(len(w.offsets))
	if again {
		n--
	}
	it := Item{Header: w.h, N: n, Offset: begin}
	nbytes, cbytes := chunkNBytes(w.scratch[:]), chunkCBytes(w.scratch[:])
	if err := w.checkSizes(nbytes, cbytes, again); err != nil {
		return it, blosc2.At(err, n, begin)
	}
	tail := int64(0)
	if w.mark.checks {
		tail = recordLen
	}
	total := w.before + w.sum + nbytes
	if again {
		total -= w.last
	}
	if err := w.lim.checkTotal(total); err != nil {
		return it, blosc2.At(err, n, begin)
	}
	if err := w.room(cbytes - minChunk + tail); err != nil {
		return it, blosc2.At(err, n, 0)
	}
	if need := cbytes + tail; w.buffer != nil && need > int64(cap(buf)) && need <= firstStep {
		buf = w.buffer(int(need))[:0]
	}
	buf = append(buf, w.scratch[:]...)
	if w.src.at != nil {
		if err := w.src.skip(blosc2.PartChunk, cbytes-minChunk); err != nil {
			return it, blosc2.At(err, n, 0)
		}
		cbytes = minChunk
	}
	buf, err := w.src.grow(blosc2.PartChunk, buf, cbytes-minChunk+tail)
	if err != nil {
		return it, blosc2.At(err, n, 0)
	}
	it.Chunk = buf[:cbytes]
	it.NBytes = int(nbytes)
	if w.mark.checks {
		rec, ok := parseRecord(buf[cbytes:])
		if !ok || !rec.isOf(chunkCBytes(buf)) {
			return it, blosc2.At(blosc2.Errorf(blosc2.PartChunk, blosc2.ErrChecksum, "its record is missing"), n, begin)
		}
		it.Checked, it.Digest = true, rec.value
	}
	if again {
		it.Skip = int(w.last)
		w.offsets = w.offsets[:n]
		w.sum -= w.last
	}
	w.offsets = append(w.offsets, begin-w.start-int64(len(w.raw)))
	w.sum += nbytes
	w.last = nbytes
	return it, nil
}

// checkSizes checks the sizes of a chunk against the header and the limits.
func (w *Walker) checkSizes(nbytes, cbytes int64, again bool) error {
	size := int64(w.h.ChunkSize)
	fixed := w.mark.order == Sealed && size > 0 // an unsealed header may not state the chunk size yet
	switch {
	case nbytes < 0 || cbytes < minChunk:
		return blosc2.Errorf(blosc2.PartChunk, blosc2.ErrCorrupt, "invalid sizes: nbytes %d, cbytes %d", nbytes, cbytes)
	case again && nbytes <= w.last:
		return blosc2.Errorf(blosc2.PartChunk, blosc2.ErrCorrupt, "continues a chunk of %d bytes, but has only %d", w.last, nbytes)
	case fixed && nbytes > size:
		return blosc2.Errorf(blosc2.PartChunk, blosc2.ErrCorrupt, "has %d bytes; chunks must have at most %d", nbytes, size)
	case fixed && !again && len(w.offsets) > 0 && w.last != size:
		return blosc2.Errorf(blosc2.PartChunk, blosc2.ErrCorrupt, "follows a short chunk of %d bytes, which must be the last", w.last)
	}
	if err := check(blosc2.PartIndex, "index", 8*int64(len(w.offsets)+1), min(w.lim.Index, 8*MaxChunks)); err != nil {
		return err
	}
	if err := check(blosc2.PartChunk, "chunk", nbytes, w.lim.Chunk); err != nil {
		return err
	}
	return check(blosc2.PartChunk, "stored chunk", cbytes, w.lim.Chunk+chunk.Overhead)
}

// tail reads from the end of an end mark to the end of the trailer.
func (w *Walker) tail(mark []byte) error {
	if !bytes.Equal(mark, appendEndMark(make([]byte, 0, endMarkLen), int(w.h.TypeSize))) {
		return w.misplaced(minChunk, "an empty chunk must be an end mark")
	}
	digest := newDigest(mark)
	w.indexAt, w.indexOK = w.src.pos, true
	if len(w.offsets) > 0 {
		if err := w.index(digest); err != nil {
			return err
		}
	}
	rec, err := w.record(blosc2.PartTrailer, kindTail)
	if err != nil {
		return err
	}
	if err := w.trailer(digest); err != nil {
		return err
	}
	if rec.value != digest.Sum64() {
		return w.errorf(blosc2.PartTrailer, blosc2.ErrChecksum, "the digest in the record between index and trailer does not match")
	}
	return w.endOfSegment()
}

// index compares an index, which is stored uncompressed, with the chunks so far. It does
// not hold the index in memory.
func (w *Walker) index(digest *hasher) error {
	b := w.part[:]
	head := b[:chunk.Overhead]
	if err := w.room(int64(len(head))); err != nil {
		return err
	}
	if _, err := w.src.full(blosc2.PartIndex, head); err != nil {
		return err
	}
	digest.Write(head)
	h, err := chunk.ParseHeader(head)
	if err != nil || !h.Extended() || !h.Memcpyed() || h.NBytes == 0 || h.NBytes%8 != 0 || h.CBytes != h.NBytes+chunk.Overhead {
		return w.errorf(blosc2.PartIndex, blosc2.ErrCorrupt, "not an uncompressed index of %d chunks", len(w.offsets))
	}
	if err := w.room(int64(h.NBytes)); err != nil {
		return err
	}
	if h.NBytes > len(b) {
		b = make([]byte, min(h.NBytes, 32<<10))
	}
	n := h.NBytes / 8
	w.indexOK = n == len(w.offsets)
	for i := 0; i < n; {
		k := min(n-i, len(b)/8)
		if _, err := w.src.full(blosc2.PartIndex, b[:8*k]); err != nil {
			return err
		}
		digest.Write(b[:8*k])
		for j := 0; j < k && w.indexOK; j++ {
			w.indexOK = int64(binary.LittleEndian.Uint64(b[8*j:])) == w.offsets[i+j]
		}
		i += k
	}
	return nil
}

// trailer reads a trailer, whose fields state its length.
func (w *Walker) trailer(digest *hasher) error {
	b, err := growTrailer(w.h, w.lim, w.end[:0], func(b []byte, n int64) ([]byte, error) {
		if err := w.room(n); err != nil {
			return nil, err
		}
		return w.src.grow(blosc2.PartTrailer, b, n)
	})
	if err != nil {
		return err
	}
	w.end = b
	if w.vlmeta, err = parseTrailer(w.h, b); err == nil && digest != nil {
		digest.Write(b)
	}
	return err
}

// emptyTrailer is the trailer of a frame without vlmetalayers.
var emptyTrailer, _ = (&header.Trailer{}).Append(nil)

// parseTrailer returns the vlmetalayers of a trailer, compressed.
func parseTrailer(h *header.Header, b []byte) ([]meta.Layer, error) {
	if bytes.Equal(b, emptyTrailer) && h.Generation == header.Current {
		return nil, nil
	}
	t, err := h.ParseTrailer(b)
	if err != nil {
		return nil, err
	}
	return t.Layers, nil
}

// growTrailer reads a trailer from its beginning. more appends n bytes to b,
// which is empty at first.
func growTrailer(h *header.Header, lim Limits, b []byte, more func(b []byte, n int64) ([]byte, error)) ([]byte, error) {
	for {
		n, whole, err := h.TrailerExtent(b)
		if err == nil {
			err = check(blosc2.PartTrailer, "trailer", int64(n), lim.Trailer)
		}
		if whole || err != nil {
			return b, err
		}
		if b, err = more(b, int64(n-len(b))); err != nil {
			return b, err
		}
	}
}

// endOfSegment determines what follows the trailer.
func (w *Walker) endOfSegment() error {
	if w.mark.order == Sealed && w.left() > 0 && w.h.NBytes > 0 {
		w.place = atChunk
		return nil
	}
	w.place = atEnd
	cbytes := w.indexAt - w.start - int64(len(w.raw))
	switch {
	case w.mark.order == Sealed && w.left() != 0:
		return w.errorf(blosc2.PartTrailer, blosc2.ErrCorrupt, "ends %d bytes before the end of the frame", w.left())
	case w.mark.order == Sealed && (w.sum != w.h.NBytes || cbytes != w.h.CBytes):
		return w.errorf(blosc2.PartHeader, blosc2.ErrCorrupt, "records %d bytes stored in %d, but the chunks have %d in %d", w.h.NBytes, w.h.CBytes, w.sum, cbytes)
	case !w.indexOK:
		return w.errorf(blosc2.PartIndex, blosc2.ErrCorrupt, "does not match the %d chunks", len(w.offsets))
	}
	return nil
}
