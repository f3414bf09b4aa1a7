package reliabilitytest

import (
	"bytes"
	"io"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/stream"
)

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

func verifyAll(b []byte) {
	frame.Verify(bytes.NewReader(b), int64(len(b)), frame.WithLimits(tight))
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

var (
	chunkWays = []func(b []byte){decodeWhole, decodeRanges, decodeBlocks}
	frameWays = []func(b []byte){readIndexed, readParts, readPipe, verifyAll, repairAll, editSome, readArray}
)

// These bound the cost of an input. Readers have limits of 16 MiB.
const (
	maxAlloc = b2test.MaxAlloc
	maxTime  = b2test.MaxTime
	maxOut   = 32 << 20 // largest number of bytes to read of one input
)

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

func decodeWhole(b []byte) {
	d := chunk.Decoder{MaxBytes: 16 << 20}
	d.Decode(nil, b)
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

func repairAll(b []byte) {
	frame.Repair(&disk{left: 200, most: 4 << 20}, bytes.NewReader(b), int64(len(b)), frame.WithLimits(tight), frame.RecoverTail(), frame.GuessOrder())
}
