package storetest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed03b80dae/blosc2/remote"
	"github.com/seed03b80dae/blosc2/stream"
)

// writing is the environment variable that makes Run write a frame. It holds the number
// of bytes.
const writing = "STORETEST_WRITING"

// A Numbers is a source of numbers that compress to about half of their size.
type Numbers struct{ x uint64 }

func (r *Numbers) Read(p []byte) (int, error) {
	n := len(p) &^ 7
	for i := 0; i < n; i += 8 {
		r.x = r.x*6364136223846793005 + 1442695040888963407
		binary.LittleEndian.PutUint64(p[i:], r.x>>32)
	}
	return n, nil
}

// copyNumbers writes n bytes of Numbers.
func copyNumbers(w io.Writer, size int64) error {
	_, err := io.CopyBuffer(struct{ io.Writer }{w}, io.LimitReader(new(Numbers), size), make([]byte, 1<<20))
	return err
}

// writeNumbers writes a frame with the default settings of the library.
func (s *server) writeNumbers(t testing.TB, size int64) {
	object, err := s.store.Put(s.url("numbers"))
	if err != nil {
		t.Fatal(err)
	}
	w, err := remote.Create(t.Context(), object, nil, stream.TypeSize(8))
	if err != nil {
		t.Fatal(err)
	}
	if err := copyNumbers(w, size); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// Benchmark writes a frame of 256 MiB, or of BLOSC2_WRITE bytes, into a store: with
// a program that uses the library, and with the command from a file, from a pipe,
// and in four shards by four processes. It reports the peak memory of each process.
// A proxy in the process of the test counts the requests.
func Benchmark(b *testing.B, d Driver) {
	withoutHugePages(b)
	size := int64(256 << 20)
	if n, err := strconv.ParseInt(os.Getenv("BLOSC2_WRITE"), 10, 64); err == nil {
		size = n
	}
	s := d.start(b)
	var requests, sent atomic.Int64
	s.proxy.set(func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		requests.Add(1)
		sent.Add(max(r.ContentLength, 0))
		next.ServeHTTP(w, r)
	})
	dir := d.build(b)
	input := sync.OnceValue(func() string {
		path := filepath.Join(dir, "numbers.u8")
		file, err := os.Create(path)
		if err != nil {
			b.Fatal(err)
		}
		if err := copyNumbers(file, size); err != nil {
			b.Fatal(err)
		}
		if err := file.Close(); err != nil {
			b.Fatal(err)
		}
		return path
	})
	library := func(b *testing.B) []float64 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestStore$")
		cmd.Env = append(os.Environ(), writing+"="+fmt.Sprint(size), killed+"="+s.proxy.URL)
		return peaksOf(b, cmd)
	}
	blosc2 := func(args ...string) *exec.Cmd {
		return exec.Command(filepath.Join(dir, "blosc2"), append(args, s.url("numbers"))...)
	}
	compress := []string{"compress", "--typesize", "8", "--force"}
	command := func(b *testing.B) []float64 {
		return peaksOf(b, blosc2(append(compress, input(), "-o")...))
	}
	pipe := func(b *testing.B) []float64 {
		cmd := blosc2(append(compress, "-o")...)
		cmd.Stdin = io.LimitReader(new(Numbers), size)
		return peaksOf(b, cmd)
	}
	shards := func(b *testing.B) (most []float64) {
		const n = 4
		for k := range n {
			peaks := peaksOf(b, blosc2(append(compress, input(), "--shard", fmt.Sprintf("%d/%d", k, n), "-o")...))
			for i, peak := range peaks {
				if i == len(most) {
					most = append(most, 0)
				}
				most[i] = max(most[i], peak)
			}
		}
		return append(most, peaksOf(b, blosc2("assemble", "--force"))...)
	}
	for _, by := range []struct {
		name string
		run  func(b *testing.B) (peaks []float64)
	}{{"library", library}, {"pipe", pipe}, {"command", command}, {"shards", shards}} {
		b.Run(by.name, func(b *testing.B) {
			if by.name == "command" || by.name == "shards" {
				input()
			}
			b.SetBytes(size)
			requests.Store(0)
			sent.Store(0)
			var peaks []float64
			for b.Loop() {
				peaks = by.run(b)
			}
			for i, peak := range peaks {
				b.ReportMetric(peak, fmt.Sprintf("MiB-process-%d", i+1))
			}
			b.ReportMetric(float64(requests.Load())/float64(b.N), "requests")
			b.ReportMetric(float64(sent.Load())/float64(b.N)/(1<<20), "MiB-sent")
			b.ReportMetric(b.Elapsed().Seconds()/float64(b.N), "s/op")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// peaksOf runs a program. It returns the peak resident memory of the program, and that
// of the programs that it starts, in MiB.
func peaksOf(b testing.TB, cmd *exec.Cmd) (peaks []float64) {
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	most := map[int]float64{}
	var order []int
	for {
		self := cmd.Process.Pid
		for _, pid := range append(startedBy(self), self) {
			if peak := peakOf(pid); peak > 0 {
				if most[pid] == 0 {
					order = append(order, pid)
				}
				most[pid] = max(most[pid], peak)
			}
		}
		select {
		case err := <-ended:
			if err != nil {
				b.Fatalf("%v\n%s", err, &log)
			}
			for _, pid := range order {
				peaks = append(peaks, most[pid])
			}
			return peaks
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// startedBy returns the running programs that a process has started.
func startedBy(pid int) (all []int) {
	program := func(pid int) string {
		path, _ := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid))
		return path
	}
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, thread := range threads {
		children, _ := os.ReadFile(thread)
		for _, child := range strings.Fields(string(children)) {
			if n, _ := strconv.Atoi(child); program(n) != program(pid) { // otherwise the child has not started its program yet
				all = append(all, n)
			}
		}
	}
	return all
}

// peakOf returns the peak resident memory of a process in MiB, or 0 if the system
// does not report it.
func peakOf(pid int) float64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	var kib float64
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	fmt.Sscan(after, &kib)
	return kib / 1024
}
