package b2nd

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/stream"
)

func (w Window) bounds() (start, stop []int64) {
	for _, s := range w {
		start, stop = append(start, s.Start), append(stop, s.Stop)
	}
	return start, stop
}

// C-Blosc2 reads the Writer's arrays, whole and in slices.
func TestCReadsOurs(t *testing.T) {
	faults := 0
	for _, lib := range b2test.Oracles(t) {
		r := rand.New(rand.NewPCG(5, 6))
		dir := t.TempDir()
		for i := range rounds() {
			tr := randomTrial(t, r, 8)
			path, out := filepath.Join(dir, "a.b2nd"), filepath.Join(dir, "a.bin")
			file, err := os.Create(path)
			if err != nil {
				t.Fatal(err)
			}
			spec := tr.spec
			if len(spec.Shape) > 0 && product(spec.Shape[1:]) > 0 && i%2 == 1 {
				spec.Shape = append([]int64{Unknown}, spec.Shape[1:]...)
			}
			w, err := NewWriter(file, spec, stream.Codec(tr.codec), stream.Level(tr.level), stream.Filters(filters.Default()), stream.Checks(i%3 > 0))
			if err != nil {
				t.Fatal(err)
			}
			writeIn(t, r, w, tr.data)
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			file.Close()
			lib.Run(t, "read-b2nd", path, out)
			if got, _ := os.ReadFile(out); !bytes.Equal(got, tr.data) {
				if tr.misplaced(t, lib, dir) {
					faults++
					continue
				}
				t.Fatalf("%v: %+v %v %d: C reads other bytes", lib, spec, tr.codec, tr.level)
			}
			if product(tr.spec.Shape) == 0 || len(tr.spec.Shape) == 0 {
				continue
			}
			win := tr.window(r)
			start, stop := win.bounds()
			lib.Run(t, "slice-b2nd", "--start", list(start), "--stop", list(stop), path, out)
			if got, _ := os.ReadFile(out); !bytes.Equal(got, naiveWindow(tr.grid, tr.data, win)) {
				if tr.misplaced(t, lib, dir) {
					faults++
					continue
				}
				t.Fatalf("%v: %+v: C reads another slice %v", lib, spec, win)
			}
		}
	}
	t.Logf("cases: %d arrays of ours read by each library, whole and by a slice; %d left out that C-Blosc2 2.17.1 misplaces", rounds(), faults)
}

// Open reads the arrays of C-Blosc2, whole, in slices and with steps.
func TestWeReadC(t *testing.T) {
	faults := 0
	for _, lib := range b2test.Oracles(t) {
		r := rand.New(rand.NewPCG(7, 8))
		dir := t.TempDir()
		in, path := filepath.Join(dir, "a.bin"), filepath.Join(dir, "a.b2nd")
		for range rounds() {
			tr := randomTrial(t, r, 8)
			if product(tr.spec.Shape) == 0 {
				continue
			}
			if err := os.WriteFile(in, tr.data, 0o644); err != nil {
				t.Fatal(err)
			}
			tr.writeWith(t, lib, in, path)
			if tr.misplaced(t, lib, dir) {
				faults++
				continue
			}
			a, err := OpenFile(path)
			if err != nil {
				t.Fatalf("%v: %+v: %v", lib, tr.spec, err)
			}
			for i := range 8 {
				win := All(tr.spec.Shape)
				if i > 0 {
					win = tr.window(r)
				}
				for d := range win {
					if i > 4 {
						win[d].Step = 1 + r.Int64N(4)
					}
				}
				want := naiveWindow(tr.grid, tr.data, win)
				got := make([]byte, len(want))
				if err := a.ReadWindow(got, win); err != nil {
					t.Fatalf("%v: %+v: %v: %v", lib, tr.spec, win, err)
				}
				if !bytes.Equal(got, want) {
					t.Fatalf("%v: %+v: %v has other bytes", lib, tr.spec, win)
				}
			}
			a.Close()
		}
	}
	t.Logf("cases: %d arrays of each library, eight windows of each; %d arrays left out that C-Blosc2 2.17.1 misplaces", rounds(), faults)
}
