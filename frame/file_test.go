package frame_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/meta"
)

// Only one of two writers of a file gets the lock, and every change is counted
// where C-Blosc2 counts its own.
func TestLock(t *testing.T) {
	path := sealedOf(t, ramp(2500))
	for changes := range uint64(3) {
		e, err := frame.EditFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := frame.EditFile(path, frame.LockWait(0)); !errors.Is(err, blosc2.ErrLocked) {
			t.Errorf("two writers: %v", err)
		}
		side, err := os.ReadFile(path + ".b2lock")
		if err != nil || len(side) != 16 || binary.NativeEndian.Uint64(side[8:]) != max(changes, 1) {
			t.Errorf("sidecar % x, %v", side, err)
		}
		if err := errors.Join(e.Close(), e.Close()); err != nil {
			t.Fatal(err)
		}
		if err := e.Append([]byte("1234")); !errors.Is(err, blosc2.ErrClosed) {
			t.Errorf("append after Close: %v", err)
		}
		_, err = os.Stat(path + ".b2lock")
		if gone := errors.Is(err, os.ErrNotExist); gone != (changes == 0) {
			t.Errorf("%d changes: sidecar gone: %v", changes, gone)
		}
		if changes == 0 { // a sidecar of C-Blosc2 remains
			if err := os.WriteFile(path+".b2lock", make([]byte, 16), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// If many writers want the lock at the same time, each gets it, one after the other.
func TestLockMany(t *testing.T) {
	path := sealedOf(t, ramp(2500))
	var held, got atomic.Int32
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			for range 50 {
				unlock, err := frame.LockFile(path)
				if err != nil {
					continue
				}
				if held.Add(1) != 1 {
					t.Error("two hold the lock")
				}
				held.Add(-1)
				got.Add(1)
				if err := unlock(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	t.Logf("taken %d times", got.Load())
	if got.Load() == 0 {
		t.Error("the lock was never taken")
	}
}

// A reader is refreshed to a frame with appended data. The old reader remains valid.
func TestRefresh(t *testing.T) {
	data := ramp(2500)
	path := sealedOf(t, data)
	f, err := frame.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if same, err := f.Refresh(); err != nil || same != f {
		t.Errorf("nothing changed: %v", err)
	}
	e, err := frame.EditFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	more := ramp(1800)
	if err := e.Append(more); err != nil {
		t.Fatal(err)
	}
	if same, err := f.Refresh(); err != nil || same != f {
		t.Errorf("not committed: %v", err)
	}
	if err := e.Commit(); err != nil {
		t.Fatal(err)
	}
	now, err := f.Refresh()
	if err != nil || now == f || now.Size() != 4300 || f.Size() != 2500 {
		t.Fatal(err)
	}
	want := append(bytes.Clone(data), more...)
	got := make([]byte, 4300)
	if _, err := now.ReadAt(got, 0); err != nil || !bytes.Equal(got, want) {
		t.Errorf("after: %v", err)
	}
	if _, err := f.ReadAt(got[:2500], 0); err != nil || !bytes.Equal(got[:2500], data) {
		t.Errorf("before: %v", err)
	}
}

// A frame that was changed in every way is compacted. The result is in order, without
// unused bytes, and has the same contents. Special chunks remain entries of the index.
func TestCompact(t *testing.T) {
	path := sealedOf(t, ramp(5500), meta.Layer{Name: "mine", Value: []byte("xyz")})
	e, err := frame.EditFile(path)
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(e.Delete(1), e.Insert(0, ramp(1000)), e.Update(2, make([]byte, 1000)), e.Append(ramp(2000)), e.Commit(), e.Close())
	if err != nil {
		t.Fatal(err)
	}
	compact(t, path, frame.Sealed)
	for _, lib := range b2test.Oracles(t) {
		file := filepath.Join(t.TempDir(), "c.b2frame")
		in := write(t, ramp(2500))
		lib.Run(t, "write-frame", "--codec", "lz4", "--typesize", "4", "--chunksize", "1000", "--chunks", "1000,zero:1000,1000,value:01020304:1000,uninit:1000,500", in, file)
		compact(t, file, frame.ByIndex)
	}
}

func compact(t *testing.T, path string, order frame.Order) {
	t.Helper()
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want, f, err := readAll(before)
	if err != nil {
		t.Fatal(err)
	}
	if err := frame.CompactFile(path); err != nil {
		t.Fatal(err)
	}
	after, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got, g, err := readAll(after)
	if err != nil || !bytes.Equal(got, want) || g.Order() != order || !g.Checked() {
		t.Fatalf("%d bytes, want %d; order %v, checked %v: %v", len(got), len(want), g.Order(), g.Checked(), err)
	}
	for _, l := range f.Metalayers() {
		if v, ok := g.Metalayer(l.Name); l.Name != meta.StreamName && (!ok || !bytes.Equal(v, l.Value)) {
			t.Errorf("metalayer %s is lost", l.Name)
		}
	}
	if rep := verify(t, after, 1); !rep.Sound() || rep.Superseded != 0 || order == frame.Sealed && rep.Unchecked != 0 {
		t.Errorf("%+v", rep)
	}
	for _, lib := range b2test.Oracles(t) {
		if got, err := lib.Decode(t, "read-frame", path); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%v: %d bytes, want %d: %v", lib, len(got), len(want), err)
		}
	}
}

// An edit by C-Blosc2 that keeps every length is an error until Renew accepts it.
func TestRenew(t *testing.T) {
	data := ramp(3500)
	for _, lib := range b2test.Oracles(t) {
		for name, args := range map[string][]string{
			"metalayer":   {"--set-metalayer", "mine:=616263"},
			"vlmetalayer": {"--set-vlmetalayer", "note:=48454c4c4f"},
			"append":      {"--delete", "3", "--append", "file:" + write(t, ramp(1000))},
		} {
			path := sealedOf(t, data, meta.Layer{Name: "mine", Value: []byte("xyz")})
			lib.Run(t, append(append([]string{"edit-frame", "--codec", "lz4", "--typesize", "4"}, args...), path)...)
			want, err := lib.Decode(t, "read-frame", path)
			if err != nil {
				t.Fatal(err)
			}
			if b, _ := os.ReadFile(path); name != "append" {
				if _, _, err := readAll(b); !errors.Is(err, blosc2.ErrChecksum) {
					t.Errorf("%v, %s: before: %v", lib, name, err)
				}
			}
			if err := frame.RenewFile(path); err != nil {
				t.Errorf("%v, %s: %v", lib, name, err)
				continue
			}
			b, _ := os.ReadFile(path)
			got, f, err := readAll(b)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%v, %s: %d bytes, want %d: %v", lib, name, len(got), len(want), err)
				continue
			}
			if v, ok := f.Metalayer("mine"); name == "metalayer" && (!ok || string(v) != "abc") {
				t.Errorf("%v: metalayer %q", lib, v)
			}
			if v, _, err := f.VLMeta("note"); err != nil || name == "vlmetalayer" && string(v) != "HELLO" {
				t.Errorf("%v: vlmetalayer %q, %v", lib, v, err)
			}
			if rep := verify(t, b, 1); !rep.Sound() {
				t.Errorf("%v, %s: %v", lib, name, rep.Err())
			}
			if got, err := lib.Decode(t, "read-frame", path); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%v, %s: afterwards it reads %d bytes: %v", lib, name, len(got), err)
			}
		}
	}
}

// A header with one wrong byte is renewed only if the byte is in the value of a
// metalayer of another program.
func TestRenewDamagedHeader(t *testing.T) {
	data := ramp(3500)
	path := sealedOf(t, data, meta.Layer{Name: "mine", Value: []byte("xyz")})
	sound, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	n, err := header.Size(sound)
	if err != nil {
		t.Fatal(err)
	}
	value := bytes.Index(sound[:n], []byte("xyz"))
	renewed := 0
	for i := range n {
		for _, flip := range []byte{1, 0x10, 0x80, 0xff} {
			b := bytes.Clone(sound)
			b[i] ^= flip
			if err := os.WriteFile(path, b, 0o666); err != nil {
				t.Fatal(err)
			}
			err := frame.RenewFile(path)
			if in := i >= value && i < value+3; in != (err == nil) {
				t.Errorf("byte %d ^ %#x: %v", i, flip, err)
			}
			if err == nil {
				renewed++
				continue
			}
			if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, b) {
				t.Errorf("byte %d ^ %#x: an error, and the file was changed, or %v", i, flip, err)
			}
		}
	}
	if renewed != 12 {
		t.Errorf("%d renewed, want 12", renewed)
	}
}
