package driver_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

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

// Objects that are written through a driver are read through it, in ranges.
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

// A fickle is a store that reads a part, fails, and then reads it again, like
// clients that repeat requests.
type fickle struct {
	drivertest.Store
	mu    sync.Mutex
	reads []string // for each read: the number of bytes, the part and the error
}

func (f *fickle) Put(rawURL string) (parts.Object, error) {
	o, err := f.Store.Put(rawURL)
	return &fickleObject{Object: o, f: f}, err
}

type fickleObject struct {
	parts.Object
	f *fickle
}

func (o *fickleObject) Rules() parts.Rules {
	r := o.Object.Rules()
	r.Sums = true
	return r
}

func (o *fickleObject) Put(ctx context.Context, n int, body io.ReadSeeker, size int64) (string, error) {
	if end, err := body.Seek(0, io.SeekEnd); err != nil || end != size {
		return "", fmt.Errorf("the end of %d bytes: %d, %v", size, end, err)
	}
	if _, err := body.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	first := int64(n-1) * size / 2 // read nothing of part 1, half of part 2, and all of part 3
	k, err := io.CopyN(io.Discard, body, first)
	if err == nil {
		_, err = body.Seek(0, io.SeekStart)
	}
	o.f.mu.Lock()
	o.f.reads = append(o.f.reads, fmt.Sprint(n, " ", k, " ", err == nil))
	o.f.mu.Unlock()
	if err != nil {
		return "", fmt.Errorf("again: %w", err)
	}
	b, err := io.ReadAll(body)
	if err != nil {
		return "", err
	}
	if sum := body.(parts.Summed).SHA256(); sum != sha256.Sum256(b) {
		return "", errors.New("another sum")
	}
	return o.Object.Put(ctx, n, bytes.NewReader(b), size)
}

// The driver forwards a part, and the part is sent again if the store reads it
// again.
func TestAgain(t *testing.T) {
	store := &fickle{Store: drivertest.Store{Dir: t.TempDir()}}
	c := start(t, store)
	o, err := c.Put("test://bucket/again")
	if err != nil {
		t.Fatal(err)
	}
	const size = 3 << 20
	data := noise(3 * size)
	var list []parts.Part
	for n := 1; n <= 3; n++ {
		tag, err := o.Put(t.Context(), n, bytes.NewReader(data[(n-1)*size:n*size]), size)
		if err != nil {
			t.Fatal(n, err)
		}
		list = append(list, parts.Part{Number: n, Size: size, Tag: tag})
	}
	if err := o.Complete(t.Context(), list); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(store.Dir, "bucket/again")); err != nil || !bytes.Equal(got, data) {
		t.Errorf("other bytes, or %v", err)
	}
	if got, want := fmt.Sprint(store.reads), "[1 0 true 2 1572864 false 2 1572864 true 3 3145728 false 3 3145728 true]"; got != want {
		t.Errorf("reads %s, want %s", got, want)
	}
}

// Parts that wait for their turn do not block the one that is next.
func TestTurns(t *testing.T) {
	const uploads, size = 50, 1 << 20
	store := &inTurn{Store: drivertest.Store{Dir: t.TempDir()}, ready: make(chan bool), waiting: make(chan bool, uploads)}
	c := start(t, store)
	var group sync.WaitGroup
	put := func(n int) {
		o, err := c.Put("test://bucket/x")
		if err != nil {
			t.Fatal(err)
		}
		group.Go(func() {
			if _, err := o.Put(t.Context(), n, bytes.NewReader(noise(size)), size); err != nil {
				t.Error(err)
			}
		})
	}
	for range uploads {
		put(2)
		<-store.waiting
	}
	put(1)
	group.Wait()
}

// inTurn makes all parts wait for part 1.
type inTurn struct {
	drivertest.Store
	ready, waiting chan bool
}

func (s *inTurn) Put(rawURL string) (parts.Object, error) {
	o, err := s.Store.Put(rawURL)
	return &inTurnObject{o, s}, err
}

type inTurnObject struct {
	parts.Object
	s *inTurn
}

func (o *inTurnObject) Put(ctx context.Context, n int, body io.ReadSeeker, size int64) (string, error) {
	if n > 1 {
		o.s.waiting <- true
		<-o.s.ready
	}
	_, err := io.Copy(io.Discard, body)
	if n == 1 {
		close(o.s.ready)
	}
	return "", err
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

// Requests that begin at once share the connection.
func TestManyAtOnce(t *testing.T) {
	for range 4 { // the connection is made anew
		c := start(t, drivertest.Store{Dir: t.TempDir()})
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		var group sync.WaitGroup
		for range 500 {
			group.Go(func() {
				if _, err := c.Open(ctx, "test://bucket/none"); !errors.Is(err, os.ErrNotExist) {
					t.Errorf("no object: %v", err)
				}
			})
		}
		group.Wait()
		cancel()
	}
}

// An upload is dropped if its client ends.
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

// Opening a store fails if the program is not a driver, or ends.
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
