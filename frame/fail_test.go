package frame_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed03b80dae/blosc2/frame"
)

// If a call of a file fails, the frame is as before or as after the change.
func TestFileFails(t *testing.T) {
	data, more := ramp(2500), ramp(1300)
	want := append(bytes.Clone(data), more...)
	failures := 0
	for left := 0; ; left++ {
		m := newMaker(t, 1000, building{Checks: true})
		for _, c := range cut(data, 1000) {
			m.chunk(c)
		}
		m.tail()
		d := newDisk(m.sealed(), left)
		e, err := frame.Edit(d, int64(len(d.now)))
		if err != nil {
			t.Fatal(err)
		}
		if err = errors.Join(e.Append(more), e.Commit()); err == nil {
			break
		}
		failures++
		if !errors.Is(err, errPower) {
			t.Fatal(err)
		}
		if err := e.Append(more); !errors.Is(err, errPower) {
			t.Errorf("after the failure: %v", err)
		}
		got, _, err := readAll(d.now)
		if err != nil || !bytes.Equal(got, data) && !bytes.Equal(got, want) {
			t.Errorf("call %d fails: %d bytes, %v", left, len(got), err)
		}
	}
	t.Logf("%d calls failed", failures)
	if failures < 4 {
		t.Error("too few")
	}
}

// killed is set in the process that appends to a frame until it is killed.
const killed = "BLOSC2_TEST_APPEND_TO"

func TestMain(m *testing.M) {
	if path := os.Getenv(killed); path != "" {
		appendForever(path)
	}
	os.Exit(m.Run())
}

// appendForever appends a ramp piece by piece, commits each piece, and prints how much it
// has committed.
func appendForever(path string) {
	e, err := frame.EditFile(path)
	for err == nil {
		n := e.Size()
		err = errors.Join(e.Append(ramp(int(n) + 700)[n:]), e.Commit())
		fmt.Println(e.Size())
		if e.Size() > 1<<20 {
			time.Sleep(time.Hour)
		}
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// If a process is killed while it appends, the frame holds all data that it committed.
func TestKilled(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	kills := 12
	if full {
		kills = 1000
	}
	path := sealedOf(t, ramp(2500))
	var total int64
	for i := range kills {
		if i%50 == 49 {
			path = sealedOf(t, ramp(2500))
		}
		cmd := exec.Command(exe)
		cmd.Env = append(os.Environ(), killed+"="+path)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(time.Duration(5+rand.IntN(25))*time.Millisecond, func() { cmd.Process.Kill() })
		said := int64(0)
		for s := bufio.NewScanner(out); s.Scan(); {
			if n, err := strconv.ParseInt(strings.TrimSpace(s.Text()), 10, 64); err == nil {
				said = n
			}
		}
		cmd.Wait()
		f, err := frame.OpenFile(path)
		if err != nil {
			t.Fatalf("kill %d: %v", i, err)
		}
		got, err := payload(f.Reader)
		f.Close()
		if err != nil || int64(len(got)) < said || !bytes.Equal(got, ramp(len(got))) {
			t.Fatalf("kill %d: %d bytes, %d were said to be there: %v", i, len(got), said, err)
		}
		total += int64(len(got))
	}
	t.Logf("%d kills, %d bytes on average", kills, total/int64(kills))
}

// While a writer appends, readers see a complete frame at any time.
func TestReadersDuringAppends(t *testing.T) {
	path := sealedOf(t, ramp(2500))
	e, err := frame.EditFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	done := make(chan struct{})
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			f, err := frame.OpenFile(path)
			if err != nil {
				t.Error(err)
				return
			}
			file := f
			defer file.Close()
			for {
				got, err := payload(f.Reader)
				if err != nil || !bytes.Equal(got, ramp(len(got))) {
					t.Errorf("%d bytes: %v", len(got), err)
					return
				}
				select {
				case <-done:
					return
				default:
				}
				if f, err = f.Refresh(); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for range 30 {
		n := e.Size()
		if err := errors.Join(e.Append(ramp(int(n) + 900)[n:]), e.Commit()); err != nil {
			t.Error(err)
		}
	}
	close(done)
	wg.Wait()
}
