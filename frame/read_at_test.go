package frame_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/framing"
)

// A counting counts the bytes that are read.
type counting struct {
	io.ReaderAt
	calls, bytes atomic.Int64
}

func (c *counting) ReadAt(p []byte, off int64) (int, error) {
	c.calls.Add(1)
	c.bytes.Add(int64(len(p)))
	return c.ReaderAt.ReadAt(p, off)
}

// A repeated is a file that consists of the same piece many times.
type repeated struct {
	head, piece []byte
	n           int
	tail        []byte
}

func (r repeated) size() int64 { return int64(len(r.head) + r.n*len(r.piece) + len(r.tail)) }

func (r repeated) ReadAt(p []byte, off int64) (n int, err error) {
	for n < len(p) {
		at := int(off) + n - len(r.head)
		from := r.head
		switch {
		case at < 0:
			from = from[len(from)+at:]
		case at < r.n*len(r.piece):
			from = r.piece[at%len(r.piece):]
		case at < r.n*len(r.piece)+len(r.tail):
			from = r.tail[at-r.n*len(r.piece):]
		default:
			return n, io.EOF
		}
		n += copy(p[n:], from)
	}
	return n, nil
}

// A small read of a frame of many chunks reads the index once and only the blocks
// of one chunk that it needs.
func TestReadAtTouchesLittle(t *testing.T) {
	const chunks, size = 10_000, 1 << 16
	p := chunk.Default()
	p.TypeSize, p.BlockSize, p.PlainZeros = 8, 4096, true
	m := newMakerOf(t, p, size, building{Checks: true})
	noise := make([]byte, size)
	rand.NewChaCha8([32]byte{1}).Read(noise)
	for i := range noise {
		if i%8 > 2 {
			noise[i] = 0 // the data are compressible, but no block is small
		}
	}
	one := m.must(m.enc.Encode(nil, noise))
	for range chunks {
		if err := m.b.AddChunk(size, len(one)); err != nil {
			t.Fatal(err)
		}
	}
	m.wire = nil
	m.tail()
	file := repeated{m.must(m.b.AppendSealed(nil)), framing.AppendChunkRecord(bytes.Clone(one), one), chunks, m.wire}
	src := &counting{ReaderAt: file}
	f, err := frame.Open(src, file.size())
	if err != nil {
		t.Fatal(err)
	}
	opened := src.bytes.Load()
	if opened > 8*chunks+2000 {
		t.Errorf("opening read %d bytes in %d calls; the index has %d", opened, src.calls.Load(), 8*chunks)
	}
	src.bytes.Store(0)
	src.calls.Store(0)
	piece := make([]byte, 4096)
	if _, err := f.ReadAt(piece, 5000*size+3*4096); err != nil || !bytes.Equal(piece, noise[3*4096:4*4096]) {
		t.Fatal("wrong bytes", err)
	}
	if n, calls := src.bytes.Load(), src.calls.Load(); n > int64(len(one)/8) || calls > 2 {
		t.Errorf("4 KiB: %d bytes in %d calls of a chunk of %d", n, calls, len(one))
	} else {
		t.Logf("opening read %d bytes, a block of 4 KiB %d bytes in %d calls; the chunk has %d", opened, n, calls, len(one))
	}
	again := false // the blocks are in a sync.Pool, which may drop one at any time
	for range 20 {
		src.calls.Store(0)
		if _, err := f.ReadAt(piece[:100], 5000*size+3*4096+17); err != nil {
			t.Fatal(err)
		}
		again = again || src.calls.Load() == 0
	}
	if !again {
		t.Error("the block that was read last is always read again")
	}
}

// Many goroutines read one frame concurrently, in every way.
func TestConcurrentReads(t *testing.T) {
	const size = 4000
	m := newMaker(t, size, building{Checks: true})
	data := ramp(50*size + 123)
	for _, c := range cut(data, size) {
		m.chunk(c)
	}
	m.tail()
	b := m.sealed()
	f, err := frame.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for g := range 1000 {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(g), 0))
			for range 5 {
				off := rng.IntN(len(data))
				p := make([]byte, min(1+rng.IntN(3*size), len(data)-off))
				if n, err := f.ReadAt(p, int64(off)); err != nil || !bytes.Equal(p, data[off:off+n]) {
					t.Errorf("%d bytes at %d: %d, %v", len(p), off, n, err)
				}
				n := rng.Int64N(f.NumChunks())
				start, end, err := f.Extent(n)
				if err != nil {
					t.Error(err)
				}
				if c, err := f.Chunk(nil, n); err != nil || !bytes.Equal(c, data[start:end]) {
					t.Errorf("chunk %d: %v", n, err)
				}
			}
		})
	}
	wg.Wait()
}

// For every kind of chunk and pipeline, a range equals that part of the whole.
func TestRanges(t *testing.T) {
	const size = 10_000
	rng := rand.New(rand.NewPCG(1, 2))
	data := ramp(3*size + 777)
	for name, change := range map[string]func(*chunk.Params){
		"default":    func(p *chunk.Params) {},
		"stored":     func(p *chunk.Params) { p.Level = 0 },
		"small":      func(p *chunk.Params) { p.BlockSize = 512 },
		"delta":      func(p *chunk.Params) { p.BlockSize = 1000; p.Filters.IDs[4] = 3 },
		"unfiltered": func(p *chunk.Params) { p.Filters.IDs[5] = 0; p.BlockSize = 1024 },
	} {
		p := chunk.Default()
		p.TypeSize, p.PlainZeros = 4, true
		change(&p)
		m := newMakerOf(t, p, size, building{Checks: true})
		for _, c := range cut(data, size) {
			m.chunk(c)
		}
		m.tail()
		for what, opts := range map[string][]frame.Option{"": nil, ", whole chunks checked": {frame.CheckWhole()}} {
			_, f, err := readAll(m.sealed(), opts...)
			if err != nil {
				t.Fatal(name, what, err)
			}
			for range 200 {
				off := rng.IntN(len(data))
				p := make([]byte, min(1+rng.IntN(1500), len(data)-off))
				if n, err := f.ReadAt(p, int64(off)); err != nil || !bytes.Equal(p, data[off:off+n]) {
					t.Fatalf("%s%s: %d bytes at %d: %d, %v", name, what, len(p), off, n, err)
				}
			}
		}
	}
}

// Single blocks equal parts of the chunk. Blocks that do not exist return errors.
func TestReadBlocks(t *testing.T) {
	p := chunk.Default()
	p.TypeSize, p.BlockSize, p.PlainZeros = 4, 512, true
	m := newMakerOf(t, p, 5000, building{})
	data := ramp(5000)
	m.chunk(data)
	m.tail()
	_, f, err := readAll(m.sealed())
	if err != nil {
		t.Fatal(err)
	}
	var got []int
	err = f.ReadBlocks(0, []int{7, 0, 1, 9, 3}, func(b int, block []byte) error {
		got = append(got, b)
		if !bytes.Equal(block, data[512*b:min(512*b+512, len(data))]) {
			t.Errorf("block %d is wrong", b)
		}
		return nil
	})
	if err != nil || !slices.Equal(got, []int{7, 0, 1, 9, 3}) {
		t.Errorf("blocks %v: %v", got, err)
	}
	for _, bad := range []int{-1, 10} {
		if err := f.ReadBlocks(0, []int{bad}, nil); !errors.Is(err, blosc2.ErrOption) {
			t.Errorf("block %d: %v", bad, err)
		}
	}
	if err := f.ReadBlocks(1, []int{0}, nil); !errors.Is(err, blosc2.ErrOption) {
		t.Errorf("chunk 1: %v", err)
	}
}

// A damaged block affects neither the previous one nor later reads.
func TestReadAtBrokenBlock(t *testing.T) {
	p := chunk.Default()
	p.TypeSize, p.BlockSize, p.PlainZeros = 4, 512, true
	m := newMakerOf(t, p, 4096, building{NoMark: true})
	data := ramp(4096)
	m.chunk(data)
	m.tail()
	b := m.sealed()
	_, f, err := readAll(b)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := f.RawChunk(nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	l, err := chunk.ParseLayout(raw)
	if err != nil {
		t.Fatal(err)
	}
	off, _ := l.Extent(3)
	copy(b[len(m.head)+off:], "\xff\xff\xff\x7f")
	if f, err = frame.Open(bytes.NewReader(b), int64(len(b))); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 1024)
	for range 3 {
		if _, err := f.ReadAt(got, 1024); !errors.Is(err, blosc2.ErrCorrupt) {
			t.Errorf("with the broken block: %v", err)
		}
		if _, err := f.ReadAt(got[:512], 1024); err != nil || !bytes.Equal(got[:512], data[1024:1536]) {
			t.Errorf("the one before it: %v", err)
		}
		if _, err := f.ReadAt(got[:512], 2048); err != nil || !bytes.Equal(got[:512], data[2048:2560]) {
			t.Errorf("the one after it: %v", err)
		}
	}
}
