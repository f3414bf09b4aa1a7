package frame_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/framing"
)

// A building holds the options of NewBuilder.
type building struct{ Checks, NoMark, Unordered bool }

func (o building) options() []frame.Option {
	opts := []frame.Option{frame.Checks(o.Checks)}
	if o.NoMark {
		opts = append(opts, frame.NoMark())
	}
	if o.Unordered {
		opts = append(opts, frame.Unordered())
	}
	return opts
}

// A maker makes frames as a writer does, for tests.
type maker struct {
	t    testing.TB
	b    *frame.Builder
	enc  *chunk.Encoder
	wire []byte // the frame as written to a sink that cannot be overwritten
	head []byte // the first header, and its record
}

func (m *maker) must(b []byte, err error) []byte {
	m.t.Helper()
	if err != nil {
		m.t.Fatal(err)
	}
	return b
}

// chunk appends a chunk of data.
func (m *maker) chunk(data []byte) {
	m.t.Helper()
	c := m.must(m.enc.Encode(nil, data))
	m.wire = append(m.wire, c...)
	if m.b.Checks() {
		m.wire = framing.AppendChunkRecord(m.wire, c)
	}
	if err := m.b.AddChunk(len(data), len(c)); err != nil {
		m.t.Fatal(err)
	}
}

// grow appends a chunk that begins with the data of the last one and replaces it.
func (m *maker) grow(data []byte) {
	m.t.Helper()
	m.wire = m.b.AppendContinue(m.wire)
	m.chunk(data)
}

// tail ends a segment.
func (m *maker) tail() {
	m.t.Helper()
	m.wire = m.must(m.b.AppendTail(m.wire))
}

// unsealed returns the frame as it is on a pipe.
func (m *maker) unsealed() []byte { return bytes.Clone(m.wire) }

// sealed returns the frame as it is in a file.
func (m *maker) sealed() []byte {
	m.t.Helper()
	head := m.must(m.b.AppendSealed(nil))
	if len(head) != len(m.head) {
		m.t.Fatalf("sealed header of %d bytes over one of %d", len(head), len(m.head))
	}
	return append(head, m.wire[len(head):]...)
}

func must1[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func repair(t *testing.T, b []byte, opts ...frame.Option) ([]byte, *frame.Repaired, error) {
	t.Helper()
	d := newDisk(nil, -1)
	rep, err := frame.Repair(d, bytes.NewReader(b), int64(len(b)), opts...)
	return d.now, rep, err
}

// known checks that an error of reading is about the data: a *blosc2.FormatError, or the
// end of a source.
func known(t *testing.T, err error) {
	t.Helper()
	var fe *blosc2.FormatError
	if err != nil && err != io.EOF && !errors.As(err, &fe) {
		t.Errorf("error of another kind: %T: %v", err, err)
	}
}

// tight holds small limits for reading fuzzed input.
var tight = frame.Limits{Chunk: 1 << 20, Header: 1 << 16, Index: 1 << 20, Trailer: 1 << 18}

// full selects the long form of tests: see CONTRIBUTING.md.
var full = os.Getenv("BLOSC2_FULL") != ""

// A memoryFile is a file in memory.
type memoryFile struct{ b []byte }

func (f *memoryFile) ReadAt(b []byte, off int64) (int, error) {
	return bytes.NewReader(f.b).ReadAt(b, off)
}

func (f *memoryFile) WriteAt(b []byte, off int64) (int, error) {
	if n := int(off) + len(b); n > len(f.b) {
		f.b = append(f.b, make([]byte, n-len(f.b))...)
	}
	return copy(f.b[off:], b), nil
}

func (f *memoryFile) Truncate(size int64) error {
	f.b = append(f.b[:min(int(size), len(f.b))], make([]byte, max(0, int(size)-len(f.b)))...)
	return nil
}

func (f *memoryFile) Sync() error { return nil }
