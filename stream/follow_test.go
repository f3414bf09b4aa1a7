package stream_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/stream"
)

var followWays = map[string][]stream.FollowOption{"notified": nil, "polling": {stream.PollEvery(time.Millisecond)}}

// A Follower can begin before the file exists, sees each Flush, and ends when the writer
// closes.
func TestFollow(t *testing.T) {
	for name, opts := range followWays {
		for way, wopts := range map[string][]stream.WriterOption{
			"":          {stream.ChunkSize(4096)},
			" variable": {stream.ChunkSize(4096), stream.VariableChunks()},
			" no sums":  {stream.ChunkSize(4096), stream.Checks(false)},
		} {
			t.Run(name+way, func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "log")
				f := follow(t, path, opts...)
				w, err := stream.CreateFile(path, wopts...)
				must(t, err)
				rng, src := rand.New(rand.NewPCG(1, 2)), newLogger()
				var all []byte
				for i := range 300 {
					at := len(all)
					all = src.append(all, 1+rng.IntN(60))
					_, err := w.Write(all[at:])
					must(t, err)
					if must(t, w.Flush()); i%50 == 49 {
						must(t, w.Checkpoint())
					}
					f.sees(all)
				}
				must(t, w.Close())
				f.ends(io.EOF)
				if f.Offset() != int64(len(all)) {
					t.Errorf("Offset %d of %d", f.Offset(), len(all))
				}
			})
		}
	}
}

// Full chunks are delivered before the first Flush too, and Read and WriteTo deliver the
// same bytes as NextChunk.
func TestFollowUnflushed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	w, err := stream.CreateFile(path, stream.ChunkSize(4096), stream.Workers(1))
	must(t, err)
	all := newLogger().append(nil, 5000)
	f := follow(t, path)
	for at := 0; at < len(all); at += 8192 {
		_, err = w.Write(all[at:min(at+8192, len(all))])
		must(t, err)
	}
	must(t, w.Flush())
	half := make([]byte, 30_001)
	_, err = io.ReadFull(f, half)
	must(t, err)
	must(t, w.Close())
	var rest bytes.Buffer
	_, err = io.Copy(&rest, f)
	must(t, err)
	if got := append(half, rest.Bytes()...); !bytes.Equal(got, all) {
		t.Errorf("%d bytes, want %d", len(got), len(all))
	}
	g := follow(t, path, stream.StartAt(40_000))
	got, err := io.ReadAll(g)
	if err != nil || !bytes.Equal(got, all[40_000:]) {
		t.Errorf("from 40000 on: %d bytes, %v", len(got), err)
	}
}

// Consecutive frames in a file are one stream.
func TestFollowFrames(t *testing.T) {
	path := filepath.Join(t.TempDir(), "frames")
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o666)
	must(t, err)
	defer file.Close()
	var all []byte
	src := newLogger()
	f := follow(t, path, stream.KeepFollowing())
	for range 4 {
		w, err := stream.NewWriter(struct{ io.Writer }{file}, stream.ChunkSize(4096))
		must(t, err)
		for range 3 {
			at := len(all)
			all = src.append(all, 400)
			_, err = w.Write(all[at:])
			must(t, err)
			must(t, w.Flush())
			f.sees(all)
		}
		must(t, w.Close())
	}
	one := follow(t, path)
	one.sees(all)
	one.ends(io.EOF)
}

// With KeepFollowing a Follower continues what the next writer appends, with a
// compacted copy, and with another file of the name.
func TestFollowRotation(t *testing.T) {
	for name, opts := range followWays {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "log")
			f := follow(t, path, append(opts, stream.KeepFollowing())...)
			src := newLogger()
			var all []byte
			for i := range 12 {
				var wopts []stream.WriterOption
				if i%4 == 0 {
					wopts = append(wopts, stream.ChunkSize(4096))
				}
				w, err := stream.AppendFile(path, wopts...)
				must(t, err)
				for range 5 {
					at := len(all)
					all = src.append(all, 100)
					_, err := w.Write(all[at:])
					must(t, err)
					must(t, w.Flush())
					if i%2 == 0 {
						f.sees(all)
					}
				}
				must(t, w.Close())
				switch i % 4 {
				case 1:
					must(t, frame.CompactFile(path))
				case 2:
					f.sees(all)
					must(t, frame.CompactFile(path, frame.ChunkSize(10_000)))
				case 3:
					f.sees(all)
					must(t, os.Rename(path, path+".1"))
				}
			}
			f.sees(all)
			must(t, f.Close())
			f.ends(blosc2.ErrClosed)
		})
	}
}

// A file that is compacted after the writer's death is followed without KeepFollowing,
// too.
func TestFollowCompaction(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	w, err := stream.CreateFile(path, stream.ChunkSize(4096))
	must(t, err)
	src := newLogger()
	all := src.append(nil, 1000)
	_, err = w.Write(all)
	must(t, err)
	must(t, w.Checkpoint())
	at := len(all)
	all = src.append(all, 100)
	_, err = w.Write(all[at:])
	must(t, err)
	must(t, w.Flush())
	died := mustRead(t, path)
	must(t, w.Close())
	must(t, os.WriteFile(path, died, 0o666))
	f := follow(t, path)
	f.sees(all)
	must(t, frame.CompactFile(path))
	f.ends(io.EOF)
}

// Delivered data that are dropped or replaced are an error.
func TestFollowDropped(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	w, err := stream.CreateFile(path, stream.ChunkSize(4096))
	must(t, err)
	src := newLogger()
	all := src.append(nil, 100)
	_, err = w.Write(all)
	must(t, err)
	must(t, w.Checkpoint())
	_, err = w.Write(src.append(nil, 300))
	must(t, err)
	must(t, w.Flush())
	f := follow(t, path)
	if _, err := io.ReadFull(f, make([]byte, 6400)); err != nil {
		t.Fatal(err)
	}
	must(t, w.Close())
	e, err := frame.EditFile(path)
	must(t, err)
	must(t, e.Truncate(1600))
	must(t, e.Commit())
	must(t, e.Close())
	f.ends(blosc2.ErrChanged)
	must(t, os.WriteFile(path, []byte("this is something else, and long enough for a header of a frame: "+
		"0123456789012345678901234567890123456789"), 0o666))
	follow(t, path).ends(blosc2.ErrNotBlosc2)
	follow(t, t.TempDir()).ends(errors.ErrUnsupported)
	if _, err := stream.FollowFile(t.Context(), path, stream.PollEvery(-1)); !errors.Is(err, blosc2.ErrOption) {
		t.Errorf("a poll interval of -1 ns: %v", err)
	}
	if _, err := stream.FollowFile(t.Context(), path, stream.StartAt(-1)); !errors.Is(err, blosc2.ErrOption) {
		t.Error(err)
	}
}

// A cancelled context, and Close in another goroutine, make a Follower return before it
// waits and while it does.
func TestFollowCancel(t *testing.T) {
	for name, opts := range followWays {
		t.Run(name, func(t *testing.T) {
			for _, delay := range []time.Duration{0, 10 * time.Millisecond} {
				path := filepath.Join(t.TempDir(), "log")
				ctx, cancel := context.WithCancelCause(t.Context())
				f, err := stream.FollowFile(ctx, path, opts...)
				must(t, err)
				defer f.Close()
				reason := errors.New("reason")
				time.AfterFunc(delay, func() { cancel(reason) })
				if _, err := f.Read(make([]byte, 1)); err != reason {
					t.Errorf("after %v: %v", delay, err)
				}
				g := follow(t, path, opts...)
				time.AfterFunc(delay, func() { g.Close() })
				g.ends(blosc2.ErrClosed)
			}
		})
	}
}
