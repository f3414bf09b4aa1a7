package stream_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/stream"
	"github.com/seed03b80dae/blosc2/tune"
)

// oneShots holds options of all kinds, by name.
var oneShots = map[string][]stream.WriterOption{
	"default":   nil,
	"zstd":      {stream.Codec(blosc2.CodecZstd), stream.TypeSize(4), stream.Workers(1)},
	"chunks":    {stream.ChunkSize(1000), stream.Workers(2)},
	"no checks": {stream.Checks(false), stream.ChunkSize(4096)},
	"auto":      {stream.Auto(tune.Balanced), stream.ChunkSize(64 << 10)},
	"meta":      {stream.Metalayer("a", []byte("b")), stream.Level(9)},
	"2019":      {stream.Layout2019(), stream.TypeSize(2)},
	"spool":     {stream.Spool(10), stream.VariableChunks()},
}

// Compress appends the frame that a Writer makes of a file to dst, and Decompress
// appends its data.
func TestCompress(t *testing.T) {
	for name, opts := range oneShots {
		for _, n := range []int{0, 1, 100, 999, 1000, 70_000, 300_000, 3<<20 + 5} {
			data := noise(n)
			got, err := stream.Compress([]byte("before"), data, opts...)
			if err != nil || string(got[:6]) != "before" {
				t.Fatalf("%s, %d bytes: %v", name, n, err)
			}
			packed := got[6:]
			file := filepath.Join(t.TempDir(), "want")
			f, err := os.Create(file)
			must(t, err)
			w := newWriter(t, f, opts...)
			_, err = w.ReadFrom(bytes.NewReader(data)) // Auto sees all data, as Compress does
			must(t, err)
			must(t, w.Close())
			must(t, f.Close())
			if want, _ := os.ReadFile(file); !bytes.Equal(packed, want) && name != "spool" {
				t.Errorf("%s, %d bytes: not the frame that a Writer makes", name, n)
			}
			if h, err := header.Parse(packed); err != nil || h.FrameLen != uint64(len(packed)) {
				t.Errorf("%s, %d bytes: not sealed: %v", name, n, err)
			}
			for _, workers := range []int{1, 2} {
				back, err := stream.Decompress([]byte("before"), packed, stream.Workers(workers))
				if err != nil || string(back[:6]) != "before" || !bytes.Equal(back[6:], data) {
					t.Errorf("%s, %d bytes, %d workers: %d bytes back, %v", name, n, workers, len(back), err)
				}
			}
		}
	}
}

// With Auto, Compress chooses by samples of all data, like ReadFrom. The first chunk of these
// data suggests items of 4 bytes, of which a frame has one length, and the rest has items of 8.
func TestCompressSamples(t *testing.T) {
	data := make([]byte, 0, 8<<20)
	for i := range uint32(1 << 18) {
		data = binary.LittleEndian.AppendUint32(data, 7*i)
	}
	for i := range uint64(7 << 17) {
		data = binary.LittleEndian.AppendUint64(data, i*i*1_000_003)
	}
	packed, err := stream.Compress(nil, data, stream.Auto(tune.Balanced))
	must(t, err)
	h, err := header.Parse(packed)
	must(t, err)
	if h.TypeSize != 8 {
		t.Errorf("items of %d bytes, not 8", h.TypeSize)
	}
	file := filepath.Join(t.TempDir(), "want")
	f, err := os.Create(file)
	must(t, err)
	w := newWriter(t, f, stream.Auto(tune.Balanced))
	_, err = w.ReadFrom(bytes.NewReader(data))
	must(t, err)
	must(t, w.Close())
	must(t, f.Close())
	if want, _ := os.ReadFile(file); !bytes.Equal(packed, want) {
		t.Errorf("%d bytes, not the %d that ReadFrom makes", len(packed), len(want))
	}
	if back, err := stream.Decompress(nil, packed); err != nil || !bytes.Equal(back, data) {
		t.Errorf("%d bytes back, %v", len(back), err)
	}
}

// The frame does not depend on how much room there is in dst, and what precedes it is kept,
// also after an error.
func TestCompressRoom(t *testing.T) {
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	for name, opts := range oneShots {
		for _, n := range []int{0, 100, 1000, 300_000, 1 << 20, 2<<20 + 5} {
			data := append(make([]byte, n/2), noise(n-n/2)...)
			want, err := stream.Compress(nil, data, opts...)
			must(t, err)
			for _, room := range []int{len(want) - 1, len(want), n, 2*n + 4096} {
				got, err := stream.Compress(append(make([]byte, 0, 6+room), "before"...), data, opts...)
				if err != nil || string(got[:6]) != "before" || !bytes.Equal(got[6:], want) {
					t.Errorf("%s, %d bytes, room for %d: %d bytes, %v", name, n, room, len(got)-6, err)
				}
				got, err = stream.Compress(append(make([]byte, 0, 6+room), "before"...), data, append(opts, stream.Context(canceled))...)
				if n > 0 && (!errors.Is(err, context.Canceled) || string(got) != "before") {
					t.Errorf("%s, %d bytes, room for %d, canceled: %d bytes, %v", name, n, room, len(got), err)
				}
			}
		}
	}
}

// Both genuine libraries read the frames that Compress makes, and Decompress reads the
// frames that they make.
func TestCompressOracle(t *testing.T) {
	data := numbers(100_000)
	for name, opts := range map[string][]stream.WriterOption{"default": nil, "zstd": oneShots["zstd"], "chunks": oneShots["chunks"]} {
		packed, err := stream.Compress(nil, data, opts...)
		must(t, err)
		file := filepath.Join(t.TempDir(), "x.b2frame")
		must(t, os.WriteFile(file, packed, 0o666))
		for _, lib := range b2test.Oracles(t) {
			if got, err := lib.Decode(t, "read-frame", file); err != nil || !bytes.Equal(got, data) {
				t.Errorf("%v, %s: %d bytes: %v", lib, name, len(got), err)
			}
		}
	}
	seen := 0
	for _, e := range b2test.Corpus(t) {
		if e.Kind != "frame" || e.Reject != "" || e.Payload == nil || e.Payload.SHA256 == "" || e.Offset != 0 {
			continue
		}
		b := e.Bytes(t)
		h, err := header.Parse(b)
		if err != nil || h.FrameLen != uint64(len(b)) {
			continue
		}
		got, err := stream.Decompress(nil, b)
		if err != nil || int64(len(got)) != e.Payload.NBytes {
			t.Errorf("%s: %d bytes of %d: %v", e.Path, len(got), e.Payload.NBytes, err)
		}
		seen++
	}
	if seen == 0 {
		t.Error("no frame of the corpus was read")
	}
}

// Errors leave dst unchanged, and the next call is not affected.
func TestDecompressErrors(t *testing.T) {
	data := numbers(50_000)
	good := compress(t, data, stream.ChunkSize(4096))
	damaged := bytes.Clone(good)
	damaged[len(good)/2] ^= 1
	two := append(bytes.Clone(good), good...)
	limit := stream.Limits(frame.Limits{Total: 49_999})
	for _, c := range []struct {
		what string
		b    []byte
		opts []stream.ReaderOption
		is   error
	}{
		{"nothing", nil, nil, io.ErrUnexpectedEOF},
		{"foreign", []byte("this is no frame at all, is it?"), nil, blosc2.ErrNotBlosc2},
		{"cut", good[:len(good)-1], nil, io.ErrUnexpectedEOF},
		{"damaged", damaged, nil, blosc2.ErrChecksum},
		{"trailing", append(bytes.Clone(good), "x"...), nil, blosc2.ErrTrailing},
		{"trailing after two", append(bytes.Clone(two), "blosc"...), nil, blosc2.ErrTrailing},
		{"second cut", two[:len(two)-10], nil, io.ErrUnexpectedEOF},
		{"limit", good, []stream.ReaderOption{limit}, blosc2.ErrTooLarge},
		{"limit of two", two, []stream.ReaderOption{stream.Limits(frame.Limits{Total: 99_999})}, blosc2.ErrTooLarge},
		{"option", good, []stream.ReaderOption{stream.Memory(0)}, blosc2.ErrOption},
	} {
		for _, workers := range []int{1, 2} {
			dst := append(make([]byte, 0, 200_000), "before"...)
			got, err := stream.Decompress(dst, c.b, append(c.opts, stream.Workers(workers))...)
			if !errors.Is(err, c.is) || string(got) != "before" {
				t.Errorf("%s, %d workers: %d bytes, %v", c.what, workers, len(got), err)
			}
			if got, err := stream.Decompress(nil, two); err != nil || !bytes.Equal(got, append(bytes.Clone(data), data...)) {
				t.Errorf("two frames, after %s: %d bytes, %v", c.what, len(got), err)
			}
		}
	}
	for what, c := range map[string]struct {
		after byte
		opts  []stream.ReaderOption
	}{
		"single": {'x', []stream.ReaderOption{stream.SingleFrame()}}, "trailing allowed": {'x', []stream.ReaderOption{stream.AllowTrailing()}},
		"not committed": {0, nil},
	} {
		if got, err := stream.Decompress(nil, append(bytes.Clone(good), c.after), c.opts...); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%s: %d bytes, %v", what, len(got), err)
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	cancel(cause)
	if got, err := stream.Decompress(nil, good, stream.Context(ctx)); err != cause || got != nil {
		t.Errorf("cancelled: %v", err)
	}
	if got, err := stream.Compress(nil, data, stream.Context(ctx)); err != cause || got != nil {
		t.Errorf("cancelled: %v", err)
	}
	if got, err := stream.Compress([]byte("x"), data, stream.Level(10)); !errors.Is(err, blosc2.ErrOption) || string(got) != "x" {
		t.Errorf("level 10: %v", err)
	}
}

// A frame of zeros decodes to more bytes than Decompress allocates at first.
func TestDecompressZeros(t *testing.T) {
	packed, err := stream.Compress(nil, make([]byte, 20<<20))
	must(t, err)
	if got, err := stream.Decompress(nil, packed); err != nil || !bytes.Equal(got, make([]byte, 20<<20)) || len(packed) > 4<<10 {
		t.Errorf("%d bytes from %d: %v", len(got), len(packed), err)
	}
}

// Many goroutines call Compress concurrently, with different options.
func TestCompressConcurrent(t *testing.T) {
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 30 {
				data := noise(1 + 5_000*((g+i)%7))
				opts := oneShots[[]string{"default", "zstd", "chunks", "meta"}[(g+i)%4]]
				packed, err := stream.Compress(nil, data, opts...)
				if err != nil {
					t.Error(err)
					return
				}
				if got, err := stream.Decompress(nil, packed); err != nil || !bytes.Equal(got, data) {
					t.Errorf("%d bytes: %v", len(data), err)
				}
			}
		})
	}
	wg.Wait()
}

// Compress also works with more sets of options than packers are kept for.
func TestCompressManyOptions(t *testing.T) {
	data := numbers(1000)
	for size := range 100 {
		packed, err := stream.Compress(nil, data, stream.TypeSize(size+1), stream.Level(size%10))
		must(t, err)
		if got, err := stream.Decompress(nil, packed); err != nil || !bytes.Equal(got, data) {
			t.Fatalf("typesize %d: %v", size+1, err)
		}
	}
}

// BenchmarkOneShot measures Compress and Decompress of payloads of several sizes.
func BenchmarkOneShot(b *testing.B) {
	for _, n := range []int{100, 10_000, 1 << 20, 16 << 20} {
		data := record
		if n > len(record) {
			data = numbers(n)
		}
		packed, err := stream.Compress(nil, data)
		must(b, err)
		var dst []byte
		b.Run(fmt.Sprintf("compress/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(n))
			for b.Loop() {
				dst, err = stream.Compress(dst[:0], data)
				must(b, err)
			}
		})
		b.Run(fmt.Sprintf("decompress/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(n))
			for b.Loop() {
				dst, err = stream.Decompress(dst[:0], packed)
				must(b, err)
			}
		})
	}
}

// Compress with Auto needs no memory as large as a chunk.
func TestCompressAutoMemory(t *testing.T) {
	const size = 64 << 20
	data, dst := make([]byte, size), make([]byte, 0, size+1<<20)
	for i := range data {
		data[i] = byte(i>>3) ^ byte(i*7>>5)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := stream.Compress(dst, data, stream.Auto(tune.Balanced), stream.Workers(1), stream.ChunkSize(size))
	runtime.ReadMemStats(&after)
	must(t, err)
	if n := after.TotalAlloc - before.TotalAlloc; n > size/2 {
		t.Errorf("%d bytes allocated", n)
	}
}
