package serve

import (
	"context"
	"io"
	"io/fs"
	"net/http"
	"strings"
	"time"

	"github.com/seed03b80dae/blosc2/frame"
)

// A Config describes a server. Only Places must be set.
type Config struct {
	Places []*Place

	// Describe returns the JSON of /info about a frame in a file, or a folder,
	// of size bytes.
	Describe func(name string, f *frame.Reader, size int64) (any, error)

	// DescribeZarr returns the JSON of /info about the Zarr array in a folder of fsys.
	// If it is nil, /info answers with a summary.
	DescribeZarr func(name string, fsys fs.FS, folder string) (any, error)

	// OpenPlain opens a file that is not Blosc2 as an array. name is the name of the
	// file without folders; member selects one array of a file that holds several.
	// OpenPlain closes the file if it returns an error; otherwise the Close function of
	// the Plain does. If OpenPlain is nil, such files are not shown.
	OpenPlain func(f File, name, member string) (*Plain, error)

	Token string   // token that all requests must have, or ""
	Hosts []string // hosts to which requests may be addressed; nil: all
	CORS  string   // origin whose pages may read answers; "*": all; "": none
	Watch bool     // watch files, and send events when they change

	MaxWindow int64         // bytes of the largest answer; 0: DefaultMaxWindow
	MaxWork   int64         // most bytes decoded for an answer; 0: DefaultMaxWork
	Memory    int64         // bytes that all requests together may use; 0: DefaultMemory
	Wait      time.Duration // longest wait for memory, before status 503; 0: DefaultWait
}

// These are the defaults of a Config.
const (
	DefaultMaxWindow = 1 << 30
	DefaultMaxWork   = 64 << 30
	DefaultMemory    = 256 << 20
	DefaultWait      = 2 * time.Second
)

// A Server is an http.Handler. It holds files open until Close.
type Server struct {
	Config
	files  *cache
	budget *budget
	curves *envelopes
	done   context.Context
	end    context.CancelFunc
	mux    *http.ServeMux
}

// New returns a Server.
func New(c Config) *Server {
	s := &Server{Config: c, files: newCache(c.OpenPlain), curves: new(envelopes), mux: http.NewServeMux()}
	orElse(&s.MaxWindow, DefaultMaxWindow)
	orElse(&s.MaxWork, DefaultMaxWork)
	orElse(&s.Memory, DefaultMemory)
	orElse(&s.Wait, DefaultWait)
	s.budget = newBudget(s.Memory)
	s.done, s.end = context.WithCancel(context.Background())
	for pattern, h := range map[string]handler{
		"GET /{$}":              s.page,
		"GET /view/{path...}":   s.view,
		"GET /page/{name}":      s.asset,
		"GET /f/{path...}":      s.file,
		"GET /a/{path...}":      s.window,
		"POST /a/{path...}":     s.window,
		"GET /info/{path...}":   s.info,
		"GET /tree/{path...}":   s.tree,
		"GET /chunks/{path...}": s.chunks,
		"GET /zarr/{path...}":   s.zarr,
		"GET /events/{path...}": s.events,
	} {
		s.mux.Handle(pattern, h)
	}
	return s
}

func orElse[T comparable](v *T, usual T) {
	var zero T
	if *v == zero {
		*v = usual
	}
}

// A handler answers a request, or returns an error to be answered.
type handler func(w http.ResponseWriter, r *http.Request) error

// ServeHTTP implements http.Handler.
func (h handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := h(w, r); err != nil {
		fail(w, r, err)
	}
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-cache")
	if s.CORS != "" {
		h.Set("Access-Control-Allow-Origin", s.CORS)
		h.Set("Access-Control-Expose-Headers", "Content-Range, ETag, X-Blosc2-Shape, X-Blosc2-Dtype")
		if r.Method == http.MethodOptions {
			h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, Range, If-Range, If-None-Match")
			h.Set("Access-Control-Allow-Methods", "GET, HEAD, POST")
			w.WriteHeader(http.StatusNoContent)
			return
		}
	}
	if err := s.admit(w, r); err != nil {
		if err != errAdmitted {
			fail(w, r, err)
		}
		return
	}
	// The multiplexer would redirect these paths to the cleaned path.
	if strings.Contains(r.URL.Path, "//") || strings.Contains(r.URL.Path, "/../") || strings.HasSuffix(r.URL.Path, "/..") {
		fail(w, r, errMissing)
		return
	}
	if _, pattern := s.mux.Handler(r); pattern == "" { // the multiplexer itself would answer in plain text
		if r.Method == http.MethodGet || r.Method == http.MethodHead {
			fail(w, r, errMissing)
			return
		}
		h.Set("Allow", "GET, HEAD")
		if strings.HasPrefix(r.URL.Path, "/a/") {
			h.Set("Allow", "GET, HEAD, POST")
		}
		fail(w, r, statusf(http.StatusMethodNotAllowed, "method %s: this server is read-only", abridged(r.Method)))
		return
	}
	s.mux.ServeHTTP(w, r)
}

// HTTP returns an http.Server for s with timeouts against clients that send
// requests slowly. Its Shutdown ends the events.
func (s *Server) HTTP() *http.Server {
	h := &http.Server{
		Handler:           s,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       60 * time.Second,
		MaxHeaderBytes:    64 << 10,
	}
	h.RegisterOnShutdown(s.end)
	return h
}

// Close ends the events and closes the files; no request may be in progress. It
// does not close the Places.
func (s *Server) Close() error {
	s.end()
	return s.files.close()
}

// stall is the time within which a client must receive each part of an answer.
const stall = 30 * time.Second

// A progress writes an answer to a client, which must keep receiving it.
type progress struct {
	w   http.ResponseWriter
	c   *http.ResponseController
	ctx context.Context
}

func newProgress(w http.ResponseWriter, r *http.Request) io.Writer {
	return &progress{w, http.NewResponseController(w), r.Context()}
}

// Write implements io.Writer. It writes in parts, each with its own time limit.
func (p *progress) Write(b []byte) (n int, err error) {
	for err == nil && len(b) > n {
		if err = p.ctx.Err(); err != nil {
			break
		}
		p.c.SetWriteDeadline(time.Now().Add(stall)) // the recorders of tests return an error
		var k int
		k, err = p.w.Write(b[n:min(len(b), n+1<<20)])
		n += k
	}
	return n, err
}
