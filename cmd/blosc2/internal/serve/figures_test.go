package serve

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// TestFigures measures the program BLOSC2_PROGRAM with an array of 4 GiB in the
// folder BLOSC2_FIGURES, which it writes there if the folder has none. The script
// testdata/figures runs it.
func TestFigures(t *testing.T) {
	f := &figures{dir: os.Getenv("BLOSC2_FIGURES"), program: os.Getenv("BLOSC2_PROGRAM")}
	if f.dir == "" || f.program == "" {
		t.Skip("BLOSC2_FIGURES and BLOSC2_PROGRAM are not set")
	}
	if _, err := os.Stat(filepath.Join(f.dir, figuresName)); err != nil {
		makeFigures(t, f.dir)
	}
	t.Run("Page", f.page)
	t.Run("Memory", f.memory)
	t.Run("File", f.file)
}

// These describe the array that is measured: 4 GiB of float32.
const (
	figuresName = "figures.b2nd"
	figuresSide = 32768
)

func makeFigures(t *testing.T, dir string) {
	t.Helper()
	f, err := os.Create(filepath.Join(dir, figuresName))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w, err := b2nd.NewWriter(f, b2nd.Spec{Shape: []int64{figuresSide, figuresSide}, DType: "<f4"})
	if err != nil {
		t.Fatal(err)
	}
	wave := make([]float32, 2*figuresSide)
	for i := range wave {
		wave[i] = float32(math.Round(200 * math.Sin(float64(i)/700) * math.Cos(float64(i)/97)))
	}
	row := make([]float32, figuresSide)
	for i := range figuresSide {
		for j := range row {
			row[j] = wave[j] + wave[i] + wave[i+j]
		}
		if _, err := b2nd.WriteSlice(w, row); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

type figures struct{ dir, program string }

// start starts the program on a free port.
func (f *figures) start(t *testing.T, args ...string) (base string, cmd *exec.Cmd, stop func()) {
	t.Helper()
	cmd = exec.Command(f.program, append(append([]string{"serve", "--addr", "localhost:0"}, args...), f.dir)...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(strings.TrimSpace(line), "/"), cmd, func() { cmd.Process.Signal(os.Interrupt); cmd.Wait() }
}

// forget drops the file from the system's cache.
func (f *figures) forget() {
	exec.Command("dd", "of="+filepath.Join(f.dir, figuresName), "oflag=nocache", "conv=notrunc,fdatasync", "count=0", "status=none").Run()
}

func logTimes(t *testing.T, name string, d []time.Duration) {
	t.Helper()
	slices.Sort(d)
	t.Logf("%s: median %v of %d, least %v, most %v", name, d[len(d)/2].Round(time.Millisecond), len(d), d[0].Round(time.Millisecond), d[len(d)-1].Round(time.Millisecond))
}

// page measures the time from the start of the program to the first picture, with the
// file and the page in no cache, and then the times of pictures after keys.
func (f *figures) page(t *testing.T) {
	b := newBrowser(t)
	var first, final, steps, ends []time.Duration
	for range 9 {
		b.call("Network.clearBrowserCache", nil, nil)
		f.forget()
		begun := time.Now()
		base, _, stop := f.start(t)
		b.open(base + "/view/" + figuresName)
		first = append(first, time.Since(begun))
		b.wait("document.documentElement.dataset.final")
		final = append(final, time.Since(begun))
		stop()
	}
	logTimes(t, "first picture", first)
	logTimes(t, "first picture, refined", final)
	base, _, stop := f.start(t)
	defer stop()
	b.open(base + "/view/" + figuresName)
	b.wait("document.documentElement.dataset.final")
	eval[any](b, "document.querySelector('.plot canvas').focus()")
	for key := range strings.SplitSeq("+ + R R D + + L U + R D + + R R D D - - + R L U D - - R D +", " ") {
		eval[any](b, "document.documentElement.dataset.final = ''")
		begun := time.Now()
		b.does(func() {
			if arrow := map[string]string{"R": "ArrowRight", "L": "ArrowLeft", "U": "ArrowUp", "D": "ArrowDown"}[key]; arrow != "" {
				eval[any](b, "document.querySelector('.plot canvas').dispatchEvent(new KeyboardEvent('keydown', {key: %q, shiftKey: true}))", arrow)
			} else {
				b.key(key)
			}
		})
		steps = append(steps, time.Since(begun))
		b.wait("document.documentElement.dataset.final")
		ends = append(ends, time.Since(begun))
	}
	logTimes(t, "pan or zoom", steps)
	logTimes(t, "pan or zoom, refined", ends)
}

// memory requests 200 windows of 64 MiB at once, and compares each answer.
func (f *figures) memory(t *testing.T) {
	base, cmd, stop := f.start(t)
	defer stop()
	var windows []string
	var items [][]byte
	for i := range 4 {
		windows = append(windows, fmt.Sprintf("%d:%d,%d:%d", 5000*i, 5000*i+4096, 300*i, 300*i+4096))
		items = append(items, window(t, filepath.Join(f.dir, figuresName), windows[i]))
	}
	var good, refused atomic.Int32
	var all sync.WaitGroup
	for i := range 200 {
		all.Go(func() {
			resp, err := http.Get(base + "/a/" + figuresName + "?format=raw&window=" + windows[i%4])
			if err != nil {
				t.Error(err)
				return
			}
			defer resp.Body.Close()
			switch {
			case resp.StatusCode == http.StatusServiceUnavailable && resp.Header.Get("Retry-After") != "":
				refused.Add(1)
			case resp.StatusCode == http.StatusOK && sameBytes(resp.Body, items[i%4]):
				good.Add(1)
			default:
				t.Errorf("window %s: %s, or other items", windows[i%4], resp.Status)
			}
		})
	}
	all.Wait()
	t.Logf("200 windows of 64 MiB: %d answered, all right, %d refused with 503, most memory of the program %s", good.Load(), refused.Load(), statusLine(cmd.Process.Pid, "VmHWM"))
}

func sameBytes(r io.Reader, want []byte) bool {
	b := make([]byte, 64<<10)
	for {
		n, err := r.Read(b)
		if n > len(want) || !bytes.Equal(b[:n], want[:n]) {
			return false
		}
		want = want[n:]
		if err != nil {
			return err == io.EOF && len(want) == 0
		}
	}
}

// statusLine returns a line of a process's status in Linux.
func statusLine(pid int, name string) string {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return err.Error()
	}
	for line := range strings.SplitSeq(string(b), "\n") {
		if rest, ok := strings.CutPrefix(line, name+":"); ok {
			return strings.TrimSpace(rest)
		}
	}
	return "not known"
}

// file compares the speeds of /f and of nginx, measured in turns by wrk with ranges of
// the same file.
func (f *figures) file(t *testing.T) {
	for _, name := range []string{"wrk", "nginx"} {
		if _, err := exec.LookPath(name); err != nil {
			b2test.Missing(t, name)
		}
	}
	base, ours, stop := f.start(t)
	defer stop()
	home := t.TempDir()
	user := ""
	if os.Geteuid() == 0 {
		user = "user root;"
	}
	conf := filepath.Join(home, "nginx.conf")
	text := fmt.Sprintf(`%s daemon off; worker_processes auto; pid %[2]s/pid; error_log %[2]s/errors;
events { worker_connections 1024; }
http { access_log off; sendfile on; keepalive_requests 1000000; server { listen 127.0.0.1:8026; root %[3]s; } }
`, user, home, f.dir)
	if err := os.WriteFile(conf, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	nginx := exec.Command("nginx", "-p", home, "-c", conf)
	nginx.Stderr = os.Stderr
	if err := nginx.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { nginx.Process.Signal(os.Interrupt); nginx.Wait() }()
	for began := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		c, err := net.Dial("tcp", "127.0.0.1:8026")
		if err == nil {
			c.Close()
			break
		}
		if time.Since(began) > 10*time.Second {
			t.Fatal(err)
		}
	}
	for _, span := range []string{"100000-165535", "100000-1148575"} {
		rates, costs := map[string][]float64{}, map[string][]float64{}
		for range 5 {
			for _, c := range []struct {
				name, url string
				pid       int
			}{{"blosc2", base + "/f/" + figuresName, ours.Process.Pid}, {"nginx", "http://127.0.0.1:8026/" + figuresName, nginx.Process.Pid}} {
				before := processorTime(c.pid)
				out, err := exec.Command("wrk", "-t1", "-c16", "-d3s", "-H", "Range: bytes="+span, c.url).Output()
				if err != nil {
					t.Fatal(err)
				}
				rate, n := wrkFigures(t, string(out))
				rates[c.name] = append(rates[c.name], rate)
				costs[c.name] = append(costs[c.name], (processorTime(c.pid)-before).Seconds()*1e6/n)
			}
		}
		for _, m := range []map[string][]float64{rates, costs} {
			for _, v := range m {
				slices.Sort(v)
			}
		}
		r, c := rates, costs
		t.Logf("bytes=%s: %.0f requests/s (medians of 5; %.0f to %.0f), nginx %.0f (%.0f to %.0f): %.2f ×; processor time of a request %.0f µs, nginx %.0f µs", span,
			r["blosc2"][2], r["blosc2"][0], r["blosc2"][4], r["nginx"][2], r["nginx"][0], r["nginx"][4], r["blosc2"][2]/r["nginx"][2], c["blosc2"][2], c["nginx"][2])
	}
}

// wrkFigures returns the requests per second and their number.
func wrkFigures(t *testing.T, out string) (rate, n float64) {
	t.Helper()
	if strings.Contains(out, "Non-2xx") {
		t.Fatalf("wrk: %s", out)
	}
	for line := range strings.SplitSeq(out, "\n") {
		words := strings.Fields(line)
		if len(words) == 2 && words[0] == "Requests/sec:" {
			rate, _ = strconv.ParseFloat(words[1], 64)
		}
		if len(words) > 3 && words[1] == "requests" {
			n, _ = strconv.ParseFloat(words[0], 64)
		}
	}
	if rate == 0 || n == 0 {
		t.Fatalf("wrk: %s", out)
	}
	return rate, n
}

// processorTime returns the processor time of a process and its children.
func processorTime(pid int) (sum time.Duration) {
	pids := []int{pid}
	b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%[1]d/children", pid))
	for word := range strings.FieldsSeq(string(b)) {
		if n, err := strconv.Atoi(word); err == nil {
			pids = append(pids, n)
		}
	}
	for _, p := range pids {
		b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p))
		if err != nil {
			continue
		}
		words := strings.Fields(string(b[bytes.LastIndexByte(b, ')')+1:]))
		for _, w := range words[11:13] { // the columns are in hundredths of a second
			n, _ := strconv.ParseInt(w, 10, 64)
			sum += time.Duration(n) * 10 * time.Millisecond
		}
	}
	return sum
}
