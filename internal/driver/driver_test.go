package driver_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/driver"
	"github.com/seed03b80dae/blosc2/internal/driver/drivertest"
	"github.com/seed03b80dae/blosc2/parts"
	"github.com/seed03b80dae/blosc2/remote"
	"github.com/seed03b80dae/blosc2/stream"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// start serves a store by pipes.
func start(t *testing.T, store driver.Store) *driver.Client {
	t.Helper()
	in, answers := io.Pipe()
	requests, out := io.Pipe()
	ended := make(chan error)
	go func() { ended <- driver.Serve(requests, answers, store) }()
	c := driver.New(in, out)
	t.Cleanup(func() {
		c.Close()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return c
}

func noise(n int) []byte {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{7}).Read(b)
	return b
}

// What is written by a driver is read by it again, in ranges.
func TestDriver(t *testing.T) {
	store := drivertest.Store{Dir: t.TempDir()}
	c := start(t, store)
	const url = "test://bucket/a folder/100%?#"
	object, err := c.Put(url)
	if err != nil {
		t.Fatal(err)
	}
	if rules := object.Rules(); rules != (parts.Rules{Count: 1000, Grow: true}) {
		t.Errorf("rules %+v", rules)
	}
	w, err := remote.Create(t.Context(), object, []remote.UploadOption{remote.PartSize(1 << 20)})
	if err != nil {
		t.Fatal(err)
	}
	data := noise(20 << 20)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	o, err := c.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	r, err := stream.NewReader(o)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, data) {
		t.Errorf("other data, or %v", err)
	}
	// The object is replaced while it is read.
	if err := os.WriteFile(filepath.Join(store.Dir, "bucket/a folder/100%?#"), noise(20<<20), 0o666); err != nil {
		t.Fatal(err)
	}
	again, err := c.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if err := os.WriteFile(filepath.Join(store.Dir, "bucket/a folder/100%?#"), data[1:], 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := again.ReadAt(make([]byte, 1), 10<<20); !errors.Is(err, blosc2.ErrChanged) {
		t.Errorf("a replaced object: %v", err)
	}
}

// Errors of the store are found by errors.Is and errors.As.
func TestErrors(t *testing.T) {
	c := start(t, drivertest.Store{Dir: t.TempDir()})
	_, err := c.Open(t.Context(), "test://bucket/none")
	var status *remote.StatusError
	if !errors.As(err, &status) || status.Code != 404 || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no object: %v", err)
	}
	if _, err := c.Put("nonsense"); !errors.Is(err, blosc2.ErrOption) {
		t.Errorf("no URL: %v", err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	away := errors.New("away")
	cancel(away)
	if _, err := c.Open(ctx, "test://bucket/none"); !errors.Is(err, away) {
		t.Errorf("cancelled: %v", err)
	}
}

// A client that ends leaves no upload.
func TestDropped(t *testing.T) {
	store := drivertest.Store{Dir: t.TempDir()}
	in, answers := io.Pipe()
	requests, out := io.Pipe()
	ended := make(chan error)
	go func() { ended <- driver.Serve(requests, answers, store) }()
	c := driver.New(in, out)
	for _, name := range []string{"left", "removed"} {
		object, err := c.Put("test://" + name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := object.Put(t.Context(), 1, strings.NewReader("part"), 4); err != nil {
			t.Fatal(err)
		}
	}
	var names []string
	for u, err := range c.Unfinished(t.Context(), "test://") {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, u.URL)
		if u.URL == "test://removed" {
			if err := c.Remove(t.Context(), u); err != nil {
				t.Fatal(err)
			}
		}
	}
	if fmt.Sprint(names) != "[test://left test://removed]" {
		t.Errorf("unfinished: %v", names)
	}
	if list, _ := os.ReadDir(filepath.Join(store.Dir, ".uploads")); len(list) != 1 {
		t.Errorf("after Remove: %v", list)
	}
	c.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if list, _ := os.ReadDir(filepath.Join(store.Dir, ".uploads")); len(list) != 0 {
		t.Errorf("left: %v", list)
	}
}

// A driver that is something else, or ends, is an error.
func TestNoDriver(t *testing.T) {
	in, answers, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	requests, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer requests.Close()
	io.WriteString(answers, "what is this?\n")
	answers.Close()
	c := driver.New(in, out)
	defer c.Close()
	_, err = c.Put("test://bucket/key")
	if err == nil || !strings.Contains(err.Error(), "driver") {
		t.Errorf("no driver: %v", err)
	}
	if _, err := driver.Start("nonsense", ""); err == nil || !strings.Contains(err.Error(), "blosc2-remote-nonsense") {
		t.Errorf("no program: %v", err)
	}
}
