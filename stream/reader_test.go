package stream_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"testing"
	"testing/iotest"
	"testing/synctest"

	"go.uber.org/goleak"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/stream"
)

// A stream truncated at any byte returns all complete chunks and then
// io.ErrUnexpectedEOF, even if only the last byte is missing.
func TestTruncated(t *testing.T) {
	procs(t, 2)
	const size = 700
	data := noise(5*size + 99)
	for name, b := range map[string][]byte{
		"unsealed": flushed(t, data, size),
		"sealed":   compress(t, data, stream.ChunkSize(size)),
		"grown":    sealedFile(t, data, stream.ChunkSize(size)),
		"several":  append(compress(t, data[:1000], stream.ChunkSize(size)), compress(t, data[1000:], stream.ChunkSize(size))...),
	} {
		whole := 0 // bytes that must be returned; does not decrease as the cut moves
		for cut := range len(b) {
			for kind, r := range map[string]io.Reader{"file": bytes.NewReader(b[:cut]), "pipe": io.MultiReader(bytes.NewReader(b[:cut]))} {
				got, err := readAll(t, r, stream.Workers(1+cut%2))
				ended := name == "several" && err == nil && len(got) == 1000 // the cut is between the two frames, or in the magic number of the second
				if !errors.Is(err, io.ErrUnexpectedEOF) && !ended || !bytes.HasPrefix(data, got) {
					t.Fatalf("%s cut at %d, from a %s: %d bytes, %v", name, cut, kind, len(got), err)
				}
				if len(got) < whole {
					t.Fatalf("%s cut at %d, from a %s: %d bytes, though a shorter one returned %d", name, cut, kind, len(got), whole)
				}
				whole = max(whole, len(got))
			}
		}
		if whole != len(data) {
			t.Errorf("%s: without its last byte %d bytes of %d", name, whole, len(data))
		}
	}
	goleak.VerifyNone(t)
}

// Consecutive frames are one stream, unless SingleFrame is given; bytes after them
// can still be read.
func TestConcatenated(t *testing.T) {
	data := numbers(30_000)
	sealed := compress(t, data[:10_000], stream.ChunkSize(3000))
	unsealed := flushed(t, data[10_000:15_000], 999)
	committed := sealedFile(t, data[15_000:], stream.ChunkSize(1024), stream.Checks(false))
	empty := compress(t, nil)
	for _, extra := range []string{"", "x", "something else", frame.Magic[:5]} {
		b := bytes.Join([][]byte{sealed, empty, unsealed, committed, empty, []byte(extra)}, nil)
		for name, r := range map[string]io.Reader{"file": bytes.NewReader(b), "pipe": io.MultiReader(bytes.NewReader(b)), "bytes": iotest.OneByteReader(bytes.NewReader(b))} {
			zr, err := stream.NewReader(r, stream.Workers(2))
			must(t, err)
			got, err := io.ReadAll(zr)
			if errors.Is(err, blosc2.ErrTrailing) != (extra != "") || err != nil && extra == "" || !bytes.Equal(got, data) {
				t.Errorf("%s: %d bytes of %d, %v", name, len(got), len(data), err)
			}
			if cut := extra == frame.Magic[:5]; errors.Is(err, io.ErrUnexpectedEOF) != cut {
				t.Errorf("%s, %q: %v", name, extra, err)
			}
			if s := zr.Stats(); s.Bytes != int64(len(data)) || s.Frames != 3 {
				t.Errorf("%s: %+v", name, s)
			}
			switch rest := zr.Trailing(); {
			case rest == nil && extra != "":
				t.Errorf("%s: nothing after the frames", name)
			case rest != nil:
				if got, err := io.ReadAll(rest); string(got) != extra || err != nil {
					t.Errorf("%s: %q after the frames, not %q; %v", name, got, extra, err)
				}
			}
			if e := zr.Close(); e != err {
				t.Errorf("%s: closed: %v after %v", name, e, err)
			}
		}
		for name, r := range map[string]io.Reader{"file": bytes.NewReader(b), "pipe": io.MultiReader(bytes.NewReader(b))} {
			if got, err := readAll(t, r, stream.AllowTrailing()); err != nil || !bytes.Equal(got, data) {
				t.Errorf("%s: allowed: %d bytes, %v", name, len(got), err)
			}
		}
		for name, r := range map[string]io.Reader{"file": bytes.NewReader(b), "pipe": io.MultiReader(bytes.NewReader(b))} {
			if got, err := readAll(t, r, stream.SingleFrame()); err != nil || !bytes.Equal(got, data[:10_000]) {
				t.Errorf("%s: one frame: %d bytes, %v", name, len(got), err)
			}
		}
	}
}

// A Reader that is abandoned at any chunk leaves no goroutine, and can be used again.
func TestAbandoned(t *testing.T) {
	procs(t, 8)
	data := noise(20_000)
	b := compress(t, data, stream.ChunkSize(1000))
	for _, workers := range []int{1, 2, 8} {
		var zr *stream.Reader
		for chunks := range 21 {
			for _, src := range []io.Reader{bytes.NewReader(b), io.MultiReader(bytes.NewReader(b))} {
				var err error
				if zr == nil {
					zr, err = stream.NewReader(src, stream.Workers(workers))
				} else {
					err = zr.Reset(src)
				}
				must(t, err)
				for i := range chunks {
					got, err := zr.NextChunk()
					if i < 20 && (err != nil || !bytes.Equal(got, data[1000*i:1000*i+1000])) || i >= 20 && err != io.EOF {
						t.Fatalf("%d workers: chunk %d: %d bytes, %v", workers, i, len(got), err)
					}
				}
				if chunks%2 == 0 {
					must(t, zr.Close())
					must(t, zr.Close())
					if _, err := zr.Read(make([]byte, 1)); err != blosc2.ErrClosed {
						t.Fatalf("Read after Close: %v", err)
					}
				}
			}
		}
		must(t, zr.Close())
		goleak.VerifyNone(t)
	}
}

// A damaged chunk ends the stream at its position, with any number of workers.
func TestDamaged(t *testing.T) {
	procs(t, 8)
	data := noise(20_000)
	b := flushed(t, data, 1000)
	at := bytes.Index(b, data[7100:7150]) // noise is stored uncompressed
	if at < 0 {
		t.Fatal("chunk 7 is not stored as it is")
	}
	for _, workers := range []int{1, 2, 8} {
		broken := bytes.Clone(b)
		broken[at] ^= 1
		broken[len(broken)-100] ^= 1 // add a later fault
		got, err := readAll(t, bytes.NewReader(broken), stream.Workers(workers))
		var fe *blosc2.FormatError
		if !errors.Is(err, blosc2.ErrChecksum) || !errors.As(err, &fe) || fe.Chunk != 7 || fe.Part != blosc2.PartChunk || !bytes.Equal(got, data[:7000]) {
			t.Errorf("%d workers: %d bytes, %v", workers, len(got), err)
		}
	}
	goleak.VerifyNone(t)
}

// A chunk that has arrived is returned without waiting for what follows it.
func TestNoWaiting(t *testing.T) {
	procs(t, 2)
	for _, workers := range []int{1, 2} {
		pr, pw := io.Pipe()
		zr, err := stream.NewReader(pr, stream.Workers(workers))
		must(t, err)
		done := make(chan error)
		go func() {
			w, err := stream.NewWriter(pw, stream.Workers(1))
			for i := byte(0); err == nil && i < 20; i++ {
				if _, err = w.Write([]byte{i}); err == nil {
					err = w.Flush()
				}
				<-done // the reader has received the chunk
			}
			done <- errors.Join(err, w.Close(), pw.Close())
		}()
		var b [1]byte
		for i := byte(0); i < 20; i++ {
			if n, err := zr.Read(b[:]); n != 1 || b[0] != i || err != nil {
				t.Fatalf("byte %d: %d, %v", i, n, err)
			}
			done <- nil
		}
		if _, err := zr.Read(b[:]); err != io.EOF {
			// The writer closes while this Read waits.
			t.Errorf("at the end: %v", err)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	goleak.VerifyNone(t)
}

// Close and a cancelled context wake a blocked Read. They also wake the source's Read if
// the source supports deadlines; otherwise the goroutine that is blocked in it ends when
// that Read returns.
func TestBlocked(t *testing.T) {
	procs(t, 2)
	b := flushed(t, noise(3000), 1000)
	cause := errors.New("cancelled")
	for _, workers := range []int{1, 2} {
		for _, how := range []string{"close", "cancel"} {
			for _, source := range []string{"socket", "pipe"} {
				if workers == 1 && source == "pipe" {
					continue // nothing interrupts the caller in the source's Read
				}
				synctest.Test(t, func(t *testing.T) {
					before := goleak.IgnoreCurrent()
					var src io.Reader
					var send io.WriteCloser
					if source == "socket" {
						c1, c2 := net.Pipe()
						src, send = c1, c2
					} else {
						pr, pw := io.Pipe()
						src, send = pr, pw
					}
					ctx, cancel := context.WithCancelCause(t.Context())
					zr, err := stream.NewReader(src, stream.Workers(workers), stream.Context(ctx))
					must(t, err)
					go send.Write(b[:len(b)-100])
					got := make([]byte, 3000)
					_, err = io.ReadFull(zr, got)
					must(t, err)
					errs := make(chan error)
					go func() {
						_, err := zr.Read(got)
						errs <- err
					}()
					synctest.Wait() // the Read is blocked
					want := cause
					if how == "close" {
						want = blosc2.ErrClosed
						must(t, zr.Close())
					} else {
						cancel(cause)
					}
					if err := <-errs; err != want {
						t.Errorf("%d workers, %s, %s: %v", workers, how, source, err)
					}
					if source == "socket" {
						goleak.VerifyNone(t, before)
					}
					cancel(nil)
					must(t, send.Close())
				})
				goleak.VerifyNone(t)
			}
		}
	}
}

// Frames from a pipe that cannot be read front to back are spooled, up to a limit.
func TestSpool(t *testing.T) {
	data := noise(3 << 20)
	b := sixteenLayers(t, data)
	pipe := func() io.Reader { return io.MultiReader(bytes.NewReader(b), bytes.NewReader(b)) }
	for _, memory := range []int64{0, 1 << 20, 64 << 20} {
		got, err := readAll(t, pipe(), stream.SpoolLimit(memory, int64(len(b))))
		if err != nil || !bytes.Equal(got, append(bytes.Clone(data), data...)) {
			t.Errorf("%d bytes in memory: %d bytes, %v", memory, len(got), err)
		}
	}
	if _, err := readAll(t, pipe(), stream.SpoolLimit(1<<20, int64(len(b))-1)); !errors.Is(err, blosc2.ErrTooLarge) {
		t.Errorf("above the limit: %v", err)
	}
	if _, err := readAll(t, pipe(), stream.SpoolLimit(0, -1)); !errors.Is(err, blosc2.ErrNotSequential) {
		t.Errorf("without a spool: %v", err)
	}
	if _, err := readAll(t, io.MultiReader(bytes.NewReader(b[:len(b)-1]))); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("cut: %v", err)
	}
}

// sixteenLayers returns a frame without a mark.
func sixteenLayers(t testing.TB, data []byte) []byte {
	var opts []stream.WriterOption
	for i := range 16 {
		opts = append(opts, stream.Metalayer(string(rune('a'+i)), nil))
	}
	return sealedFile(t, data, opts...)
}

// Limits are checked before memory is allocated.
func TestLimits(t *testing.T) {
	b := compress(t, make([]byte, 3<<20), stream.Level(9), stream.ChunkSize(3<<20))
	for name, r := range map[string]io.Reader{"file": bytes.NewReader(b), "pipe": io.MultiReader(bytes.NewReader(b))} {
		if _, err := readAll(t, r, stream.Limits(frame.Limits{Chunk: 1 << 20})); !errors.Is(err, blosc2.ErrTooLarge) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// Chunks that are larger than the memory limit are decoded one at a time.
	procs(t, 8)
	data := numbers(3 << 20)
	b = flushed(t, data, 1<<19, stream.VariableChunks())
	got, err := readAll(t, bytes.NewReader(b), stream.Memory(1<<18), stream.Workers(8))
	if err != nil || !bytes.Equal(got, data) {
		t.Errorf("little memory: %d bytes, %v", len(got), err)
	}
}

// Errors of the source are returned, and every way to read returns the same.
func TestSourceError(t *testing.T) {
	boom := errors.New("boom")
	data := numbers(10_000)
	b := compress(t, data, stream.ChunkSize(1000))
	for _, workers := range []int{1, 2} {
		src := io.MultiReader(bytes.NewReader(b[:len(b)/2]), iotest.ErrReader(boom))
		got, err := readAll(t, src, stream.Workers(workers))
		if !errors.Is(err, boom) || !bytes.HasPrefix(data, got) || len(got) == 0 {
			t.Errorf("%d workers: %d bytes, %v", workers, len(got), err)
		}
		zr, err := stream.NewReader(iotest.DataErrReader(iotest.HalfReader(bytes.NewReader(b))), stream.Workers(workers))
		must(t, err)
		if err := iotest.TestReader(zr, data); err != nil {
			t.Error(err)
		}
		zr, err = stream.NewReader(bytes.NewReader(b), stream.Workers(workers))
		must(t, err)
		if n, err := zr.WriteTo(&failing{2500}); n != 2500 || err != errFull {
			t.Errorf("WriteTo: %d, %v", n, err)
		}
		rest, err := io.ReadAll(zr)
		if err != nil || !bytes.Equal(rest, data[2500:]) {
			t.Errorf("after WriteTo: %d bytes, %v", len(rest), err)
		}
	}
	if _, err := readAll(t, bytes.NewReader(nil)); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("empty stream: %v", err)
	}
}

// onlySeeker has no ReadAt.
type onlySeeker struct{ io.ReadSeeker }

// Vlmetalayers are known immediately if the frame is read by its index, and
// otherwise after the chunks.
func TestVLMeta(t *testing.T) {
	var buf bytes.Buffer
	w := newWriter(t, &buf, stream.ChunkSize(1000))
	_, err := w.Write(numbers(5000))
	must(t, err)
	must(t, w.SetVLMeta("note", []byte("first")))
	must(t, w.SetVLMeta("gone", []byte("x")))
	must(t, w.SetVLMeta("note", []byte("last")))
	must(t, w.SetVLMeta("gone", nil))
	must(t, w.Close())
	for name, src := range map[string]io.Reader{
		"file": bytes.NewReader(buf.Bytes()), "seeker": onlySeeker{bytes.NewReader(buf.Bytes())}, "pipe": io.MultiReader(bytes.NewReader(buf.Bytes())),
	} {
		r, err := stream.NewReader(src)
		must(t, err)
		v, ok, err := r.VLMeta("note")
		if name == "pipe" {
			if !errors.Is(err, blosc2.ErrNotSequential) {
				t.Errorf("%s: at once: %v", name, err)
			}
		} else if string(v) != "last" || !ok || err != nil {
			t.Errorf("%s: at once: %q, %v", name, v, err)
		}
		_, err = io.Copy(io.Discard, r)
		must(t, err)
		if v, ok, err := r.VLMeta("note"); string(v) != "last" || !ok || err != nil {
			t.Errorf("%s: at the end: %q, %v", name, v, err)
		}
		if layers, err := r.VLMetalayers(); len(layers) != 1 || err != nil {
			t.Errorf("%s: %v, %v", name, layers, err)
		}
	}
	broken, err := stream.NewReader(bytes.NewReader(buf.Bytes()[:50]))
	must(t, err)
	if _, _, err := broken.VLMeta("note"); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("half a header: %v", err)
	}
}
