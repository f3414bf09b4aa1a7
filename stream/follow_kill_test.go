package stream_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/stream"
)

// followWriter is the writer that TestFollowKill kills, in a separate process.
func followWriter(path string, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 3))
	var have int64
	if f, err := frame.OpenFile(path, frame.AllowTorn()); err == nil {
		have = f.Size()
		f.Close()
	}
	w, err := stream.AppendFile(path, stream.ChunkSize(8192))
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	at := have
	for {
		n := 16 * (1 + rng.IntN(40))
		if rng.IntN(20) == 0 {
			n *= 40
		}
		_, err := w.Write(counting(at, n))
		if err == nil {
			err = w.Flush()
		}
		if err == nil && rng.IntN(30) == 0 {
			err = w.Checkpoint()
		}
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		at += int64(n)
		fmt.Println(at) // reports that all bytes before at were flushed
	}
}

// counting returns n bytes of a stream, beginning with byte at.
func counting(at int64, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte((at + int64(i)) / 16 * 7 >> uint((at+int64(i))%16))
	}
	return b
}

// A Follower sees every byte that was flushed, once, through the deaths of the
// writers.
func TestFollowKill(t *testing.T) {
	kills := 25
	if os.Getenv("BLOSC2_FULL") != "" {
		kills = 3000
	}
	path := filepath.Join(t.TempDir(), "log")
	rng := rand.New(rand.NewPCG(5, 6))
	f, err := stream.FollowFile(t.Context(), path, stream.KeepFollowing())
	must(t, err)
	defer f.Close()
	read := make(chan int64)
	ended := make(chan error, 1)
	go func() {
		got := int64(0)
		for {
			data, err := f.NextChunk()
			if err == nil && !bytes.Equal(data, counting(got, len(data))) {
				err = fmt.Errorf("wrong bytes at %d", got)
			}
			if err != nil {
				ended <- err
				return
			}
			got += int64(len(data))
			select {
			case read <- got:
			case <-t.Context().Done():
			}
		}
	}()
	var got int64
	for i := range kills {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "BLOSC2_FOLLOW_WRITER="+path, "BLOSC2_FOLLOW_SEED="+strconv.Itoa(i))
		var out bytes.Buffer
		cmd.Stdout = &out
		must(t, cmd.Start())
		kill := time.After(time.Duration(20+rng.IntN(60)) * time.Millisecond)
		flushed, dead := int64(0), false
		for !dead || got < flushed {
			select {
			case got = <-read:
			case err := <-ended:
				t.Fatalf("kill %d, after %d bytes: %v", i, got, err)
			case <-kill:
				must(t, cmd.Process.Kill())
				cmd.Wait()
				dead = true
				for line := range bytes.Lines(out.Bytes()) {
					if n, err := strconv.ParseInt(string(bytes.TrimSpace(line)), 10, 64); err == nil && line[len(line)-1] == '\n' {
						flushed = n
					}
				}
			case <-time.After(20 * time.Second):
				t.Fatalf("kill %d: %d of %d flushed bytes were delivered; the writer: %s", i, got, flushed, out.Bytes()[max(0, out.Len()-200):])
			}
		}
	}
	must(t, f.Close())
	if w, err := stream.AppendFile(path); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	one := follow(t, path)
	all, err := io.ReadAll(one)
	if err != nil || int64(len(all)) < got || !bytes.Equal(all, counting(0, len(all))) {
		t.Fatalf("%d bytes at the end, %d were followed: %v", len(all), got, err)
	}
	t.Logf("%d bytes through %d kills", got, kills)
}

// BenchmarkFollow is the time from a Flush of 160 bytes to their delivery.
func BenchmarkFollow(b *testing.B) {
	for _, bench := range []struct {
		name string
		opts []stream.FollowOption
	}{{"notified", nil}, {"polling", []stream.FollowOption{stream.PollEvery(5 * time.Millisecond)}}} {
		b.Run(bench.name, func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "log")
			w, err := stream.AppendFile(path)
			must(b, err)
			defer w.Abort(nil)
			f := follow(b, path, bench.opts...)
			turn, done := make(chan bool), make(chan bool)
			go func() {
				defer close(done)
				for range turn {
					time.Sleep(200 * time.Microsecond) // time for the Follower to begin waiting
					if _, err := w.Write(make([]byte, 160)); err != nil || w.Flush() != nil {
						return
					}
				}
			}()
			for b.Loop() {
				turn <- true
				for n := 0; n < 160; {
					data, err := f.NextChunk()
					must(b, err)
					n += len(data)
				}
			}
			close(turn)
			<-done
		})
	}
}
