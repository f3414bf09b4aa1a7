package serve

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"hash/fnv"
	"mime"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"
)

// The page is plain HTML, CSS and ES modules, served from the folder unchanged.
//
//go:embed page
var assets embed.FS

// policy is the Content-Security-Policy of the page. It allows the page to load files
// only from its own server.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// page answers with the page of the first folder.
func (s *Server) page(w http.ResponseWriter, r *http.Request) error {
	return serveAsset(w, r, "index.html")
}

// asset answers with a file of the page.
func (s *Server) asset(w http.ResponseWriter, r *http.Request) error {
	return serveAsset(w, r, r.PathValue("name"))
}

// view answers with the page of a path, or, with the suffix .json, with the
// data of the page.
func (s *Server) view(w http.ResponseWriter, r *http.Request) error {
	p := r.PathValue("path")
	_, err := s.shown(r, p)
	if twin, ok := strings.CutSuffix(p, ".json"); ok && err != nil {
		v, err := s.shown(r, strings.TrimSuffix(twin, "/"))
		if err != nil {
			return err
		}
		return answerJSON(w, r, v)
	}
	if err != nil {
		if status, _ := statusOf(err); status == http.StatusNotFound {
			return err
		}
	}
	return serveAsset(w, r, "index.html") // the page reports any other error
}

// shown returns the data that the page of a path shows.
func (s *Server) shown(r *http.Request, p string) (any, error) {
	at, err := s.find(p)
	if err != nil {
		return nil, err
	}
	if at.place == nil || at.info.IsDir() && !at.whole {
		return s.list(r, at)
	}
	h, release, err := s.files.open(at)
	if err != nil {
		if status, text := statusOf(err); status == http.StatusUnsupportedMediaType || status == http.StatusUnprocessableEntity {
			return struct {
				Kind  string `json:"kind"`
				Path  string `json:"path"`
				Size  int64  `json:"size"`
				Error string `json:"error"`
			}{"file", at.path, at.info.Size(), text}, nil
		}
		return nil, err
	}
	defer release()
	if t, ok, err := h.table(at.key); err != nil {
		return nil, err
	} else if ok {
		return s.shows(h.summarizeTable(t, at.key), at), nil
	}
	d, err := h.dataset(s.files, at.key)
	if err != nil {
		if at.key == "" && h.members != nil || h.store != nil && !errors.Is(err, errMissing) {
			return s.list(r, at)
		}
		return nil, err
	}
	return s.shows(d.summarize(d.storedBytes(at), h.tag()), at), nil
}

// shows returns what the page needs: the summary, the path, and whether files are
// watched.
func (s *Server) shows(sum *summary, at *spot) any {
	return struct {
		*summary
		Path  string `json:"path"`
		Watch bool   `json:"watch"`
	}{sum, at.path, s.Watch}
}

// A packed file is a file of the page, uncompressed and compressed.
type packed struct {
	body, gzip []byte
	tag        string
}

var packs sync.Map // maps names to *packed

// serveAsset answers with a file of the page.
func serveAsset(w http.ResponseWriter, r *http.Request, name string) error {
	p, err := packedAsset(name)
	if err != nil {
		return errMissing
	}
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("Content-Type", mime.TypeByExtension(path.Ext(name)))
	if strings.HasSuffix(name, ".js") {
		h.Set("Content-Type", "text/javascript; charset=utf-8")
	}
	h.Set("ETag", p.tag)
	h.Set("Vary", "Accept-Encoding")
	body := p.body
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") && r.Header.Get("Range") == "" {
		h.Set("Content-Encoding", "gzip")
		h.Set("ETag", strings.TrimSuffix(p.tag, `"`)+`-z"`)
		body = p.gzip
	}
	limitWriting(w, int64(len(body)))
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
	return nil
}

func packedAsset(name string) (*packed, error) {
	if p, ok := packs.Load(name); ok {
		return p.(*packed), nil
	}
	b, err := assets.ReadFile("page/" + name)
	if name == colorsName {
		b, err = colorsJSON()
	}
	if err != nil {
		return nil, err
	}
	sum := fnv.New64a()
	sum.Write(b)
	var z bytes.Buffer
	if err := pack(&z, b); err != nil {
		return nil, err
	}
	p := &packed{b, z.Bytes(), fmt.Sprintf(`"%x"`, sum.Sum64())}
	packs.Store(name, p)
	return p, nil
}
