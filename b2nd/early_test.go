package b2nd

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/stream"
)

// If the input ends early, CloseRows returns an error and makes an array of all complete
// rows, which C-Blosc2 reads too.
func TestCloseRows(t *testing.T) {
	libs := b2test.Oracles(t)
	data := bytes.Repeat([]byte{1, 2, 3, 5, 8, 13, 21}, earlyRows*earlyRow/7)
	for _, shape := range []int64{earlyRows, Unknown} {
		for n := 0; n <= len(data); n += earlyRow * 4 / 3 {
			path := filepath.Join(t.TempDir(), "a.b2nd")
			file, err := os.Create(path)
			if err != nil {
				t.Fatal(err)
			}
			w, err := NewWriter(file, earlySpec(shape))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.Write(data[:n]); err != nil {
				t.Fatal(err)
			}
			whole := shape == Unknown && n%earlyRow == 0 || n == len(data)
			if err := w.CloseRows(); whole != (err == nil) || err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("shape %d, %d bytes: %v", shape, n, err)
			}
			if err := w.CloseRows(); whole != (err == nil) {
				t.Errorf("shape %d, %d bytes: closed again: %v", shape, n, err)
			}
			file.Close()
			rows := int64(n / earlyRow)
			checkRows(t, libs, path, rows, data[:rows*earlyRow])
		}
	}
}

// checkRows checks that a file is an array of the given number of rows, with the bytes
// want.
func checkRows(t *testing.T, libs []b2test.Library, path string, rows int64, want []byte) {
	t.Helper()
	a, err := OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if got, err := a.ReadAll(); err != nil || a.Shape()[0] != rows || !bytes.Equal(got, want) {
		t.Errorf("%d rows: shape %v, %d bytes, %v", rows, a.Shape(), len(got), err)
	}
	for _, lib := range libs {
		if rows == 0 {
			continue // C-Blosc2 returns no bytes of an empty array, or an error
		}
		if got, err := lib.Decode(t, "read-b2nd", path); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%d rows: C-Blosc2 %d reads %d bytes, %v", rows, lib.Major, len(got), err)
		}
	}
}

// If the header can no longer be changed, an array of known shape remains
// unfinished.
func TestCloseRowsTooLate(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	go io.Copy(io.Discard, r)
	a, err := NewWriter(w, earlySpec(earlyRows))
	if err != nil {
		t.Fatal(err)
	}
	_, err = a.Write(make([]byte, 10*earlyRow))
	if err := errors.Join(err, a.Flush()); err != nil {
		t.Fatal(err)
	}
	if err := a.CloseRows(); !errors.Is(err, io.ErrUnexpectedEOF) || a.Sealed() {
		t.Errorf("%v, sealed %v", err, a.Sealed())
	}
	w.Close()
}

// Closing a Writer before the array is complete leaves no goroutine.
func TestCloseShortEndsWorkers(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(max(2, runtime.GOMAXPROCS(0))))
	before := runtime.NumGoroutine()
	for _, closing := range []func(*Writer) error{(*Writer).Close, (*Writer).CloseRows} {
		w, err := NewWriter(new(bytes.Buffer), earlySpec(earlyRows), stream.Workers(2))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(make([]byte, 20*earlyRow)); err != nil {
			t.Fatal(err)
		}
		if err := closing(w); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Error(err)
		}
	}
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}

// After a Writer has died, its array, of known shape or growing, is repaired and
// finished to an array of all whole slabs, which C-Blosc2 reads too.
func TestFinish(t *testing.T) {
	libs := b2test.Oracles(t)
	data := bytes.Repeat([]byte{1, 2, 3, 5, 8, 13, 21}, earlyRows*earlyRow/7)
	for _, shape := range []int64{earlyRows, Unknown} {
		for _, rows := range []int64{0, 7, 8, 20, 39} {
			for _, cut := range []int64{0, 1, 60} { // bytes cut off the end of the file
				path := filepath.Join(t.TempDir(), "a")
				file, err := os.Create(path)
				if err != nil {
					t.Fatal(err)
				}
				var sink io.Writer = file
				if shape == Unknown { // a file would record all rows in its header, so use a sink that cannot be patched
					sink = struct{ io.Writer }{file}
				}
				w, err := NewWriter(sink, earlySpec(shape), stream.Workers(1)) // one worker, so no goroutine remains although the Writer is never closed
				if err != nil {
					t.Fatal(err)
				}
				_, err = w.Write(data[:rows*earlyRow])
				if err := errors.Join(err, w.Flush()); err != nil {
					t.Fatal(err)
				}
				info, err := file.Stat()
				if err != nil {
					t.Fatal(err)
				}
				want := rows / 8 * 8
				if want == 0 {
					continue // the file has no whole chunk
				}
				if cut > 0 {
					want -= 8
					if err := file.Truncate(info.Size() - cut); err != nil {
						t.Fatal(err)
					}
				}
				if want == 0 {
					continue
				}
				if _, err := frame.RepairFile(path, path+"2"); err != nil {
					t.Fatal(err)
				}
				for again := range 2 {
					fixed, err := os.OpenFile(path+"2", os.O_RDWR, 0)
					if err != nil {
						t.Fatal(err)
					}
					info, err := fixed.Stat()
					if err != nil {
						t.Fatal(err)
					}
					wantRows := want
					if again > 0 {
						wantRows = -1
					}
					if n, err := Finish(fixed, info.Size()); n != wantRows || err != nil {
						t.Errorf("shape %d, %d rows, %d bytes cut: finished with %d rows, want %d, %v", shape, rows, cut, n, wantRows, err)
					}
					fixed.Close()
				}
				checkRows(t, libs, path+"2", want, data[:want*earlyRow])
				file.Close()
			}
		}
	}
}

// Finish does not change frames that are not arrays, nor complete arrays.
func TestFinishLeavesOthers(t *testing.T) {
	var plain, whole bytes.Buffer
	w, err := stream.NewWriter(&plain)
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.Write(make([]byte, 100))
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	a, err := NewWriter(&whole, earlySpec(2))
	if err != nil {
		t.Fatal(err)
	}
	_, err = a.Write(make([]byte, 2*earlyRow))
	if err := errors.Join(err, a.Close()); err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string][]byte{"frame": plain.Bytes(), "array": whole.Bytes()} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		if n, err := Finish(f, int64(len(b))); n != -1 || err != nil {
			t.Errorf("%s: %d rows, %v", name, n, err)
		}
		f.Close()
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, b) {
			t.Errorf("%s changed, %v", name, err)
		}
	}
}
