package driver

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/seed03b80dae/blosc2/parts"
	"github.com/seed03b80dae/blosc2/remote"
)

// A Store is the store that a driver serves. It is safe for use by several
// goroutines.
type Store interface {
	// Object returns the object that a URL names, without reading it.
	Object(rawURL string) (remote.Backend, error)
	// Put returns a new object, which begins with its first part.
	Put(rawURL string) (parts.Object, error)
	// Shared and Delete are like those of remote.ShardStore.
	Shared(ctx context.Context, rawURL, id string) (parts.Object, error)
	Delete(ctx context.Context, rawURL string) error
}

// A Lister is a Store in which a killed process may leave uploads that are neither
// complete nor dropped.
type Lister interface {
	Store
	// Unfinished yields the uploads below a URL that are not complete.
	Unfinished(ctx context.Context, rawURL string) iter.Seq2[remote.Unfinished, error]
	// Remove drops an upload that Unfinished has yielded.
	Remove(ctx context.Context, u remote.Unfinished) error
}

// Serve serves a store until the input ends, and then drops the uploads that are
// not complete.
func Serve(in io.ReadCloser, out io.WriteCloser, store Store) error {
	return serve(in, out, store, func() {})
}

// serve is like Serve, and calls begins when an upload begins.
func serve(in io.ReadCloser, out io.WriteCloser, store Store, begins func()) error {
	s := &server{store: store, begins: begins, uploads: map[string]parts.Object{}}
	mux := http.NewServeMux()
	handle := func(pattern string, do func(w http.ResponseWriter, r *http.Request) error) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			s.running.Add(1)
			defer s.running.Done()
			if err := do(w, r); err != nil {
				writeFault(w, err)
			}
		})
	}
	handle("GET /1/object", s.object)
	handle("DELETE /1/object", func(_ http.ResponseWriter, r *http.Request) error {
		return store.Delete(r.Context(), r.FormValue("url"))
	})
	handle("POST /1/upload", s.begin)
	handle("PUT /1/upload/{id}/{n}", s.put)
	handle("POST /1/upload/{id}", s.complete)
	handle("DELETE /1/upload/{id}", s.abort)
	handle("GET /1/unfinished", s.unfinished)
	handle("DELETE /1/unfinished", s.remove)

	conn := newConn(in, out)
	err := (&http.Server{Handler: mux, Protocols: unencrypted, HTTP2: serverLimits}).Serve(&oneConn{conn: conn, end: conn.ended})
	s.running.Wait()
	if dropErr := s.drop(); dropErr != nil {
		return dropErr
	}
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

type server struct {
	store   Store
	begins  func()
	running sync.WaitGroup // requests in progress

	mu      sync.Mutex
	n       int // number of uploads so far
	uploads map[string]parts.Object
}

// object answers with a range of an object, or with its end if off is negative.
func (s *server) object(w http.ResponseWriter, r *http.Request) error {
	backend, err := s.store.Object(r.FormValue("url"))
	if err != nil {
		return err
	}
	off, err1 := strconv.ParseInt(r.FormValue("off"), 10, 64)
	n, err2 := strconv.ParseInt(r.FormValue("n"), 10, 64)
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	var body io.ReadCloser
	var info remote.Info
	if off >= 0 {
		body, info, err = backend.Open(r.Context(), off, n, r.FormValue("version"))
	} else if ender, ok := backend.(remote.Ender); ok {
		body, info, err = ender.OpenEnd(r.Context(), n)
	} else {
		err = remote.ErrNoRanges
	}
	if err != nil {
		return err
	}
	defer body.Close()
	w.Header().Set("Blosc2-Size", strconv.FormatInt(info.Size, 10))
	w.Header().Set("Blosc2-Version", strconv.Quote(info.Version))
	w.WriteHeader(http.StatusOK)
	if _, err := io.Copy(w, body); err != nil {
		panic(http.ErrAbortHandler) // so that the other program sees that the answer is incomplete
	}
	return nil
}

// begun is the answer to a new upload.
type begun struct {
	ID    string
	Rules parts.Rules
}

// begin begins an upload.
func (s *server) begin(w http.ResponseWriter, r *http.Request) error {
	s.begins()
	var object parts.Object
	var err error
	if id := r.FormValue("shared"); id != "" {
		object, err = s.store.Shared(r.Context(), r.FormValue("url"), id)
	} else {
		object, err = s.store.Put(r.FormValue("url"))
	}
	if err != nil {
		return err
	}
	answer := begun{Rules: object.Rules()}
	s.mu.Lock()
	s.n++
	answer.ID = strconv.Itoa(s.n)
	s.uploads[answer.ID] = object
	s.mu.Unlock()
	return json.NewEncoder(w).Encode(answer)
}

// upload returns the upload that a request is about. If taken is set, the upload is
// removed from those that drop drops.
func (s *server) upload(r *http.Request, taken bool) (parts.Object, error) {
	id := r.PathValue("id")
	s.mu.Lock()
	defer s.mu.Unlock()
	object := s.uploads[id]
	if object == nil {
		return nil, fmt.Errorf("no upload %q", id)
	}
	if taken {
		delete(s.uploads, id)
	}
	return object, nil
}

// maxPart is the largest part that is accepted, in bytes.
const maxPart = 5 << 30

func (s *server) put(w http.ResponseWriter, r *http.Request) error {
	object, err := s.upload(r, false)
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(r.PathValue("n"))
	if err != nil {
		return err
	}
	if r.ContentLength < 0 || r.ContentLength > maxPart {
		return fmt.Errorf("a part of %d bytes; must be 0 to %d", r.ContentLength, int64(maxPart))
	}
	var body io.ReadSeeker = &passing{r: r.Body, size: r.ContentLength}
	query := r.URL.Query()
	if query.Get("keep") != "" {
		b := make([]byte, r.ContentLength)
		if _, err := io.ReadFull(r.Body, b); err != nil {
			return err
		}
		body = bytes.NewReader(b)
	}
	if sum, err := hex.DecodeString(query.Get("sum")); err != nil {
		return err
	} else if len(sum) == sha256.Size {
		body = summed{body, [sha256.Size]byte(sum)}
	}
	tag, err := object.Put(r.Context(), n, body, r.ContentLength)
	w.Header().Set("Blosc2-Tag", tag)
	return err
}

// complete completes an upload. After an error the other program must drop it.
func (s *server) complete(_ http.ResponseWriter, r *http.Request) error {
	object, err := s.upload(r, false)
	if err != nil {
		return err
	}
	var list []parts.Part
	if err := json.NewDecoder(r.Body).Decode(&list); err != nil {
		return err
	}
	if err := object.Complete(r.Context(), list); err != nil {
		return err
	}
	_, err = s.upload(r, true)
	return err
}

func (s *server) abort(_ http.ResponseWriter, r *http.Request) error {
	object, err := s.upload(r, true)
	if err != nil {
		return err
	}
	return object.Abort(r.Context())
}

// dropTime limits the time for dropping the uploads after the input has ended.
const dropTime = 30 * time.Second

// drop drops the unfinished uploads of the other program.
func (s *server) drop() (err error) {
	ctx, cancel := context.WithTimeout(context.Background(), dropTime)
	defer cancel()
	for _, object := range s.uploads {
		if !object.Rules().Shared { // other processes may continue a shared upload
			err = errors.Join(err, object.Abort(ctx))
		}
	}
	return err
}

// listed is a line of the answer about unfinished uploads.
type listed struct {
	remote.Unfinished
	Fault *fault `json:",omitempty"`
}

func (s *server) unfinished(w http.ResponseWriter, r *http.Request) error {
	lister, err := s.lister()
	if err != nil {
		return err
	}
	lines := json.NewEncoder(w)
	for u, err := range lister.Unfinished(r.Context(), r.FormValue("url")) {
		line := listed{Unfinished: u}
		if err != nil {
			line.Fault = faultOf(err)
		}
		if lines.Encode(line) != nil {
			return nil // the other program has ended
		}
	}
	return nil
}

func (s *server) remove(_ http.ResponseWriter, r *http.Request) error {
	lister, err := s.lister()
	if err != nil {
		return err
	}
	var u remote.Unfinished
	if err := json.NewDecoder(r.Body).Decode(&u); err != nil {
		return err
	}
	return lister.Remove(r.Context(), u)
}

func (s *server) lister() (Lister, error) {
	switch store := s.store.(type) {
	case Lister:
		return store, nil
	case noStore:
		return nil, store.err
	}
	return nil, errors.New("the store drops unfinished uploads by itself, and does not list them")
}
