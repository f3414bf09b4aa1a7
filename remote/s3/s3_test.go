package s3_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/remote"
	"github.com/seed03b80dae/blosc2/remote/s3"
	"github.com/seed03b80dae/blosc2/stream"
)

// gateway starts versitygw, a server that speaks S3, with one bucket.
func gateway(t testing.TB) s3.Options {
	t.Helper()
	program, err := exec.LookPath("versitygw")
	if err != nil {
		out, _ := exec.Command("go", "env", "GOPATH").Output()
		program = filepath.Join(strings.TrimSpace(string(out)), "bin", "versitygw")
		if _, err := os.Stat(program); err != nil {
			b2test.Missing(t, "versitygw is missing: go install github.com/versity/versitygw/cmd/versitygw@latest")
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	l.Close()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "bucket"), 0o777); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	cmd := exec.Command(program, "--port", addr, "--access", "someone", "--secret", "something", "posix", dir)
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
		if t.Failed() {
			t.Log(log.String())
		}
	})
	for range 100 {
		if resp, err := http.Get("http://" + addr + "/"); err == nil {
			resp.Body.Close()
			return s3.Options{Endpoint: "http://" + addr, AccessKey: "someone", SecretKey: "something"}
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("versitygw does not answer:\n%s", &log)
	return s3.Options{}
}

func newStore(t testing.TB, o s3.Options) *s3.Store {
	t.Helper()
	s, err := s3.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func noise(n int) []byte {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{6}).Read(b)
	return b
}

// unfinished counts the uploads that are not finished.
func unfinished(t *testing.T, s *s3.Store) (n int) {
	t.Helper()
	for _, err := range s.Unfinished(t.Context(), "s3://bucket") {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	return n
}

// An array goes into a store in parts, and comes out of it by ranges; both C
// libraries read the object.
func TestStore(t *testing.T) {
	libs, n := b2test.Oracles(t), 0
	store := newStore(t, gateway(t))
	const url = "s3://bucket/folder/array.b2nd"
	parts, err := store.Put(url)
	if err != nil {
		t.Fatal(err)
	}
	data := noise(6000 * 1000 * 4)
	spec := b2nd.Spec{Shape: []int64{6000, 1000}, DType: "<f4", ChunkShape: []int64{200, 1000}, BlockShape: []int64{10, 1000}}
	w, err := remote.CreateArray(t.Context(), parts, spec, []remote.UploadOption{remote.PartSize(5 << 20)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	for range 100 { // the first part is put by another goroutine
		if n = unfinished(t, store); n == 1 {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	if n != 1 {
		t.Errorf("%d uploads are under way", n)
	}
	if _, err := store.Open(t.Context(), url); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("before Close: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if n := unfinished(t, store); n != 0 {
		t.Errorf("%d uploads are left", n)
	}

	o, err := store.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	a, err := b2nd.Open(o, o.Size())
	if err != nil {
		t.Fatal(err)
	}
	if s := o.Stats(); s.Requests != 2 {
		t.Errorf("opening took %+v", s)
	}
	got := make([]byte, 4*1000)
	if err := a.ReadSlice(got, []int64{1234, 0}, []int64{1235, 1000}); err != nil || !bytes.Equal(got, data[1234*4000:1235*4000]) {
		t.Errorf("other items, or %v", err)
	}
	if s := o.Stats(); s.Requests != 4 {
		t.Errorf("opening and a block took %+v", s)
	}
	if all, err := a.ReadAll(); err != nil || !bytes.Equal(all, data) {
		t.Errorf("other items, or %v", err)
	}
	file := make([]byte, o.Size())
	if _, err := o.ReadAt(file, 0); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "array.b2nd")
	if err := os.WriteFile(path, file, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, lib := range libs {
		if got, err := lib.Decode(t, "read-b2nd", path); err != nil || !bytes.Equal(got, data) {
			t.Errorf("C-Blosc2 %d: other items, or %v", lib.Major, err)
		}
	}
}

func write(ctx context.Context, s *s3.Store, url string, data []byte, end func(w *remote.Writer) error) error {
	parts, err := s.Put(url)
	if err != nil {
		return err
	}
	w, err := remote.Create(ctx, parts, []remote.UploadOption{remote.PartSize(5 << 20)}, stream.TypeSize(1))
	if err != nil {
		return err
	}
	if _, err := w.Write(data); err != nil {
		w.Abort(err)
		return err
	}
	return end(w)
}

// What fails leaves nothing, and the object that was there before.
func TestFailures(t *testing.T) {
	options := gateway(t)
	store := newStore(t, options)
	closing := func(w *remote.Writer) error { return w.Close() }
	if err := write(t.Context(), store, "s3://bucket/frame", []byte("before"), closing); err != nil {
		t.Fatal(err)
	}
	before, err := store.Open(t.Context(), "s3://bucket/frame")
	if err != nil {
		t.Fatal(err)
	}
	defer before.Close()
	away := errors.New("away")
	ctx, cancel := context.WithCancelCause(t.Context())
	for what, end := range map[string]func(w *remote.Writer) error{
		"abort":            func(w *remote.Writer) error { return w.Abort(away) },
		"close with error": func(w *remote.Writer) error { return w.CloseWithError(away) },
		"cancel": func(w *remote.Writer) error {
			cancel(away)
			return w.Close()
		},
	} {
		c := t.Context()
		if what == "cancel" {
			c = ctx
		}
		if err := write(c, store, "s3://bucket/frame", noise(12<<20), end); !errors.Is(err, away) {
			t.Errorf("%s: %v", what, err)
		}
		if n := unfinished(t, store); n != 0 {
			t.Errorf("%s: %d uploads are left", what, n)
		}
	}
	after, err := store.Open(t.Context(), "s3://bucket/frame")
	if err != nil {
		t.Fatal(err)
	}
	defer after.Close()
	if before.Version() != after.Version() {
		t.Error("the object is another one")
	}

	// Errors are one clear line.
	nobody := options
	nobody.SecretKey = "wrong"
	anybody := options
	anybody.AccessKey, anybody.SecretKey = "", ""
	for _, tt := range []struct {
		what, url string
		store     *s3.Store
		want      error
	}{
		{"no such object", "s3://bucket/nothing", store, fs.ErrNotExist},
		{"no such bucket", "s3://nothing/nothing", store, fs.ErrNotExist},
		{"a wrong key", "s3://bucket/frame", newStore(t, nobody), fs.ErrPermission},
		{"no credentials", "s3://bucket/frame", newStore(t, anybody), fs.ErrPermission},
	} {
		_, err := tt.store.Open(t.Context(), tt.url)
		if !errors.Is(err, tt.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", tt.what, err)
		}
		t.Log(err)
	}
	for _, url := range []string{"", "s3://", "s3://bucket", "s3://bucket/", "https://a/b"} {
		if _, err := store.Open(t.Context(), url); err == nil {
			t.Errorf("%q was opened", url)
		}
	}
}

// An object that is replaced while it is read is never read as a mixture.
func TestReplaced(t *testing.T) {
	store := newStore(t, gateway(t))
	closing := func(w *remote.Writer) error { return w.Close() }
	if err := write(t.Context(), store, "s3://bucket/frame", noise(2<<20), closing); err != nil {
		t.Fatal(err)
	}
	o, err := store.Open(t.Context(), "s3://bucket/frame")
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	if err := write(t.Context(), store, "s3://bucket/frame", noise(3 << 20)[1<<20:], closing); err != nil {
		t.Fatal(err)
	}
	if _, err := o.ReadAt(make([]byte, 100), 1<<20); err == nil || !strings.Contains(err.Error(), "open it again") {
		t.Errorf("read of an object that was replaced: %v", err)
	}
}

// A process that is killed in the middle of an upload leaves nothing under the
// name, and an upload that is found and can be removed.
func TestKilled(t *testing.T) {
	if endpoint := os.Getenv("S3_TEST_KILLED"); endpoint != "" {
		store := newStore(t, s3.Options{Endpoint: endpoint, AccessKey: "someone", SecretKey: "something"})
		err := write(t.Context(), store, "s3://bucket/killed", noise(22<<20), func(w *remote.Writer) error {
			time.Sleep(time.Second) // parts are on their way
			os.Stdout.WriteString("written\n")
			select {}
		})
		t.Fatal(err)
	}
	options := gateway(t)
	cmd := exec.Command(os.Args[0], "-test.run=^TestKilled$", "-test.v")
	cmd.Env = append(os.Environ(), "S3_TEST_KILLED="+options.Endpoint)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var said []byte
	for buf := make([]byte, 1000); !bytes.Contains(said, []byte("written")); {
		n, err := out.Read(buf)
		if said = append(said, buf[:n]...); err != nil {
			t.Fatalf("%v: %s", err, said)
		}
	}
	cmd.Process.Kill()
	cmd.Wait()
	store := newStore(t, options)
	if _, err := store.Open(t.Context(), "s3://bucket/killed"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the object: %v", err)
	}
	found := 0
	for u, err := range store.Unfinished(t.Context(), "s3://bucket/kill") {
		if err != nil {
			t.Fatal(err)
		}
		if found++; u.URL != "s3://bucket/killed" || u.ID == "" {
			t.Errorf("%+v", u)
		}
		if err := store.Remove(t.Context(), u); err != nil {
			t.Error(err)
		}
	}
	if n := unfinished(t, store); found != 1 || n != 0 {
		t.Errorf("%d uploads were found, %d are left", found, n)
	}
}
