package frame

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/meta"
)

// rebuildHeader makes a header from the first chunk with a record, the sizes of all
// chunks, and the metalayers that can be read. It returns false if there is no such
// chunk.
func (r *repairer) rebuildHeader() bool {
	was := *r
	window := make([]byte, min(r.size, max(firstRead, maxCorrected)))
	k, _ := r.src.ReadAt(window, 0)
	window = window[:k]
	first, n, ok := r.firstChecked(window)
	if !ok {
		*r = was
		return false
	}
	c, err := chunk.ParseHeader(first)
	if err != nil {
		*r = was
		return false
	}
	h := &header.Header{Generation: header.Current, TypeSize: int32(c.TypeSize), Codec: c.Codec, CodecMeta: c.CodecMeta, Level: 5,
		Filters: c.Filters, Dict: c.HasDict(), ChunkSize: int32(c.NBytes)}
	if !c.VLBlocks() {
		h.BlockSize = int32(c.BlockSize)
	}
	if n > len(window) {
		window = make([]byte, n)
		if k, _ := r.src.ReadAt(window, 0); k < n {
			*r = was
			return false
		}
	}
	r.raw = window[:n:n]
	layers, whole := salvage(r.raw)
	i := slices.IndexFunc(layers, func(l meta.Layer) bool { return l.Name == meta.StreamName })
	if i >= 0 {
		if s, err := meta.ParseStream(layers[i].Value); err == nil {
			r.order = s.Ordered
			h.NBytes = max(s.NBytes, 0)
		}
		layers = slices.Delete(layers, i, i+1) // the new frame has its own mark
	}
	h.Layers = layers
	if t := int32(binary.BigEndian.Uint32(r.raw[offTypeSize:])); c.TypeSize == 1 && r.raw[offTypeSize-1] == 0xd2 && t > 255 && c.NBytes%int(t) == 0 {
		h.TypeSize = t
	}
	r.h, r.checks, r.rebuilt = h, true, true
	r.rep.Rebuilt = true
	r.rep.Layers = r.rep.Layers || !whole
	return true
}

// These are the offsets of the length and the typesize in a header, each after its
// lead byte.
const (
	offHeaderLen = 11
	offTypeSize  = 48
)

// firstChecked finds the first chunk after a header, and the length of the header. It
// uses the header's record, its stated length, or the position of that chunk.
func (r *repairer) firstChecked(window []byte) (head []byte, n int, ok bool) {
	r.checks, r.h = true, &header.Header{Generation: header.Current, TypeSize: 1}
	var lengths []int
	if n, _, ok := headerRecord(window); ok {
		lengths = append(lengths, n)
	}
	if len(window) >= header.MinPrefix && window[offHeaderLen-1] == 0xd2 {
		lengths = append(lengths, int(int32(binary.BigEndian.Uint32(window[offHeaderLen:]))))
	}
	for _, n := range lengths {
		if n < header.MinLen || n+recordLen > len(window) {
			continue
		}
		r.raw = window[:n]
		if head := r.anyChecked(int64(n) + recordLen); head != nil {
			return head, n, true
		}
	}
	r.raw = nil
	at := int64(-1)
	for n := header.MinLen + recordLen; at < 0 && n+minChunk <= len(window); n++ {
		if !r.plausible(window[n:]) {
			continue
		}
		if c, next := r.chunkAt(int64(n), window[n:n+minChunk]); next > 0 {
			if _, err := r.take(nil, 0, c); err == nil {
				at = int64(n)
			}
		}
	}
	if at < 0 {
		if at = r.nextProven(header.MinLen); at <= 0 {
			return nil, 0, false
		}
	}
	head = make([]byte, minChunk)
	if k, _ := r.src.ReadAt(head, at); k < len(head) {
		return nil, 0, false
	}
	if c, err := chunk.ParseHeader(head); err == nil {
		r.h.TypeSize = int32(c.TypeSize)
	}
	return head, int(r.headerEnd(at)), true
}

// anyChecked returns the header of the first chunk with a valid digest at or after
// offset at.
func (r *repairer) anyChecked(at int64) []byte {
	for {
		head := make([]byte, minChunk)
		if k, _ := r.src.ReadAt(head, at); k < len(head) {
			return nil
		}
		if rec, ok := parseRecord(head); ok && rec.kind == kindContinue {
			at += recordLen
			continue
		}
		c, next := r.chunkAt(at, head)
		if next > 0 {
			if _, err := r.take(nil, 0, c); err == nil {
				return head
			}
		} else if next = r.resync(at); next == 0 {
			if next = r.nextProven(at); next == 0 {
				return nil
			}
		}
		at = next
	}
}

// salvage reads the metalayers of a damaged header. whole reports whether their section
// could be read. Otherwise salvage searches only for the mark and the array's shape.
func salvage(raw []byte) (layers []meta.Layer, whole bool) {
	h := header.Header{TypeSize: 1, Layers: []meta.Layer{{Name: "x"}}}
	b, err := h.Append(nil)
	if err != nil {
		return nil, false
	}
	// Parse the fixed fields of a valid header that states the length of this one.
	b = append(b[:min(sectionAt, len(raw))], raw[min(sectionAt, len(raw)):]...)
	binary.BigEndian.PutUint32(b[11:], uint32(len(raw)))
	if h, err := header.Parse(b); err == nil && meta.Check(h.Layers) == nil {
		return h.Layers, true
	}
	for at := range raw {
		value, ok := binAt(raw[at:])
		if !ok {
			continue
		}
		if _, err := meta.ParseStream(value); err == nil {
			layers = append(layers, meta.Layer{Name: meta.StreamName, Value: value})
		} else if a, err := meta.ParseB2ND(value); err == nil && len(a.Shape) > 0 && bytes.Contains(raw, []byte("b2nd")) {
			layers = append(layers, meta.Layer{Name: meta.B2NDName, Value: value})
		}
	}
	if meta.Check(layers) != nil {
		return nil, false
	}
	return layers, false
}

// sectionAt returns the offset of the section of metalayers in a header.
const sectionAt = 87

// binAt reads the byte string at the beginning of b, encoded as in a metalayer.
func binAt(b []byte) ([]byte, bool) {
	if len(b) < 5 || b[0] != 0xc6 {
		return nil, false
	}
	n := int64(binary.BigEndian.Uint32(b[1:]))
	if n > int64(len(b)-5) {
		return nil, false
	}
	return b[5 : 5+n], true
}

// setChunkSize sets the chunk size in a rebuilt header to that of the chunks.
func (r *repairer) setChunkSize() {
	size, variable := int64(0), false
	for i := range r.found {
		c := &r.found[i]
		if c.nbytes == 0 && c.at >= 0 && c.err == nil {
			var head [minChunk]byte
			if k, _ := r.src.ReadAt(head[:], c.at); k == len(head) && r.plausible(head[:]) {
				c.nbytes = chunkNBytes(head[:])
			}
		}
		last := i == len(r.found)-1
		switch {
		case c.nbytes == 0 || c.err != nil:
		case size == 0:
			size = c.nbytes
		case c.nbytes != size && !last || c.nbytes > size:
			variable = true
		}
	}
	if variable {
		r.h.VariableChunks, r.h.ChunkSize, size = true, 0, 0
	}
	if size > 0 {
		r.h.ChunkSize = int32(size)
	}
	if n := int64(len(r.found)); size > 0 && (r.h.NBytes <= (n-1)*size || r.h.NBytes > n*size) {
		r.h.NBytes = 0 // the sizes in the mark are out of date
	}
	r.dropForeignShape()
}

// dropForeignShape drops a metalayer that describes an array, if it does not match the
// chunks.
func (r *repairer) dropForeignShape() {
	i := slices.IndexFunc(r.h.Layers, func(l meta.Layer) bool { return l.Name == meta.B2NDName })
	if i < 0 {
		return
	}
	a, err := meta.ParseB2ND(r.h.Layers[i].Value)
	if err == nil && a.Validate(int(r.h.TypeSize)) == nil && int64(a.ChunkBytes(int(r.h.TypeSize))) == int64(r.h.ChunkSize) {
		return
	}
	r.h.Layers = slices.Delete(r.h.Layers, i, i+1)
	r.rep.Layers = true
}
