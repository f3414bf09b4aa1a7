package stream_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/stream"
)

// benchData returns real data, repeated to several chunks.
func benchData(b *testing.B) []byte {
	data := b2test.Real(b, "era5-t2m.f4")
	for len(data) < 64<<20 {
		data = append(data, data...)
	}
	return data[:64<<20]
}

// tcp returns the two ends of a connection over loopback.
func tcp(t testing.TB) (a, b *net.TCPConn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer l.Close()
	dialed := make(chan net.Conn)
	go func() {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Error(err)
		}
		dialed <- c
	}()
	c, err := l.Accept()
	must(t, err)
	a, b = c.(*net.TCPConn), (<-dialed).(*net.TCPConn)
	t.Cleanup(func() { a.Close(); b.Close() })
	return a, b
}

// talk makes a conversation over TCP.
func talk(t testing.TB, opts ...stream.ConnOption) (a, b *stream.Conn, rawA, rawB *net.TCPConn) {
	t.Helper()
	rawA, rawB = tcp(t)
	a, err := stream.NewConn(rawA, opts...)
	must(t, err)
	b, err = stream.NewConn(rawB, opts...)
	must(t, err)
	for _, c := range []*stream.Conn{a, b} {
		must(t, c.SetDeadline(time.Now().Add(20*time.Second))) // so that neither side waits forever
	}
	return a, b, rawA, rawB
}

// readAll decodes what r returns and checks that nothing is left running.
func readAll(t testing.TB, r io.Reader, opts ...stream.ReaderOption) ([]byte, error) {
	t.Helper()
	zr, err := stream.NewReader(r, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return io.ReadAll(zr)
}

func tempFile(t testing.TB) *os.File {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "x.b2frame"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func newWriter(t testing.TB, w io.Writer, opts ...stream.WriterOption) *stream.Writer {
	t.Helper()
	zw, err := stream.NewWriter(w, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return zw
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// arrived decodes the output so far of a stream that continues.
func arrived(t testing.TB, b []byte) []byte {
	t.Helper()
	got, err := readAll(t, io.MultiReader(bytes.NewReader(b)), stream.Workers(1))
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a stream that goes on: %v", err)
	}
	return got
}

func follow(t testing.TB, path string, opts ...stream.FollowOption) *following {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(cancel)
	f, err := stream.FollowFile(ctx, path, opts...)
	must(t, err)
	t.Cleanup(func() { f.Close() })
	return &following{Follower: f, t: t}
}

// readSome reads at most 4 MiB, because input of a few bytes may decode to much
// more.
func readSome(t testing.TB, src io.Reader, opts ...stream.ReaderOption) ([]byte, error) {
	t.Helper()
	r, err := stream.NewReader(src, opts...)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	return io.ReadAll(io.LimitReader(r, 4<<20))
}

func mustRead(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	must(t, err)
	return b
}

// compacted returns the size of a frame of data that is written at once.
func compacted(t testing.TB, data []byte) int64 {
	t.Helper()
	return int64(len(sealedFile(t, data)))
}

// panics calls f and checks that it panics with errBoom, or exits.
func panics(t testing.TB, what string, exit bool, f func()) {
	t.Helper()
	done := make(chan any)
	go func() {
		defer func() { done <- recover() }()
		f()
		t.Errorf("%s: no panic", what)
	}()
	err, _ := (<-done).(error)
	if !exit && !errors.Is(err, errBoom) {
		t.Errorf("%s: recovered %v", what, err)
	}
}

// sealedFile returns the frame of data from a sealed file. Its writer has flushed in
// between, so there is a continued chunk.
func sealedFile(t testing.TB, data []byte, opts ...stream.WriterOption) []byte {
	t.Helper()
	f := tempFile(t)
	w := newWriter(t, f, opts...)
	_, err := w.Write(data[:len(data)/3])
	must(t, err)
	must(t, w.Checkpoint())
	_, err = w.Write(data[len(data)/3:])
	must(t, err)
	must(t, w.Close())
	b, err := os.ReadFile(f.Name())
	must(t, err)
	return b
}

// flushed returns an unsealed frame.
func flushed(t testing.TB, data []byte, size int, opts ...stream.WriterOption) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := newWriter(t, onlyWriter{&buf}, append(opts, stream.ChunkSize(size))...)
	must(t, w.Flush())
	_, err := w.Write(data)
	must(t, err)
	must(t, w.Close())
	if w.Sealed() {
		t.Error("sealed, though it was flushed into a pipe")
	}
	return buf.Bytes()
}

// procs raises GOMAXPROCS to n, so that n workers are allowed.
func procs(t testing.TB, n int) {
	old := runtime.GOMAXPROCS(n)
	t.Cleanup(func() { runtime.GOMAXPROCS(old) })
}

// compress returns the frame of data on a sink that cannot be patched.
func compress(t testing.TB, data []byte, opts ...stream.WriterOption) []byte {
	t.Helper()
	var buf bytes.Buffer
	w, err := stream.NewWriter(&buf, opts...)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := w.Write(data); n != len(data) || err != nil {
		t.Fatalf("Write: %d, %v", n, err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// check decodes b in every order and compares the results.
func check(t testing.TB, what string, b, want []byte) {
	t.Helper()
	for name, r := range map[string]io.Reader{
		"by index": bytes.NewReader(b), "walking": io.MultiReader(bytes.NewReader(b)),
	} {
		for _, workers := range []int{1, 2} {
			got, err := readAll(t, r, stream.Workers(workers))
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s, %s with %d workers: %d bytes of %d, %v", what, name, workers, len(got), len(want), err)
			}
			if s, ok := r.(io.Seeker); ok {
				s.Seek(0, io.SeekStart)
			} else {
				r = io.MultiReader(bytes.NewReader(b))
			}
		}
	}
}

// messages calls each with the messages of a seed.
func messages(seed uint64, each func(p []byte)) {
	r := rand.New(rand.NewPCG(seed, 14))
	data := append(numbers(20_000), noise(20_000)...)
	for range b2test.Fewer(1000) {
		size := 1 + r.IntN(1<<(1+r.IntN(12)))
		if r.IntN(100) == 0 {
			size = r.IntN(35_000)
		}
		at := r.IntN(len(data) - size)
		each(data[at : at+size])
	}
}

// records returns about n bytes of records of the given length.
func records(n, length int) []byte {
	r := rand.New(rand.NewPCG(9, uint64(length)))
	var b []byte
	at := uint64(1.7e12)
	for len(b) < n {
		at += r.Uint64N(50)
		record := binary.LittleEndian.AppendUint64(nil, at)
		for len(record) < length {
			record = append(record, byte(len(record))+byte(r.IntN(2)))
		}
		b = append(b, record[:length]...)
	}
	return b
}

// numbers returns n bytes that compress well: a slow count of 8-byte items.
func numbers(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		if i%8 < 3 {
			b[i] = byte(i / 8 >> (8 * (i % 8)) * 3)
		}
	}
	return b
}

// noise returns n bytes, of which most chunks hardly compress, and some do not.
func noise(n int) []byte {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{byte(n)}).Read(b)
	for i := 0; i < n; i += 97 {
		if i/5000%2 == 0 {
			clear(b[i:min(i+2, n)])
		}
	}
	return b
}

// record is a payload of 100 bytes, as in a message.
var record = []byte(`{"ts":1700000000123,"id":4711,"name":"sensor-7","value":21.125,"unit":"degC","ok":true,"seq":1234567}`)[:100]

// A following is a Follower from which a test requests bytes.
type following struct {
	*stream.Follower
	t   testing.TB
	got []byte
}

// sees waits until exactly want was delivered.
func (f *following) sees(want []byte) {
	f.t.Helper()
	for len(f.got) < len(want) {
		data, err := f.NextChunk()
		if err != nil {
			f.t.Fatalf("after %d of %d bytes: %v", len(f.got), len(want), err)
		}
		f.got = append(f.got, data...)
	}
	if !bytes.Equal(f.got, want) {
		f.t.Fatalf("%d bytes, want %d; they differ", len(f.got), len(want))
	}
}

// ends fails the test unless the Follower ends with err.
func (f *following) ends(err error) {
	f.t.Helper()
	if data, got := f.NextChunk(); !errors.Is(got, err) {
		f.t.Fatalf("%d bytes more, %v; want %v", len(data), got, err)
	}
}

func newLogger() *logger {
	return &logger{rng: rand.New(rand.NewPCG(1, 2)), time: 1_790_000_000_000_000_000, value: 20}
}

// logger makes records of 16 bytes, like those of a logger: a time in nanoseconds
// and a drifting value.
type logger struct {
	rng   *rand.Rand
	time  int64
	value float64
}

func (r *logger) append(b []byte, n int) []byte {
	for range n {
		r.time += 100_000_000
		if r.rng.IntN(30) == 0 {
			r.value += float64(r.rng.IntN(5)-2) / 10
		}
		b = binary.LittleEndian.AppendUint64(b, uint64(r.time))
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(math.Round(r.value*10)/10))
	}
	return b
}
