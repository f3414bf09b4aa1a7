package reliabilitytest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/meta"
)

// A patch writes a little-endian or, in frames, big-endian number at an offset.
type patch struct {
	at    int // offset; from the end if negative
	bytes []byte
}

func le(at int, v uint32) patch { return patch{at, binary.LittleEndian.AppendUint32(nil, v)} }
func be(at int, v uint32) patch { return patch{at, binary.BigEndian.AppendUint32(nil, v)} }
func be64(at int, v uint64) patch {
	return patch{at, binary.BigEndian.AppendUint64(nil, v)}
}
func raw(at int, b ...byte) patch { return patch{at, b} }

// patched applies patches to a copy.
func patched(b []byte, ps ...patch) []byte {
	b = bytes.Clone(b)
	for _, p := range ps {
		at := p.at
		if at < 0 {
			at += len(b)
		}
		copy(b[at:], p.bytes)
	}
	return b
}

// coded makes a chunk of 4,000 bytes in blocks of 1,000.
func coded(t *testing.T, codec blosc2.CodecID, change func(p *chunk.Params)) []byte {
	t.Helper()
	p := chunk.Default()
	p.Codec, p.TypeSize, p.BlockSize, p.Split = codec, 4, 1000, blosc2.SplitNever
	if change != nil {
		change(&p)
	}
	e, err := chunk.NewEncoder(p)
	must(t, err)
	c, err := e.Encode(nil, pattern(0, 4000))
	must(t, err)
	return c
}

// plainFrame makes a frame without marks and records, as C-Blosc2's are, with
// one metalayer m and one vlmetalayer v.
func plainFrame(t *testing.T, layers ...meta.Layer) []byte {
	t.Helper()
	h := &header.Header{TypeSize: 4, ChunkSize: 4000, BlockSize: 1000, Codec: blosc2.CodecLZ4, Level: 5, Layers: layers}
	b, err := frame.NewBuilder(h, frame.NoMark())
	must(t, err)
	w, err := b.AppendHeader(nil)
	must(t, err)
	c := coded(t, blosc2.CodecLZ4, nil)
	for range 3 {
		must(t, b.AddChunk(4000, len(c)))
		w = append(w, c...)
	}
	must(t, b.SetVLMeta("v", []byte("value")))
	w, err = b.AppendTail(w)
	must(t, err)
	head, err := b.AppendSealed(nil)
	must(t, err)
	return patched(w, patch{0, head})
}

// descriptor makes the metalayer of an array without any checks.
func descriptor(dims int, shape uint64, chunkshape, blockshape uint32) []byte {
	b := []byte{0x97, 0, byte(dims), 0x90 + byte(dims)}
	for range dims {
		b = binary.BigEndian.AppendUint64(append(b, 0xd3), shape)
	}
	for _, v := range []uint32{chunkshape, blockshape} {
		b = append(b, 0x90+byte(dims))
		for range dims {
			b = binary.BigEndian.AppendUint32(append(b, 0xd2), v)
		}
	}
	return append(b, 0, 0xdb, 0, 0, 0, 3, '<', 'i', '4')
}

// The published faults of C-Blosc2, each reproduced by an input made by hand, are
// rejected at once with an error of this library.
func TestPublishedFaults(t *testing.T) {
	lz4, lzFast := coded(t, blosc2.CodecLZ4, nil), coded(t, blosc2.CodecBloscLZ, nil)
	// The streams of the blocks begin after header and block starts.
	const first = 32 + 4*4
	run := bytes.Repeat([]byte{0xff}, 300) // the length of a match that never ends
	zeros, err := chunk.AppendZeros(nil, 4000, 4)
	must(t, err)
	repeat, err := chunk.AppendRepeat(nil, 4000, []byte{1, 2, 3, 4})
	must(t, err)

	t.Run("chunks", func(t *testing.T) {
		for _, b := range [][]byte{lz4, lzFast, zeros, repeat} {
			must(t, rangesOf(b))
		}
		for name, b := range map[string][]byte{
			"flags of an extended header read past 16 bytes":    patched(lz4[:16:16], le(12, 16)),
			"extended header cut within its filters":            patched(lz4[:24:24], le(12, 24)),
			"nbytes beyond 31 bits":                             patched(lz4, le(4, 0x80000fa0)),
			"nbytes at the limit of the format and above it":    patched(lz4, le(4, math.MaxInt32)),
			"nbytes beyond the limit of the reader":             patched(zeros, le(4, 1<<30)),
			"a run of one value beyond the limit of the reader": patched(repeat, le(4, 1<<30)),
			"cbytes beyond 31 bits":                             patched(lz4, le(12, 0xffffffff)),
			"cbytes below a header":                             patched(lz4, le(12, 8)),
			"cbytes beyond the input":                           patched(lz4, le(12, uint32(len(lz4)+1))),
			"block size zero":                                   patched(lz4, le(8, 0)),
			"block size beyond 31 bits":                         patched(lz4, le(8, 0xfffffff0)),
			"block size one, so that block starts fill memory":  patched(lz4, le(8, 1)),
			"item size zero":                                    patched(lz4, raw(3, 0)),
			"block start within the header":                     patched(lz4, le(32, 4)),
			"block start negative":                              patched(lz4, le(36, 0x80000000)),
			"block start at the end":                            patched(lz4, le(36, uint32(len(lz4)-2))),
			"stream longer than the chunk":                      patched(lz4, le(first, 0x7fffffff)),
			"stream length at the most negative number":         patched(lz4, le(first, 0x80000000)),
			"blosclz: length of a match overflows":              patched(lzFast, patch{first + 5, run[:min(len(run), len(lzFast)-first-5)]}),
			"blosclz: match before the start":                   patched(lzFast, raw(first+4, 0xe0, 0xff, 0xff, 0xff, 0xff)),
			"codec that is not registered":                      patched(lz4, raw(2, lz4[2]|0xe0), raw(22, 200)),
			"filter that is not registered":                     patched(lz4, raw(16, 250)),
			"a lazy chunk, which exists in memory only":         patched(lz4, raw(31, lz4[31]|0x08)),
			"one value, which is missing":                       patched(repeat[:32:32], le(12, 32)),
			"special kind that does not exist":                  patched(zeros, raw(31, 0x70)),
			"VL-blocks without number":                          patched(lz4, raw(0, 6), raw(31, 0x01), le(8, 0x7fffffff)),
			"empty input":                                       nil,
		} {
			var d chunk.Decoder
			d.MaxBytes = 16 << 20
			refused(t, name, b, func() error { _, err := d.Decode(nil, b); return err })
			refused(t, name+" (range)", b, func() error { return rangesOf(b) })
			for _, way := range chunkWays {
				refused(t, name, b, func() error { way(b); return blosc2.ErrCorrupt })
			}
		}
	})

	t.Run("geometry of ndcell and ndmean", func(t *testing.T) {
		for _, id := range []blosc2.FilterID{blosc2.FilterNDCell, blosc2.FilterNDMean} {
			var p filters.Pipeline
			p.IDs[5] = id
			for _, shape := range [][]int32{nil, {}, {0}, {0, 0}, {math.MaxInt32, math.MaxInt32}, {1 << 16, 1 << 16, 1 << 16}, {-1, 250}, {3, 7}} {
				for _, m := range []uint8{0, 1, 4, 255} {
					p.Metas[5] = m
					src, dst := pattern(0, 1000), make([]byte, 1000)
					prm := filters.Params{TypeSize: 4, BlockShape: shape}
					refused(t, "", nil, func() error {
						p.Backward(dst, make([]byte, 1000), src, prm)
						return blosc2.ErrCorrupt
					})
				}
			}
		}
	})

	good := plainFrame(t, meta.Layer{Name: "m", Value: []byte("metalayer")})
	f, err := frame.Open(bytes.NewReader(good), int64(len(good)))
	must(t, err)
	_, err = f.ReadAt(make([]byte, f.Size()), 0)
	must(t, err)
	head := len(f.RawHeader())
	index := head + int(f.Header().CBytes)
	// These are the offsets of the first metalayer's entry in the index and of its
	// value.
	entry, value := 94, head-len("metalayer")-5
	offset := index + 32 // position of the offset of chunk 0 in the index, which is stored without compression
	bigIndex := binary.LittleEndian.AppendUint64(nil, 1<<62)
	t.Run("frames", func(t *testing.T) {
		for name, b := range map[string][]byte{
			"header length at 31 bits":                     patched(good, be(11, math.MaxInt32)),
			"header length negative":                       patched(good, be(11, 0x80000000)),
			"header length below its fields":               patched(good, be(11, 40)),
			"frame length of 64 bits":                      patched(good, be64(16, math.MaxUint64)),
			"frame length beyond the file":                 patched(good, be64(16, uint64(len(good)+1))),
			"data beyond 63 bits":                          patched(good, be64(30, math.MaxUint64)),
			"more data than chunks":                        patched(good, be64(30, math.MaxInt64)),
			"compressed data beyond the frame":             patched(good, be64(39, math.MaxInt64)),
			"compressed data negative":                     patched(good, be64(39, math.MaxUint64)),
			"item size zero":                               patched(good, be(48, 0)),
			"chunk size of one byte":                       patched(good, be(58, 1)),
			"chunk size negative":                          patched(good, be(58, 0x80000000)),
			"map of metalayers larger than the header":     patched(good, raw(92, 0xff, 0xff)),
			"map of metalayers with too few entries":       patched(good, raw(92, 0, 0)),
			"offset of a metalayer beyond the header":      patched(good, be(entry+3, uint32(head+100))),
			"offset of a metalayer negative":               patched(good, be(entry+3, 0xfffffff0)),
			"offset of a metalayer within the map":         patched(good, be(entry+3, uint32(entry))),
			"metalayer of 4 GiB":                           patched(good, be(value+1, math.MaxUint32)),
			"metalayer longer than the header":             patched(good, be(value+1, 10)),
			"name of a metalayer longer than the header":   patched(good, raw(entry, 0xbf)),
			"offset of a chunk of 62 bits":                 patched(good, patch{offset, bigIndex}),
			"offset of a chunk in the index":               patched(good, patch{offset, binary.LittleEndian.AppendUint64(nil, uint64(index-head))}),
			"offset of a chunk within another":             patched(good, patch{offset, binary.LittleEndian.AppendUint64(nil, 8)}),
			"special chunk that does not exist":            patched(good, patch{offset, binary.LittleEndian.AppendUint64(nil, 1<<63)}),
			"index of another length":                      patched(good, le(index+4, 16)),
			"index of 2 GiB":                               patched(good, le(index+4, 0x7fffffdf)),
			"trailer of no bytes":                          patched(good, be(-22, 0)),
			"trailer of 4 GiB":                             patched(good, be(-22, math.MaxUint32)),
			"trailer longer than what is after the chunks": patched(good, be(-22, uint32(len(good)-head))),
		} {
			refused(t, name, b, func() error {
				f, err := frame.Open(bytes.NewReader(b), int64(len(b)), frame.WithLimits(tight))
				if err != nil {
					return err
				}
				for n := range f.NumChunks() {
					if _, err := f.Chunk(nil, n); err != nil {
						return err
					}
				}
				_, err = f.VLMetalayers()
				return err
			})
			for _, way := range frameWays {
				refused(t, name, b, func() error { way(b); return blosc2.ErrCorrupt })
			}
		}
		// Two entries with one offset do not corrupt memory, and reading ends.
		again := patched(good, patch{offset + 8, good[offset : offset+8]})
		for _, way := range frameWays {
			refused(t, "entries with one offset", again, func() error { way(again); return blosc2.ErrCorrupt })
		}
	})

	t.Run("shapes of arrays", func(t *testing.T) {
		sound := plainFrame(t, meta.Layer{Name: "b2nd", Value: descriptor(1, 3000, 1000, 250)})
		a, err := b2nd.Open(bytes.NewReader(sound), int64(len(sound)))
		must(t, err)
		_, err = a.ReadAll()
		must(t, err)
		for name, d := range map[string][]byte{
			"a product of shapes beyond 64 bits":  descriptor(2, 1<<62, 1000, 1000),
			"16 dimensions of 2^31":               descriptor(16, 1<<31, 1<<30, 1<<30),
			"a chunk beyond 31 bits":              descriptor(2, 70000, 70000, 70000),
			"a product of chunkshapes wraps to 0": descriptor(4, 1<<16, 1<<16, 1<<16),
			"blockshape zero":                     descriptor(1, 3000, 1000, 0),
			"chunkshape zero":                     descriptor(1, 3000, 0, 0),
			"shape negative":                      descriptor(1, 1<<63, 1000, 250),
			"chunkshape negative":                 descriptor(1, 3000, 0xffffffff, 250),
			"more chunks than there are":          descriptor(1, 1<<40, 1000, 250),
			"more dimensions than there can be":   patched(descriptor(2, 10, 10, 10), raw(2, 17)),
			"dimensions negative":                 patched(descriptor(2, 10, 10, 10), raw(2, 0xff)),
			"descriptor cut within its shape":     descriptor(2, 10, 10, 10)[:9],
			"dtype of 4 GiB":                      patched(descriptor(1, 3000, 1000, 250), be(-7, math.MaxUint32)),
		} {
			b := plainFrame(t, meta.Layer{Name: "b2nd", Value: d})
			refused(t, name, b, func() error {
				a, err := b2nd.Open(bytes.NewReader(b), int64(len(b)), b2nd.MaxAlloc(16<<20), b2nd.FrameOptions(frame.WithLimits(tight)))
				if err == nil {
					_, err = a.ReadAll()
				}
				return err
			})
			for _, way := range frameWays {
				refused(t, name, b, func() error { way(b); return blosc2.ErrCorrupt })
			}
		}
	})
}

// rangesOf reads the ranges of a chunk, first and last byte.
func rangesOf(b []byte) error {
	var d chunk.Decoder
	d.MaxBytes = 16 << 20
	h, err := chunk.ParseHeader(b)
	if err != nil {
		return err
	}
	p := make([]byte, min(h.NBytes, 4000))
	return d.DecodeRange(p, b, 0)
}

// refused checks that f fails for b with the expected error, and cheaply.
func refused(t *testing.T, name string, b []byte, f func() error) {
	t.Helper()
	m := meter{t: t}
	var err error
	m.one(func() string { return name }, func() { err = f() })
	for _, known := range []error{blosc2.ErrCorrupt, blosc2.ErrTooLarge, blosc2.ErrUnsupported, io.ErrUnexpectedEOF} {
		if errors.Is(err, known) {
			return
		}
	}
	t.Errorf("%s: %d bytes: %v", name, len(b), err)
}
