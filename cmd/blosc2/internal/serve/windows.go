package serve

import (
	"bufio"
	"errors"
	"mime"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/npy"
)

// contentTypes holds the content types of the formats.
var contentTypes = map[string]string{
	"npy": "application/octet-stream", "raw": "application/octet-stream", "b2nd": "application/octet-stream",
	"json": "application/json", "csv": "text/csv; charset=utf-8", "png": "image/png", "svg": "image/svg+xml",
}

// window answers with a window of an array.
func (s *Server) window(w http.ResponseWriter, r *http.Request) error {
	at, err := s.find(r.PathValue("path"))
	if err != nil {
		return err
	}
	h, release, err := s.files.open(at)
	if err != nil {
		return err
	}
	defer release()
	if t, ok, err := h.table(at.key); err != nil {
		return err
	} else if ok {
		return s.sheet(w, r, h, t)
	}
	values, err := form(w, r)
	if err != nil {
		return err
	}
	d, err := h.dataset(s.files, at.key)
	if err != nil {
		return err
	}
	q, err := s.query(d, values)
	if err != nil {
		return err
	}
	if err := s.check(q); err != nil {
		return err
	}
	a := &answer{query: q, plan: q.plan(), w: w, r: r, stamp: h.tag()}
	if err := a.prepare(); err != nil {
		return err
	}
	head := w.Header()
	head.Set("Content-Type", contentTypes[q.format])
	head.Set("X-Blosc2-Shape", join(q.shape()))
	head.Set("X-Blosc2-Dtype", q.dtypeText())
	if values.Has("download") {
		head.Set("Content-Disposition", attachment(strings.TrimSuffix(path.Base(at.path), path.Ext(at.path))+"."+q.format))
	}
	if tagged(w, r, q.tag(h, at.path)) {
		return nil
	}
	if r.Method == http.MethodHead {
		if n := a.length(); n >= 0 {
			head.Set("Content-Length", strconv.FormatInt(n, 10))
		}
		return nil
	}
	free, err := s.budget.acquire(r.Context(), a.memory(), s.Wait)
	if err != nil {
		return err
	}
	defer free()
	return a.write(s)
}

// tagged sets the ETag of an answer, unless it is "", and responds to a client that
// already has the answer.
func tagged(w http.ResponseWriter, r *http.Request, tag string) (done bool) {
	if tag == "" {
		return false
	}
	w.Header().Set("ETag", tag)
	if !slices.Contains(splitList(r.Header.Get("If-None-Match")), tag) {
		return false
	}
	w.WriteHeader(http.StatusNotModified)
	return true
}

// attachment is the value of Content-Disposition that names a file.
func attachment(name string) string {
	return mime.FormatMediaType("attachment", map[string]string{"filename": name})
}

func splitList(text string) []string {
	words := strings.Split(text, ",")
	for i := range words {
		words[i] = strings.TrimSpace(words[i])
	}
	return words
}

func join(shape []int64) string {
	words := make([]string, len(shape))
	for i, n := range shape {
		words[i] = strconv.FormatInt(n, 10)
	}
	return strings.Join(words, ",")
}

// dtypeText returns the type of the answer's items.
func (q *query) dtypeText() string {
	switch {
	case q.as != "":
		return "<" + q.as
	case q.envelope > 0:
		return "<f8"
	}
	return q.field.String()
}

// An answer is the answer to a request for a window.
type answer struct {
	*query
	plan  plan
	w     http.ResponseWriter
	r     *http.Request
	begun bool      // some bytes of the answer were written
	conv  converter // for the parameter as, and for pictures and envelopes
	stamp string    // identifies the state of the file
	head  []byte    // header of the format npy
}

// prepare prepares the answer. It returns the errors that can be found before anything
// is read.
func (a *answer) prepare() (err error) {
	if a.as != "" || a.isPicture() || a.envelope > 0 {
		a.conv, err = converterOf(a.field, a.part)
	}
	if err == nil && a.isPicture() {
		err = a.checkPicture()
	}
	if err == nil && a.format == "npy" && a.envelope == 0 {
		a.head, err = npyHead(a.dtypeText(), a.shape())
	}
	if err == nil && a.format == "b2nd" && (a.as != "" || a.inner != nil) {
		err = badf("format b2nd: cannot be combined with as or a field that is an array")
	}
	return err
}

// memory returns the bytes that the answer takes.
func (a *answer) memory() int64 {
	n := a.query.memory(a.plan)
	if a.conv != nil {
		n += a.plan.bytes / int64(max(a.field.Size, 1)) * 16
	}
	switch {
	case a.isPicture():
		n += a.pictureMemory()
	case a.envelope > 0:
		n += int64(a.envelope)*64 + baseMost*20
	}
	return n
}

func (a *answer) write(s *Server) error {
	var err error
	switch {
	case a.envelope > 0:
		err = a.writeEnvelope(s)
	case a.isPicture():
		err = a.writePicture()
	case a.format == "json":
		err = a.writeJSON()
	case a.format == "csv":
		err = a.writeCSV()
	case a.format == "b2nd":
		err = a.writeArray()
	default:
		err = a.writeItems()
	}
	if err != nil && a.begun {
		panic(http.ErrAbortHandler) // the client then sees that the answer is incomplete
	}
	return err
}

// Write implements io.Writer for the body.
func (a *answer) Write(b []byte) (int, error) {
	a.begun = true
	return newProgress(a.w, a.r).Write(b)
}

// writeItems writes the items as bytes, with a header of NumPy for the format npy.
func (a *answer) writeItems() error {
	head := a.head
	a.w.Header().Set("Content-Length", strconv.FormatInt(a.length(), 10))
	var numbers []float64
	var out []byte
	err := a.each(a.r.Context(), a.plan, func(b []byte) error {
		if a.as != "" {
			numbers = a.conv(numbers[:0], b)
			out = appendFloats(out[:0], numbers, a.as)
			b = out
		}
		if head != nil {
			b, head = slices.Concat(head, b), nil
		}
		_, err := a.Write(b)
		return err
	})
	if err == nil && head != nil { // the window has no items
		_, err = a.Write(head)
	}
	return err
}

// length returns the size of the answer in bytes, or -1 if it is not known in advance.
func (a *answer) length() int64 {
	if a.envelope > 0 || a.format != "npy" && a.format != "raw" {
		return -1
	}
	return int64(len(a.head)) + a.bytes()
}

func npyHead(dtype string, shape []int64) ([]byte, error) {
	h := npy.Header{DType: dtype, Shape: shape}
	return h.Append(nil)
}

// text returns a compressed writer for text, if the client accepts it, and the
// function that ends the answer.
func (a *answer) textWriter() (*bufio.Writer, func() error) {
	z, end := compressed(a.w, a.r, a)
	out := bufio.NewWriterSize(z, 64<<10)
	return out, func() error { return errors.Join(out.Flush(), end()) }
}

// isNumber reports whether the items of a type are numbers in JSON.
func isNumber(d meta.DType) bool {
	return d.Kind == meta.Int || d.Kind == meta.Uint || d.Kind == meta.Float && d.Size <= 8
}
