package frame

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/meta"
)

// fill writes a chunk that replaces a lost one.
func (r *repairer) fill(w *rewriter, size int) error {
	if r.o.holes {
		return w.write(undecodable(size, int(r.h.TypeSize)), size)
	}
	if err := check(blosc2.PartChunk, "lost chunk", int64(size), r.o.limits.Chunk); err != nil {
		return err
	}
	if r.filledSize != size {
		c, err := filler(w, size, notANumber(&w.b.h))
		if err != nil {
			return err
		}
		r.filled, r.filledSize = c, size
	}
	return w.write(r.filled, size)
}

// complete writes chunk n, which is incomplete: data remains of it, and the rest is
// filled. The chunk was to replace a shorter one.
func (r *repairer) complete(w *rewriter, n int64, data []byte, size int64) error {
	if err := check(blosc2.PartChunk, "lost chunk", size, r.o.limits.Chunk); err != nil {
		return err
	}
	start := w.b.Size()
	r.lost = append(r.lost, Lost{Frame: r.rep.Frames, N: n, Start: start + int64(len(data)), End: start + size, Err: errMissing})
	whole := append(make([]byte, 0, size), data...)
	value := notANumber(&w.b.h)
	for i := int64(len(data)); i < size; i++ {
		whole = append(whole, value[i%int64(len(value))])
	}
	c, err := w.enc.Encode(nil, whole)
	if err != nil {
		return err
	}
	return w.write(c, int(size))
}

// filler returns a chunk of the repeated value, aligned to the frame's items. With a
// fixed chunk size it has the frame's blocks, which arrays need. Otherwise every lost
// chunk may have a different size, up to the limit, which costs the author of the input
// almost nothing. So it must be cheap to make.
func filler(w *rewriter, size int, value []byte) ([]byte, error) {
	if w.b.h.VariableChunks && size <= chunk.MaxBlockSize {
		if size%len(value) != 0 {
			value = []byte{0}
		}
		return chunk.AppendConstant(nil, size, value)
	}
	data := make([]byte, size)
	if len(value) > 1 && size%len(value) == 0 {
		data = bytes.Repeat(value, size/len(value))
	}
	return w.enc.Encode(nil, data)
}

// notANumber returns an item that is NaN if the items of the frame are known to be
// floating-point numbers. Otherwise it returns a byte of zero.
func notANumber(h *header.Header) []byte {
	var d meta.DType
	if value, ok := meta.Find(h.Layers, meta.B2NDName); ok {
		if a, err := meta.ParseB2ND(value); err == nil {
			d = a.ItemType(int(h.TypeSize))
		}
	} else if value, ok := meta.Find(h.Layers, meta.DTypeName); ok {
		if v, err := meta.Decode(value); err == nil {
			text, _ := v.(string)
			d, _ = meta.ParseDType(text)
		}
	}
	size := d.Size
	if d.Kind == meta.Complex {
		size /= 2
	} else if d.Kind != meta.Float {
		return []byte{0}
	}
	var b []byte
	switch size {
	case 2:
		b = binary.BigEndian.AppendUint16(nil, 0x7e00)
	case 4:
		b = binary.BigEndian.AppendUint32(nil, 0x7fc00000)
	case 8:
		b = binary.BigEndian.AppendUint64(nil, 0x7ff8000000000000)
	default:
		return []byte{0}
	}
	if d.Order != '>' {
		slices.Reverse(b)
	}
	return b
}

// undecodable returns a chunk of size bytes that every decoder rejects, because its only
// block begins outside it.
func undecodable(size, typesize int) []byte {
	if typesize > 255 {
		typesize = 1
	}
	c := make([]byte, chunk.HeaderLen+4)
	c[0], c[1], c[2], c[3] = chunk.Version, 1, 0x15, byte(typesize)
	binary.LittleEndian.PutUint32(c[4:], uint32(size))
	binary.LittleEndian.PutUint32(c[8:], uint32(min(size, chunk.MaxBlockSize)))
	binary.LittleEndian.PutUint32(c[12:], uint32(len(c)))
	binary.LittleEndian.PutUint32(c[chunk.HeaderLen:], math.MaxUint32)
	return c
}

// noteLost lists the lost chunks in the vlmetalayer LostName. It does nothing if
// there are already sixteen others.
func (r *repairer) noteLost() error {
	r.vlmeta = slices.DeleteFunc(slices.Clone(r.vlmeta), func(l meta.Layer) bool { return l.Name == LostName && len(r.lost) > 0 })
	if len(r.lost) == 0 || len(r.vlmeta) >= meta.MaxLayers {
		return nil
	}
	var runs [][4]int64
	for _, l := range r.lost {
		if k := len(runs) - 1; k >= 0 && runs[k][0]+runs[k][1] == l.N && runs[k][3] == l.Start {
			runs[k][1]++
			runs[k][3] = l.End
		} else {
			runs = append(runs, [4]int64{l.N, 1, l.Start, l.End})
		}
	}
	b, err := meta.Encode(nil, meta.Map{{Key: "version", Value: 1}, {Key: "lost", Value: runs}})
	if err != nil {
		return err
	}
	packed, err := packVLMeta(b)
	if err != nil {
		return err
	}
	r.vlmeta = append(r.vlmeta, meta.Layer{Name: LostName, Value: packed})
	return nil
}
