package fsio

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/seed03b80dae/blosc2"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// names returns the names of the files in a folder.
func names(t *testing.T, dir string) (list []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must(t, err)
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

func nothing(*os.File, int64) error { return nil }

// Open makes a missing file once it has the lock, and removes it if it cannot be
// used.
func TestOpen(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	if _, err := Open(path, false, Locking{}, nothing); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	why := errors.New("why")
	if _, err := Open(path, true, Locking{}, func(f *os.File, size int64) error {
		if _, err := f.WriteString("x"); err != nil || size != 0 {
			t.Error(err, size)
		}
		return why
	}); !errors.Is(err, why) {
		t.Error(err)
	}
	func() {
		defer func() {
			if recover() != "panic" {
				t.Error("no panic")
			}
		}()
		Open(path, true, Locking{}, func(*os.File, int64) error { panic("panic") })
	}()
	if _, err := os.Stat(path); err == nil {
		t.Error("a file was left")
	}
	f, err := Open(path, true, Locking{}, nothing)
	must(t, err)
	if _, err := Open(path, true, Locking{Wait: time.Millisecond}, nothing); !errors.Is(err, blosc2.ErrLocked) {
		t.Error(err)
	}
	_, err = f.WriteString("kept")
	must(t, f.Release(err))
	if _, err := Open(path, true, Locking{}, func(_ *os.File, size int64) error {
		if size != 4 {
			t.Errorf("%d bytes", size)
		}
		return why
	}); !errors.Is(err, why) {
		t.Error(err)
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != "kept" {
		t.Errorf("%q, %v", b, err)
	}
	for _, create := range []bool{false, true} {
		if _, err := Open(dir, create, Locking{}, nothing); err == nil {
			t.Error("a folder was opened")
		}
		if _, err := Open(filepath.Join(dir, "no", "f"), create, Locking{}, nothing); !errors.Is(err, fs.ErrNotExist) {
			t.Error(err)
		}
	}
}

// A device is not opened, and gets no lock file.
func TestOpenDevice(t *testing.T) {
	_, err := Open(os.DevNull, true, Locking{}, func(*os.File, int64) error { return errors.New("opened") })
	if !errors.Is(err, errNotRegular) {
		t.Error(err)
	}
	if err := WithPath("create", os.DevNull, err); err.Error() != "create "+os.DevNull+": not a regular file" {
		t.Error(err)
	}
}

// A sidecar that is a dangling link results in an error, and is not retried forever. A
// link to a file is used.
func TestSidecarLink(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	must(t, os.WriteFile(path, nil, 0o666))
	if err := os.Symlink(filepath.Join(dir, "gone"), path+".b2lock"); err != nil {
		if runtime.GOOS == "windows" {
			t.Skip("links need a privilege on Windows: ", err)
		}
		t.Fatal(err)
	}
	var pe *fs.PathError
	if _, err := Lock(path, Locking{Wait: -1}); !errors.Is(err, fs.ErrNotExist) || !errors.As(err, &pe) || pe.Path != path || !strings.Contains(err.Error(), "f.b2lock") {
		t.Error(err)
	}
	must(t, os.WriteFile(filepath.Join(dir, "gone"), nil, 0o666))
	unlock, err := Lock(path, Locking{})
	must(t, err)
	must(t, unlock())
}

// A lock excludes writers that use the name of a link to the file.
func TestLockLink(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "f"), filepath.Join(dir, "link")
	must(t, os.WriteFile(path, nil, 0o666))
	if err := os.Symlink("f", link); err != nil {
		if runtime.GOOS == "windows" {
			t.Skip("links need a privilege on Windows: ", err)
		}
		t.Fatal(err)
	}
	for _, names := range [][2]string{{path, link}, {link, path}, {link, link}} {
		unlock, err := Lock(names[0], Locking{})
		must(t, err)
		if _, err := Lock(names[1], Locking{}); !errors.Is(err, blosc2.ErrLocked) {
			t.Errorf("locked as %s, the lock of %s returns %v", names[0], names[1], err)
		}
		must(t, unlock())
		unlock, err = Lock(names[1], Locking{})
		must(t, err)
		must(t, unlock())
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 2 && runtime.GOOS == "linux" {
		t.Errorf("%d files, want 2, %v", len(files), err)
	}
}

// Replace keeps the old file if write fails, and leaves no other file in any case.
func TestReplace(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	write := func(s string, err error) func(*os.File) error {
		return func(f *os.File) error {
			_, e := f.WriteString(s)
			return errors.Join(e, err)
		}
	}
	must(t, Replace(path, write("old", nil)))
	why := errors.New("why")
	if err := Replace(path, write("half", why)); !errors.Is(err, why) {
		t.Error(err)
	}
	b, err := os.ReadFile(path)
	must(t, err)
	if got := names(t, dir); string(b) != "old" || len(got) != 1 {
		t.Errorf("%q, %q", b, got)
	}
	must(t, Replace(path, write("new", nil)))
	if b, err = os.ReadFile(path); err != nil || string(b) != "new" {
		t.Errorf("%q, %v", b, err)
	}
}

// A Spool returns what was written and overwritten, wherever it keeps it.
func TestSpool(t *testing.T) {
	for _, limit := range []int64{0, 10, 1 << 20} {
		s := Spool{Limit: limit}
		for range 2 { // the Spool can be used again after Close
			want := bytes.Repeat([]byte("0123456789"), 10)
			for i := 0; i < len(want); i += 7 {
				_, err := s.Write(want[i:min(i+7, len(want))])
				must(t, err)
			}
			_, err := s.WriteAt([]byte("abc"), 50)
			must(t, err)
			copy(want[50:], "abc")
			var got bytes.Buffer
			n, err := s.WriteTo(&got)
			must(t, err)
			if n != s.Size() || !bytes.Equal(got.Bytes(), want) {
				t.Errorf("limit %d: %d bytes, %q", limit, n, got.Bytes())
			}
			b := make([]byte, 20)
			if n, err := s.ReadAt(b, 90); n != 10 || err != io.EOF || !bytes.Equal(b[:n], want[90:]) {
				t.Errorf("limit %d: %q, %v", limit, b[:n], err)
			}
			must(t, s.Close())
		}
	}
}

// A short is a writer that writes fewer bytes than it should, without an error.
type short struct{ n int }

func (s short) Write(p []byte) (int, error)            { return s.n, nil }
func (s short) WriteAt(p []byte, _ int64) (int, error) { return s.n, nil }

func TestShortWrite(t *testing.T) {
	for n, want := range map[int]int{-1: 0, 2: 2, 4: 3} {
		if got, err := WriteFull(short{n}, []byte("abc")); got != want || err != io.ErrShortWrite {
			t.Error(n, got, err)
		}
	}
	if err := WriteAt(short{2}, []byte("abc"), 0); err != io.ErrShortWrite {
		t.Error(err)
	}
	if err := WriteAt(short{3}, []byte("abc"), 0); err != nil {
		t.Error(err)
	}
}

// The sidecar of a killed process is removed by the next one; a sidecar that
// another program has counted in, or made, remains and keeps its counter.
func TestSidecarLeft(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	must(t, os.WriteFile(path, nil, 0o666))
	side := func() []byte {
		b, err := os.ReadFile(path + ".b2lock")
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		must(t, err)
		return b
	}
	lock := func() func() error {
		unlock, err := Lock(path, Locking{})
		must(t, err)
		return unlock
	}
	unlock := lock()
	left := side() // the sidecar that a killed process would leave now
	must(t, unlock())
	if side() != nil && runtime.GOOS == "linux" {
		t.Error("the sidecar stays")
	}
	for kills := range uint64(3) {
		must(t, os.WriteFile(path+".b2lock", left, 0o666))
		unlock := lock()
		left = side()
		if n := binary.NativeEndian.Uint64(left[8:]); n != kills+2 {
			t.Errorf("%d kills: %d changes", kills, n)
		}
		must(t, unlock())
		if side() != nil && runtime.GOOS == "linux" {
			t.Errorf("%d kills: the sidecar stays", kills)
		}
	}
	counted := bytes.Clone(left)
	counted[8]++ // as C-Blosc2 counts a change
	counted[15]++
	for _, theirs := range [][]byte{counted, make([]byte, 16)} {
		must(t, os.WriteFile(path+".b2lock", theirs, 0o666))
		was := binary.NativeEndian.Uint64(theirs[8:])
		must(t, lock()())
		must(t, lock()())
		now := side()
		if len(now) != 16 || binary.NativeEndian.Uint64(now[8:]) != was+2 || !bytes.Equal(now[:8], theirs[:8]) {
			t.Errorf("% x became % x", theirs, now)
		}
	}
	must(t, os.WriteFile(path+".b2lock", nil, 0o666)) // as another process creates it
	must(t, lock()())
	if side() != nil && runtime.GOOS == "linux" {
		t.Error("an empty sidecar stays")
	}
}

// RemoveTemporary removes the files of Replace and KeepUntil, and neither finishes
// afterwards.
func TestRemoveTemporary(t *testing.T) {
	dir := t.TempDir()
	kept := filepath.Join(dir, "kept")
	remove := KeepUntil(kept)
	must(t, remove()) // removing a missing file succeeds
	remove = KeepUntil(kept)
	must(t, os.WriteFile(kept, nil, 0o666))
	begun, goOn := make(chan bool), make(chan bool)
	ended := make(chan error, 2)
	go func() {
		ended <- Replace(filepath.Join(dir, "new"), func(*os.File) error {
			begun <- true
			<-goOn
			return nil
		})
	}()
	<-begun
	RemoveTemporary()
	defer func() { // release the lock, so that other tests can use it
		temporary.files = nil
		temporary.mu.Unlock()
		<-ended
		<-ended
	}()
	if list := names(t, dir); len(list) != 0 {
		t.Errorf("%q is left", list)
	}
	goOn <- true
	go func() { ended <- remove() }()
	select {
	case err := <-ended:
		t.Errorf("%v after the end", err)
	case <-time.After(50 * time.Millisecond): // a blocked goroutine cannot be observed otherwise
	}
}
