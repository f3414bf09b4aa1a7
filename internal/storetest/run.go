package storetest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"math"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/remote"
)

// killed is the environment variable that makes Run the process that testKilled kills.
const killed = "STORETEST_KILLED"

// Run tests a driver. The test function that calls it must be named TestStore, because
// a child process, which is then killed, runs that function again.
func Run(t *testing.T, d Driver) {
	if address := os.Getenv(killed); address != "" {
		s := &server{d: d, store: d.Connect(t, address)}
		if size, err := strconv.ParseInt(os.Getenv(writing), 10, 64); err == nil {
			s.writeNumbers(t, size)
			return
		}
		t.Fatal(s.write(t.Context(), "killed", Noise(3*PartSize), closing))
	}
	s := d.start(t)
	t.Run("Array", s.testArray)
	t.Run("Ends", s.testEnds)
	t.Run("Errors", s.testErrors)
	t.Run("Replaced", s.testReplaced)
	t.Run("Reads", s.testReads)
	t.Run("Parts", s.testParts)
	t.Run("Stalls", s.testStalls)
	t.Run("Shards", s.testShards)
	t.Run("Killed", s.testKilled)
}

// testArray writes an array into a store in parts and reads it by ranges; both C
// libraries read the object. It does the same with an empty frame.
func (s *server) testArray(t *testing.T) {
	libs := b2test.Oracles(t)
	parts, err := s.store.Put(s.url("folder/an array.b2nd"))
	if err != nil {
		t.Fatal(err)
	}
	data := Noise(6000 * 1000 * 4)
	spec := b2nd.Spec{Shape: []int64{6000, 1000}, DType: "<f4", ChunkShape: []int64{200, 1000}, BlockShape: []int64{10, 1000}}
	w, err := remote.CreateArray(t.Context(), parts, spec, []remote.UploadOption{remote.PartSize(PartSize)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if _, err := s.store.Open(t.Context(), s.url("folder/an array.b2nd")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("before Close: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if left := s.unfinished(t); len(left) > 0 {
		t.Errorf("left after Close: %v", left)
	}

	o, err := s.store.Open(t.Context(), s.url("folder/an array.b2nd"))
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	a, err := b2nd.Open(o, o.Size())
	if err != nil {
		t.Fatal(err)
	}
	opened := o.Stats()
	if opened.Requests != 2 || opened.Bytes > 256<<10 {
		t.Errorf("opening took %+v", opened)
	}
	got := make([]byte, 4*1000)
	if err := a.ReadSlice(got, []int64{1234, 0}, []int64{1235, 1000}); err != nil || !bytes.Equal(got, data[1234*4000:1235*4000]) {
		t.Errorf("other items, or %v", err)
	}
	if stats := o.Stats(); stats.Requests > 2+2 || stats.Bytes-opened.Bytes > 40_000+64<<10 {
		t.Errorf("opening took %+v, with a block %+v", opened, stats)
	}
	if all, err := a.ReadAll(); err != nil || !bytes.Equal(all, data) {
		t.Errorf("other items, or %v", err)
	}
	if err := s.write(t.Context(), "empty", nil, closing); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		key, read string
		want      []byte
	}{{"folder/an array.b2nd", "read-b2nd", data}, {"empty", "read-frame", nil}} {
		file, err := s.read(t.Context(), tt.key)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), filepath.Base(tt.key))
		if err := os.WriteFile(path, file, 0o666); err != nil {
			t.Fatal(err)
		}
		for _, lib := range libs {
			if got, err := lib.Decode(t, tt.read, path); err != nil || !bytes.Equal(got, tt.want) {
				t.Errorf("%s: C-Blosc2 %d: other items, or %v", tt.key, lib.Major, err)
			}
		}
	}
}

// stays returns a function that returns an error unless the object is unchanged and
// no upload is left.
func (s *server) stays(t *testing.T, key string) func(what any) {
	if err := s.write(t.Context(), key, []byte("before"), closing); err != nil {
		t.Fatal(err)
	}
	before, err := s.read(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	return func(what any) {
		t.Helper()
		if after, err := s.read(t.Context(), key); err != nil || !bytes.Equal(after, before) {
			t.Errorf("%v: the object is another one, or %v", what, err)
		}
		for _, u := range s.unfinished(t) {
			// Blocks of other uploads remain, and may arrive even after Abort.
			if !s.d.Stays || u.URL == s.url(key) {
				t.Errorf("%v: left: %v", what, u)
			}
		}
	}
}

// testEnds tests that a failed or aborted write leaves nothing but the earlier
// object.
func (s *server) testEnds(t *testing.T) {
	stays := s.stays(t, "frame")
	away := errors.New("away")
	ctx, cancel := context.WithCancelCause(t.Context())
	for _, tt := range []struct {
		what string
		ctx  context.Context
		end  func(w *remote.Writer) error
	}{
		{"abort", t.Context(), func(w *remote.Writer) error { return w.Abort(away) }},
		{"close with error", t.Context(), func(w *remote.Writer) error { return w.CloseWithError(away) }},
		{"cancel", ctx, func(w *remote.Writer) error { cancel(away); return w.Close() }},
	} {
		if err := s.write(tt.ctx, "frame", Noise(2*PartSize+1), tt.end); !errors.Is(err, away) {
			t.Errorf("%s: %v", tt.what, err)
		}
		stays(tt.what)
	}
	if err := s.write(t.Context(), "new", Noise(2*PartSize+1), func(w *remote.Writer) error { return w.Abort(away) }); !errors.Is(err, away) {
		t.Error(err)
	}
	if _, err := s.read(t.Context(), "new"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an upload that was aborted: %v", err)
	}
	if left := s.unfinished(t); len(left) > 0 && !s.d.Stays {
		t.Errorf("left: %v", left)
	}
	// A part whose request is cancelled may still be stored after Abort. Wait until no
	// request has arrived for a second; then nothing may be left.
	for quiet := 0; quiet < 20; quiet++ {
		for _, u := range s.unfinished(t) {
			if err := s.store.Remove(t.Context(), u); err != nil {
				t.Error(err)
			}
			quiet = 0
		}
		if !s.d.Stays {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	stays("new")
}

// testErrors tests that errors are one clear line.
func (s *server) testErrors(t *testing.T) {
	if err := s.write(t.Context(), "frame", []byte("a frame"), closing); err != nil {
		t.Fatal(err)
	}
	check := func(what string, store Store, url string, want error) {
		t.Helper()
		_, err := store.Open(t.Context(), url, remote.RetryWait(time.Millisecond))
		if !errors.Is(err, want) || strings.Contains(err.Error(), "\n") || len(err.Error()) > 300 {
			t.Errorf("%s: %v", what, err)
		}
		t.Logf("%s: %v", what, err)
	}
	check("no such object", s.store, s.url("nothing"), fs.ErrNotExist)
	check("no such bucket", s.store, s.d.Base+"-nothing/nothing", fs.ErrNotExist)
	for what, store := range s.d.Denied(t, s.proxy.URL) {
		check(what, store, s.url("frame"), fs.ErrPermission)
	}
	refuse, _ := from(0, math.MaxInt, s.d.Reads, answer(http.StatusForbidden))
	s.proxy.set(refuse)
	check("403", s.store, s.url("frame"), fs.ErrPermission)
	s.proxy.set(nil)
	scheme, _, _ := strings.Cut(s.d.Base, "://")
	for _, url := range []string{"", scheme + "://", s.d.Base, s.d.Base + "/", "other://a/b"} {
		check(url, s.store, url, blosc2.ErrOption)
		if _, err := s.store.Put(url); !errors.Is(err, blosc2.ErrOption) {
			t.Errorf("Put %q: %v", url, err)
		}
	}
}

// testKilled tests that a process killed during an upload leaves nothing under the
// name, and an upload that is listed and can be removed.
func (s *server) testKilled(t *testing.T) {
	for _, tt := range []struct {
		what  string
		n     int
		match func(r *http.Request) bool
		found int
	}{
		{"at a part", 2, s.d.Puts, map[bool]int{false: 1}[s.d.Hidden]},
		{"before the end", 0, s.d.Completes, 1},
	} {
		reached := make(chan bool, 10)
		fault, _ := from(tt.n, math.MaxInt, tt.match, func(w http.ResponseWriter, r *http.Request, next http.Handler) {
			s.proxy.idle() // earlier parts are complete
			reached <- true
			io.Copy(io.Discard, r.Body) // so that the end of the process ends the request
			<-r.Context().Done()
		})
		s.proxy.set(fault)
		cmd := exec.Command(os.Args[0], "-test.run=^TestStore$")
		cmd.Env = append(os.Environ(), killed+"="+s.proxy.URL)
		log := new(log)
		cmd.Stdout, cmd.Stderr = log, log
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		select {
		case <-reached:
		case <-time.After(time.Minute):
			t.Errorf("%s: never reached: %s", tt.what, log)
		}
		cmd.Process.Kill()
		cmd.Wait()
		s.proxy.set(nil)
		if _, err := s.read(t.Context(), "killed"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: the object: %v", tt.what, err)
		}
		all := s.unfinished(t)
		if len(all) != tt.found {
			t.Errorf("%s: found %v", tt.what, all)
		}
		for _, u := range all {
			if u.URL != s.url("killed") || u.ID == "" {
				t.Errorf("%s: found %+v", tt.what, u)
			}
			if err := s.store.Remove(t.Context(), u); err != nil {
				t.Error(err)
			}
		}
		if left := s.unfinished(t); len(left) > 0 {
			t.Errorf("%s: left: %v", tt.what, left)
		}
		if _, err := s.read(t.Context(), "killed"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: the object after Remove: %v", tt.what, err)
		}
	}
}

// RunEnds tests how the uploads of a driver end.
func RunEnds(t *testing.T, d Driver) { d.start(t).testEnds(t) }
