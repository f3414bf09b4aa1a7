package reliabilitytest

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/stream"
)

// A process of C-Blosc2 with locking enabled and our writers append to one file at
// the same time: none loses data of another.
//
// C-Blosc2 3.3.5 opens a file before it locks it: frame_from_file_offset asks
// for the file's size, reads the header, and refuses a length above that size.
// Where a writer appends between the two, the open fails, with a writer of C as
// well (later versions open again by themselves). So a process that cannot open
// the file is started again; one that opened it must append.
func TestLockWithC(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped in short mode: starts processes of C-Blosc2")
	}
	lib := b2test.Oracle(t, 3)
	dir := t.TempDir()
	const size, ours, theirs = 4000, 4, 2
	chunk := filepath.Join(dir, "chunk")
	mine, other := pattern(0, size), bytes.Repeat([]byte{7, 0, 0, 0}, size/4)
	must(t, os.WriteFile(chunk, other, 0o666))
	waited := 0
	var reopened atomic.Int32
	for round := range pick(8, 200) {
		path := filepath.Join(dir, fmt.Sprint(round))
		d := newDisk(nil)
		w, err := stream.NewWriter(d, stream.ChunkSize(size), stream.TypeSize(4), stream.Workers(1))
		must(t, err)
		_, err = w.Write(mine)
		must(t, err)
		must(t, w.Close())
		must(t, os.WriteFile(path, d.b, 0o666))
		var wg sync.WaitGroup
		for range theirs {
			wg.Go(func() {
				var out []byte
				var err error
				for range 5 {
					cmd := exec.Command(lib.Path, "edit-frame", "--codec", "lz4", "--typesize", "4", "--append", "file:"+chunk, path)
					cmd.Env = append(os.Environ(), "BLOSC_LOCKING=1")
					if out, err = cmd.CombinedOutput(); !strings.Contains(string(out), "cannot be opened") {
						break
					}
					reopened.Add(1)
				}
				if err != nil {
					t.Errorf("round %d: %v: %s", round, err, out)
				}
			})
		}
		for range ours {
			e, err := frame.EditFile(path)
			for since := time.Now(); err != nil; e, err = frame.EditFile(path) {
				if waited++; time.Since(since) > 20*time.Second {
					t.Fatalf("round %d: %v", round, err)
				}
				time.Sleep(100 * time.Microsecond)
			}
			must(t, e.Append(mine))
			must(t, e.Commit())
			must(t, e.Close())
		}
		wg.Wait()
		f, err := frame.OpenFile(path)
		must(t, err)
		got := [2]int{}
		for n := range f.NumChunks() {
			c, err := f.Chunk(nil, n)
			must(t, err)
			switch {
			case bytes.Equal(c, mine):
				got[0]++
			case bytes.Equal(c, other):
				got[1]++
			}
		}
		f.Close()
		if want := [2]int{1 + ours, theirs}; got != want {
			t.Errorf("round %d: %d chunks of ours and %d of theirs, want %v", round, got[0], got[1], want)
		}
	}
	t.Logf("%v took part; ours found the file locked %d times, theirs could not open it %d times", lib, waited, reopened.Load())
}
