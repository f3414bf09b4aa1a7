package reliabilitytest

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/stream"
)

// These bound the cost of an input. Readers have limits of 16 MiB.
const (
	maxAlloc = b2test.MaxAlloc
	maxTime  = b2test.MaxTime
	maxOut   = 32 << 20 // largest number of bytes to read of one input
)

// A victim is a file in which bytes are replaced.
type victim struct {
	name   string
	b      []byte
	folder fstest.MapFS // files of a sparse frame; then b is nil
	cost   int          // approximate cost of reading the file
	ways   []func(b []byte)
}

var (
	chunkWays = []func(b []byte){decodeWhole, decodeRanges, decodeBlocks}
	frameWays = []func(b []byte){readIndexed, readParts, readPipe, verifyAll, repairAll, editSome, readArray}
)

// victims returns all files of the corpus, including those to be rejected, and our
// frames that can be read front to back and have no digests.
func victims(t *testing.T) (all []victim) {
	for _, e := range b2test.Corpus(t) {
		v := victim{name: e.Path, cost: 2000}
		if e.Payload != nil {
			v.cost += int(e.Payload.NBytes) / 4
		}
		switch {
		case e.Kind == "filtered":
			continue // the contents of such a file are the output of a filter, which may be any bytes
		case folder(e):
			v.folder = folderOf(t, e)
			v.cost += 20_000
		case e.Kind == "chunk":
			v.b, v.ways = e.Bytes(t), chunkWays
		default:
			v.b, v.ways = e.Bytes(t), frameWays
			v.cost += 6000
		}
		v.cost += len(v.b)
		all = append(all, v)
	}
	for _, s := range samples(t, false) {
		all = append(all, victim{name: s.name, b: s.b, cost: 8000, ways: frameWays})
	}
	return all
}

// Corpus files in which bytes are replaced at random are read or rejected, in bounded
// time and memory.
func TestReplaced(t *testing.T) {
	all := victims(t)
	var weight float64
	for _, v := range all {
		weight += 1 / float64(v.cost)
	}
	m := meter{t: t}
	total := float64(pick(60_000, 10_200_000))
	spread(len(all), func(i int) {
		v := &all[i]
		rng := rand.New(rand.NewPCG(uint64(i), 9))
		for n := range max(10, int(total/float64(v.cost)/weight)) {
			m.one(func() string { return fmt.Sprintf("%s, input %d", v.name, n) }, v.input(rng))
		}
	})
	t.Logf("%d inputs of %d files; of those that seemed dear, measured alone, none took more than %v or allocated more than %.1f MiB", m.inputs.Load(), len(all), time.Duration(m.slowest.Load()), float64(m.largest.Load())/(1<<20))
}

// input replaces bytes in a copy of the file, and returns the operation to run on it.
func (v *victim) input(rng *rand.Rand) func() {
	if v.folder == nil {
		b := replace(rng, v.b)
		way := v.ways[rng.IntN(len(v.ways))]
		return func() { way(b) }
	}
	files, victim := fstest.MapFS{}, rng.IntN(len(v.folder))
	if rng.IntN(2) == 0 {
		victim = -1
	}
	for name, file := range v.folder {
		if victim == 0 || victim < 0 && name == "chunks.b2frame" {
			file = &fstest.MapFile{Data: replace(rng, file.Data)}
		}
		files[name] = file
		victim--
	}
	return func() { readFolder(files) }
}

// replace replaces a few bytes, more often in headers and trailers than elsewhere.
func replace(rng *rand.Rand, b []byte) []byte {
	b = bytes.Clone(b)
	if len(b) == 0 {
		return b
	}
	for range 1 + rng.IntN(4) {
		at := rng.IntN(len(b))
		switch rng.IntN(4) {
		case 0:
			at = rng.IntN(min(len(b), 200))
		case 1:
			at = rng.IntN(min(len(b), 48))
		case 2:
			at = len(b) - 1 - rng.IntN(min(len(b), 120))
		}
		b[at] = [...]byte{0, 0xff, 0x7f, 0x80, b[at] + 1, b[at] - 1, b[at] ^ 1<<rng.IntN(8), byte(rng.Uint32())}[rng.IntN(8)]
	}
	return b
}

// A meter measures the cost of inputs, in memory and processor time. Several goroutines
// share it, so the apparent cost of an input includes that of others; an input that
// seems to cost too much is measured again while the other goroutines wait.
type meter struct {
	t                        *testing.T
	alone                    sync.RWMutex
	inputs, slowest, largest atomic.Int64
}

func (m *meter) one(name func() string, f func()) {
	m.alone.RLock()
	took, alloc := m.run(name, f)
	m.alone.RUnlock()
	if took > maxTime/4 || alloc > maxAlloc/4 {
		m.alone.Lock()
		took, alloc = m.run(name, f)
		m.alone.Unlock()
		m.largest.Store(max(m.largest.Load(), alloc))
		m.slowest.Store(max(m.slowest.Load(), int64(took)))
	}
	if took > maxTime || alloc > maxAlloc {
		m.t.Errorf("%s: %v, %d bytes allocated", name(), took, alloc)
	}
	m.inputs.Add(1)
}

func (m *meter) run(name func() string, f func()) (took time.Duration, alloc int64) {
	defer func() {
		if p := recover(); p != nil {
			m.t.Errorf("%s: panic: %v", name(), p)
		}
	}()
	before, start := b2test.Allocated(), b2test.CPUTime()
	f()
	return b2test.CPUTime() - start, b2test.Allocated() - before
}

// These are the operations on an input.

func decodeWhole(b []byte) {
	d := chunk.Decoder{MaxBytes: 16 << 20}
	d.Decode(nil, b)
}

func decodeRanges(b []byte) {
	d := chunk.Decoder{MaxBytes: 16 << 20}
	h, err := chunk.ParseHeader(b)
	if err != nil {
		return
	}
	p := make([]byte, 100)
	for i := range 3 {
		d.DecodeRange(p, b, i*h.NBytes/3)
	}
}

func decodeBlocks(b []byte) {
	d := chunk.Decoder{MaxBytes: 16 << 20}
	l, err := chunk.ParseLayout(b)
	if err != nil || l.NumBlocks == 0 {
		return
	}
	d.DecodeVLBlock(nil, b, 0)
	n := l.BlockLen(0)
	if off, size := l.Extent(0); size > 0 && off+size <= len(b) && n >= 0 && n <= 16<<20 {
		d.DecodeBlock(make([]byte, n), b[off:off+size], l, 0)
	}
}

func readIndexed(b []byte) {
	f, err := frame.Open(bytes.NewReader(b), int64(len(b)), frame.WithLimits(tight), frame.AllowTorn())
	if err != nil {
		return
	}
	f.VLMetalayers()
	var out []byte
	for n, sum := int64(0), 0; n < f.NumChunks() && sum < maxOut; n++ {
		if out, err = f.Chunk(out[:0], n); err != nil {
			return
		}
		sum += len(out)
	}
}

func readParts(b []byte) {
	f, err := frame.Open(bytes.NewReader(b), int64(len(b)), frame.WithLimits(tight))
	if err != nil {
		return
	}
	p := make([]byte, 300)
	for i := range int64(4) {
		f.ReadAt(p, f.Size()/4*i)
		f.ReadBlocks(f.NumChunks()/4*i, []int{0}, func(int, []byte) error { return nil })
	}
	f.Extent(f.NumChunks() - 1)
}

func readPipe(b []byte) {
	r, err := stream.NewReader(io.MultiReader(bytes.NewReader(b)), stream.Workers(1), stream.Limits(tight), stream.SpoolLimit(16<<20, 16<<20))
	if err != nil {
		return
	}
	defer r.Close()
	io.Copy(io.Discard, io.LimitReader(r, maxOut))
	r.VLMetalayers()
}

func verifyAll(b []byte) {
	frame.Verify(bytes.NewReader(b), int64(len(b)), frame.WithLimits(tight))
}

func repairAll(b []byte) {
	frame.Repair(&disk{left: 200, most: 4 << 20}, bytes.NewReader(b), int64(len(b)), frame.WithLimits(tight), frame.RecoverTail(), frame.GuessOrder())
}

func editSome(b []byte) {
	d := newDisk(b)
	e, err := frame.Edit(d, int64(len(b)), frame.WithLimits(tight), frame.RecoverTail())
	if err != nil {
		return
	}
	defer e.Close()
	e.Append(make([]byte, 100))
	e.Delete(0)
	e.SetVLMeta("new", []byte("value"))
	if e.Commit() == nil {
		frame.Open(d, int64(len(d.b)), frame.WithLimits(tight))
	}
}

func readArray(b []byte) {
	a, err := b2nd.Open(bytes.NewReader(b), int64(len(b)), b2nd.MaxAlloc(16<<20), b2nd.Workers(1), b2nd.FrameOptions(frame.WithLimits(tight)))
	if err != nil {
		return
	}
	window := b2nd.All(a.Shape())
	n := int64(a.ItemSize())
	for i := range window {
		window[i].Stop = min(window[i].Stop, 3)
		n *= window[i].Len()
	}
	if n < 1<<20 {
		a.ReadWindow(make([]byte, n), window)
	}
	if a.Size() < maxOut {
		a.WriteTo(io.Discard)
	}
}
