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
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed03b80dae/blosc2/remote"
	"github.com/seed03b80dae/blosc2/stream"
)

// writing is the environment variable that makes Run write a frame of that many bytes.
const writing = "STORETEST_WRITING"

// Numbers is a source of numbers that compress to about a half.
type Numbers struct{ x uint64 }

func (r *Numbers) Read(p []byte) (int, error) {
	n := len(p) &^ 7
	for i := 0; i < n; i += 8 {
		r.x = r.x*6364136223846793005 + 1442695040888963407
		binary.LittleEndian.PutUint64(p[i:], r.x>>32)
	}
	return n, nil
}

// copyNumbers writes that many bytes of Numbers.
func copyNumbers(w io.Writer, size int64) error {
	_, err := io.CopyBuffer(struct{ io.Writer }{w}, io.LimitReader(new(Numbers), size), make([]byte, 1<<20))
	return err
}

// writeNumbers writes a frame as the library does unless it is told otherwise.
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

// Benchmark writes a frame into a store, of 256 MiB or of as many bytes as
// BLOSC2_WRITE says, by a program that uses the library and by the command, and
// reports how much memory each process has had at most. The requests go by way of a
// proxy, which is in the process of the test and counts them.
func Benchmark(b *testing.B, d Driver) {
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
	library := func() *exec.Cmd {
		cmd := exec.Command(os.Args[0], "-test.run=^TestStore$")
		cmd.Env = append(os.Environ(), writing+"="+fmt.Sprint(size), killed+"="+s.proxy.URL)
		return cmd
	}
	command := func() *exec.Cmd {
		return exec.Command(filepath.Join(dir, "blosc2"), "compress", "--typesize", "8", "--force", "-o", s.url("numbers"), path)
	}
	for _, by := range []struct {
		name string
		cmd  func() *exec.Cmd
	}{{"library", library}, {"command", command}} {
		b.Run(by.name, func(b *testing.B) {
			b.SetBytes(size)
			requests.Store(0)
			sent.Store(0)
			var peaks []float64
			for b.Loop() {
				peaks = peaksOf(b, by.cmd())
			}
			sum := 0.0
			for i, peak := range peaks {
				sum += peak
				b.ReportMetric(peak, fmt.Sprintf("MiB-process-%d", i+1))
			}
			b.ReportMetric(sum, "MiB-resident")
			b.ReportMetric(float64(requests.Load())/float64(b.N), "requests")
			b.ReportMetric(float64(sent.Load())/float64(b.N)/(1<<20), "MiB-sent")
			b.ReportMetric(b.Elapsed().Seconds()/float64(b.N), "s/op")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// peaksOf runs a program, and returns how many MiB it and the programs that it
// starts were resident in at most.
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
		children, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", self, self))
		for _, pid := range append([]string{strconv.Itoa(self)}, strings.Fields(string(children))...) {
			n, _ := strconv.Atoi(pid)
			if peak := peakOf(n); peak > 0 {
				if most[n] == 0 {
					order = append(order, n)
				}
				most[n] = max(most[n], peak)
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

// peakOf returns how many MiB a process was resident in at most; 0 if the system
// does not say so.
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
