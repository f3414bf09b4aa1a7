package frame_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/meta"
)

// A hundred is a checked frame of a hundred chunks, with the positions of each chunk and
// of its records: the one after the chunk, and one that leads to it.
type hundred struct {
	wire, data []byte
	sizes      []int // decoded bytes of each chunk
	from, to   []int // start and end of each chunk in wire
	fill       []byte
}

// hundreds returns frames of each kind that Repair supports.
func hundreds(t *testing.T) map[string]*hundred {
	t.Helper()
	noise := rand.New(rand.NewPCG(1, 2))
	floats := make([]byte, 0, 1600)
	for range 400 {
		floats = binary.LittleEndian.AppendUint32(floats, math.Float32bits(noise.Float32()))
	}
	nan := []byte{0, 0, 0xc0, 0x7f}
	array, err := (&meta.B2ND{Version: 0, Parts: 7, Shape: []int64{400}, ChunkShape: []int32{4}, BlockShape: []int32{4}, DType: "<f4"}).Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*hundred{}
	for name, layers := range map[string][]meta.Layer{
		"sealed": nil, "unsealed": nil, "variable": nil, "by index": nil,
		"array":                {{Name: meta.B2NDName, Value: array}},
		"unsealed with a type": {{Name: "dtype", Value: []byte("\xa3<f4")}, {Name: "mine", Value: []byte("metalayer")}},
	} {
		p := chunk.Params{Codec: blosc2.CodecLZ4, Level: 5, TypeSize: 4, Filters: filters.Default(), PlainZeros: true, BlockSize: 16}
		m := newMakerOf(t, p, 16, building{Checks: true, Unordered: name == "by index"}, layers...)
		m.b.SetVLMeta("note", []byte("hello"))
		h := &hundred{data: floats, fill: []byte{0, 0, 0, 0}}
		if layers != nil {
			h.fill = nan
		}
		rest := floats
		for i := range 100 {
			n := 16
			switch {
			case name == "variable":
				n = 4 + 4*(i*i%7)
			case i == 99 && name != "array":
				n = 8
			}
			h.from = append(h.from, len(m.wire))
			m.chunk(rest[:n])
			h.to, h.sizes, rest = append(h.to, len(m.wire)), append(h.sizes, n), rest[n:]
		}
		h.data = floats[:len(floats)-len(rest)]
		m.tail()
		if h.wire = m.sealed(); name == "unsealed" || name == "unsealed with a type" {
			h.wire = m.unsealed()
		}
		all[name] = h
	}
	return all
}

// In a checked frame of a hundred chunks, damage of one byte and of 64 bytes at every
// offset loses at most the chunks that it is in. Lost chunks are filled and listed.
// Frames of other kinds are damaged at every eleventh offset, or at every offset with
// BLOSC2_FULL.
func TestRepairDamage(t *testing.T) {
	long := os.Getenv("BLOSC2_FULL") != ""
	for name, h := range hundreds(t) {
		t.Run(name, func(t *testing.T) {
			kinds, step := []damage{{1, 0xff}, {64, -1}}, 1
			switch {
			case long:
				kinds = append(kinds, damage{1, 1}, damage{1, 0x80}, damage{4, -1}, damage{64, 0}, damage{64, 0xff})
			case testing.Short():
				step = 29
			case name != "sealed":
				step = 11
			}
			for _, k := range kinds {
				h.damaged(t, k, step)
			}
		})
	}
}

// A damage changes n bytes. If with is positive, they are combined with it by exclusive
// or. If with is 0 they are set to 0, and if it is -1 to noise.
type damage struct{ n, with int }

func (d damage) do(b []byte, at int) {
	noise := rand.New(rand.NewPCG(uint64(at), uint64(d.n)))
	for i := at; i < min(at+d.n, len(b)); i++ {
		switch {
		case d.with == 0:
			b[i] = 0
		case d.with < 0:
			b[i] = byte(noise.Uint32())
		default:
			b[i] ^= byte(d.with)
		}
	}
}

// damaged repairs the frame once for each offset with damage there.
func (h *hundred) damaged(t *testing.T, d damage, step int) {
	var places, saved, rebuilt, chunks, noLayers, noVLMeta atomic.Int64
	var group sync.WaitGroup
	next := new(atomic.Int64)
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for {
				at := int(next.Add(int64(step))) - step
				if at >= len(h.wire) {
					return
				}
				b := bytes.Clone(h.wire)
				d.do(b, at)
				disk := new(memoryFile)
				rep, err := frame.Repair(disk, bytes.NewReader(b), int64(len(b)))
				if err != nil {
					t.Errorf("%d bytes at %d: %v", d.n, at, err)
					continue
				}
				places.Add(1)
				if rep.Complete() {
					saved.Add(1)
				}
				if rep.Rebuilt {
					rebuilt.Add(1)
				}
				if rep.Layers {
					noLayers.Add(1)
				}
				if rep.VLMeta {
					noVLMeta.Add(1)
				}
				chunks.Add(int64(len(rep.Lost)))
				h.check(t, disk.b, rep, at, at+d.n)
			}
		})
	}
	group.Wait()
	t.Logf("%d bytes changed (%d) in each of %d places of %d bytes: all saved in %d, %d chunks lost in all, header rebuilt in %d, metalayers lost in %d, vlmetalayers in %d",
		d.n, d.with, places.Load(), len(h.wire), saved.Load(), chunks.Load(), rebuilt.Load(), noLayers.Load(), noVLMeta.Load())
}

// check compares a repaired frame with the original. The bytes of the original from start
// to end were damaged.
func (h *hundred) check(t *testing.T, out []byte, rep *frame.Repaired, start, end int) {
	f, err := frame.Open(bytes.NewReader(out), int64(len(out)))
	if err != nil {
		t.Errorf("damage at %d: %v", start, err)
		return
	}
	if v, err := f.Verify(); err != nil || len(v.Faults) > 0 {
		t.Errorf("damage at %d: not sound: %v, %v", start, v.Faults, err)
	}
	lost := map[int64]bool{}
	for _, l := range rep.Lost {
		lost[l.N] = true
		if n := int(l.N); n >= 100 || end <= h.from[n] || start >= h.to[n] {
			t.Errorf("damage at %d: lost chunk %d, which is elsewhere: %v; %+v %d", start, l.N, l.Err, rep, h.from[:2])
			return
		}
	}
	rest := h.data
	var got []byte
	k := int64(0)
	for n, size := range h.sizes {
		want := rest[:size]
		rest = rest[size:]
		if lost[int64(n)] {
			if i := lostAt(rep, int64(n)); rep.Lost[i].Start == rep.Lost[i].End {
				continue // the length of this chunk is no longer known
			} else {
				want = bytes.Repeat(h.fill, int(rep.Lost[i].End-rep.Lost[i].Start)/4)
			}
			if rep.Layers && k < f.NumChunks() { // the item's type is lost with the metalayers
				if got, err = f.Chunk(got[:0], k); err == nil && len(bytes.Trim(got, "\x00")) == 0 {
					want = got
				}
			}
		}
		if got, err = f.Chunk(got[:0], k); err != nil || !bytes.Equal(got, want) {
			t.Errorf("damage at %d: chunk %d: % x, want % x: %v; %+v; %d", start, n, got, want, err, rep, h.from[97:])
			return
		}
		k++
	}
	if f.NumChunks() != k {
		t.Errorf("damage at %d: %d chunks, want %d", start, f.NumChunks(), k)
	}
	if _, ok, err := f.VLMetaValue(frame.LostName); err != nil || ok != (len(rep.Lost) > 0) {
		t.Errorf("damage at %d: the lost chunks are listed: %t, %v", start, ok, err)
	}
	if note, ok, err := f.VLMeta("note"); !rep.VLMeta && (err != nil || !ok || string(note) != "hello") {
		t.Errorf("damage at %d: vlmetalayer %q, %v", start, note, err)
	}
}

func lostAt(rep *frame.Repaired, n int64) int {
	for i, l := range rep.Lost {
		if l.N == n {
			return i
		}
	}
	return -1
}

// If the header and the heads of the first chunks are damaged, only these chunks are
// lost.
func TestRepairFirst(t *testing.T) {
	for name, h := range hundreds(t) {
		for _, gone := range []int{0, 1, 2, 50, 98} {
			for _, with := range []int{0, -1} {
				b := bytes.Clone(h.wire)
				end := h.from[gone] + chunk.HeaderLen
				damage{end, with}.do(b, 0)
				disk := new(memoryFile)
				rep, err := frame.Repair(disk, bytes.NewReader(b), int64(len(b)))
				if err != nil {
					t.Errorf("%s, up to chunk %d: %v", name, gone, err)
					continue
				}
				if len(rep.Lost) != gone+1 {
					t.Errorf("%s, up to chunk %d: %d chunks lost", name, gone, len(rep.Lost))
				}
				h.check(t, disk.b, rep, 0, end)
			}
		}
	}
}
