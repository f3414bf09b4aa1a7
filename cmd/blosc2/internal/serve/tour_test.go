package serve

import (
	"bufio"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestTour takes pictures of the pages of the server at BLOSC2_TOUR, to look at.
func TestTour(t *testing.T) {
	base := os.Getenv("BLOSC2_TOUR")
	if base == "" {
		t.Skip("BLOSC2_TOUR is not set")
	}
	b := newBrowser(t)
	for name, u := range map[string]string{
		"root": "/", "heat": "/view/cube.b2nd", "line": "/view/signal.b2nd", "table": "/view/table.b2nd", "field": "/view/table.b2nd?v=line&field=Temp",
		"complex": "/view/complex.b2nd?part=angle&pal=magma", "chunks": "/view/cube.b2nd?v=chunks", "meta": "/view/cube.b2nd?v=meta", "frame": "/view/sub/era5.b2frame?v=line", "grid": "/view/cube.b2nd?v=table&at=3,0,0",
		"zoom": "/view/cube.b2nd?zx=100:140&zy=20:50",
	} {
		b.open(base + u)
		b.shot(name)
	}
	b.call("Emulation.setEmulatedMedia", map[string]any{"features": []any{map[string]any{"name": "prefers-color-scheme", "value": "dark"}}}, nil)
	b.open(base + "/view/cube.b2nd?at=7,0,0")
	b.shot("dark")
	b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": 390, "height": 800, "deviceScaleFactor": 2, "mobile": true}, nil)
	b.open(base + "/view/signal.b2nd")
	b.shot("phone")
	for _, c := range b.complaints() {
		t.Error(c)
	}
}

// TestFigures measures the page of the first array in the folder BLOSC2_FIGURES,
// served by the program BLOSC2_PROGRAM.
func TestFigures(t *testing.T) {
	dir, program := os.Getenv("BLOSC2_FIGURES"), os.Getenv("BLOSC2_PROGRAM")
	if dir == "" || program == "" {
		t.Skip("BLOSC2_FIGURES and BLOSC2_PROGRAM are not set")
	}
	list, err := os.ReadDir(dir)
	if err != nil || len(list) == 0 {
		t.Fatal(err)
	}
	b := newBrowser(t)
	start := func() (base string, stop func()) {
		cmd := exec.Command(program, "serve", "--addr", "localhost:0", dir)
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
		return strings.TrimSuffix(strings.TrimSpace(line), "/"), func() { cmd.Process.Signal(os.Interrupt); cmd.Wait() }
	}
	var first, final []time.Duration
	for range 5 {
		b.call("Network.clearBrowserCache", nil, nil)
		exec.Command("dd", "of="+dir+"/"+list[0].Name(), "oflag=nocache", "conv=notrunc,fdatasync", "count=0", "status=none").Run()
		begun := time.Now()
		base, stop := start()
		b.open(base + "/view/" + list[0].Name())
		first = append(first, time.Since(begun))
		b.wait("document.documentElement.dataset.final")
		final = append(final, time.Since(begun))
		stop()
	}
	base, stop := start()
	defer stop()
	b.open(base + "/view/" + list[0].Name())
	b.wait("document.documentElement.dataset.final")
	var steps, ends []time.Duration
	eval[any](b, "document.querySelector('.plot canvas').focus()")
	for _, key := range strings.Split("+ + R R D + + L U + R D + + R R D D - - + R L U D - - R D +", " ") {
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
	for name, d := range map[string][]time.Duration{"first picture": first, "first picture refined": final, "pan or zoom": steps, "pan or zoom refined": ends} {
		slices.Sort(d)
		t.Logf("%s: median %v, least %v, most %v", name, d[len(d)/2].Round(time.Millisecond), d[0].Round(time.Millisecond), d[len(d)-1].Round(time.Millisecond))
	}
}
