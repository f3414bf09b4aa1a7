package stream

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed03b80dae/blosc2"
)

// A second appender waits for the first, or returns ErrLocked, which names the file.
func TestAppendWaits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.b2frame")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w, err := NewWriter(file, TypeSize(1))
	if err == nil {
		_, err = w.Write([]byte("one "))
	}
	if err := errors.Join(err, w.Close(), file.Close()); err != nil {
		t.Fatal(err)
	}
	first, err := AppendFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []WriterOption{LockWait(0), LockWait(5 * time.Millisecond)} {
		if _, err := AppendFile(path, o); !errors.Is(err, blosc2.ErrLocked) || !strings.Contains(err.Error(), path) {
			t.Errorf("locked: %v", err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
	defer cancel()
	if _, err := AppendFile(path, Context(ctx)); !errors.Is(err, blosc2.ErrLocked) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("locked, with a context: %v", err)
	}
	done := make(chan error, 1)
	go func() {
		second, err := AppendFile(path, LockWait(-1))
		if err == nil {
			_, err = second.Write([]byte("three"))
			err = errors.Join(err, second.Close())
		}
		done <- err
	}()
	if _, err := first.Write([]byte("two ")); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(first.Close(), <-done); err != nil {
		t.Fatal(err)
	}
	file, err = os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r, err := NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var b strings.Builder
	if _, err := r.WriteTo(&b); err != nil || b.String() != "one two three" {
		t.Errorf("%q, %v", b.String(), err)
	}
}
