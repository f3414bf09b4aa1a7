package serve

import (
	"cmp"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/internal/draw"
	"github.com/seed03b80dae/blosc2/meta"
)

// A query is a request for a window of an array.
type query struct {
	*dataset
	window   b2nd.Window
	offset   int // position of the selected field in an item, in bytes
	field    meta.DType
	inner    []int  // shape of the field if it is an array
	format   string // an element of formats
	as       string // "f4", "f8": numbers of that type, little-endian; "": the items are unchanged
	part     string // the part of complex numbers that as converts
	strings  bool   // JSON contains each item as text
	envelope int    // number of columns of an envelope, or 0
	palette  *draw.Palette
	stretch  [2]float64 // percentiles of the numbers at the ends of the colours
	log      bool
	width    int // width of a chart in pixels; 0: a picture with a pixel for each item
	height   int
	theme    *draw.Theme
	text     url.Values
}

var formats = []string{"npy", "json", "csv", "png", "svg", "raw", "b2nd"}

// maxForm is the largest body of a request.
const maxForm = 1 << 20

// maxColumns is the largest number of columns of an envelope.
const maxColumns = 1 << 16

// form returns the parameters of a request, including those in its body.
func form(w http.ResponseWriter, r *http.Request) (url.Values, error) {
	q, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, badf("invalid query: %v", err)
	}
	if r.Method != http.MethodPost {
		return q, nil
	}
	if t, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); t != "application/x-www-form-urlencoded" {
		return nil, statusf(http.StatusUnsupportedMediaType, "the body must be application/x-www-form-urlencoded")
	}
	defer limitReading(w)()
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		var most *http.MaxBytesError
		if errors.As(err, &most) {
			return nil, statusf(http.StatusRequestEntityTooLarge, "the body has more than %d bytes", most.Limit)
		}
		return nil, badf("invalid body: %v", err)
	}
	return r.Form, nil
}

// query reads the parameters of a request for a window.
func (s *Server) query(d *dataset, q url.Values) (*query, error) {
	var err error
	if t := q.Get("dtype"); t != "" {
		if d, err = d.retyped(t); err != nil {
			return nil, err
		}
	}
	as := &query{dataset: d, field: d.dtype, text: q, format: cmp.Or(q.Get("format"), "npy"), as: q.Get("as"), part: cmp.Or(q.Get("part"), "abs")}
	if as.window, err = b2nd.ParseWindow(ellipsis(q.Get("window"), len(d.shape)), d.shape); err != nil {
		return nil, badf("window %q of shape %v: %s", abridged(q.Get("window")), d.shape, plain(err))
	}
	if err = as.takeStride(q.Get("stride")); err != nil {
		return nil, err
	}
	if name := q.Get("field"); name != "" {
		if err = as.takeField(name); err != nil {
			return nil, err
		}
	}
	if !slices.Contains(formats, as.format) {
		return nil, badf("format %q: must be one of %s", abridged(as.format), strings.Join(formats, ", "))
	}
	if as.as != "" && as.as != "f4" && as.as != "f8" {
		return nil, badf("as %q: must be f4 or f8", abridged(as.as))
	}
	if !slices.Contains(parts, as.part) {
		return nil, badf("part %q: must be one of %s", abridged(as.part), strings.Join(parts, ", "))
	}
	as.strings = q.Get("strings") != ""
	if err = as.takeEnvelope(q.Get("envelope")); err != nil {
		return nil, err
	}
	return as, as.takeColours(q)
}

// ellipsis replaces … and ... in a window by the dimensions that are not named.
func ellipsis(text string, dims int) string {
	text = strings.ReplaceAll(text, "…", "...")
	if text == "..." || strings.Count(text, "...") != 1 {
		return strings.TrimSuffix(text, "...")
	}
	words := strings.Split(text, ",")
	i := slices.IndexFunc(words, func(w string) bool { return strings.TrimSpace(w) == "..." })
	if i < 0 || dims-len(words)+1 < 0 {
		return text
	}
	return strings.Join(slices.Replace(words, i, i+1, slices.Repeat([]string{":"}, dims-len(words)+1)...), ",")
}

// abridged shortens a text for a message.
func abridged(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return s
}

// takeStride multiplies the steps of the window: one number for each dimension that
// is not dropped, or one for all.
func (q *query) takeStride(text string) error {
	if text == "" {
		return nil
	}
	words := strings.Split(text, ",")
	if n := len(q.window.Shape()); len(words) != n && len(words) != 1 {
		return badf("stride %q: must have %d numbers, or one", abridged(text), n)
	}
	i := 0
	for d, span := range q.window {
		if span.Drop {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(words[min(i, len(words)-1)]), 10, 64)
		if err != nil || n < 1 {
			return badf("stride %q: must be whole numbers of at least 1", abridged(text))
		}
		i++
		q.window[d].Step = max(min(mul(max(span.Step, 1), n), max(span.Stop-span.Start, 1)), 1)
	}
	return nil
}

// takeField selects a field; a dot separates the names of fields within fields.
func (q *query) takeField(name string) error {
	for part := range strings.SplitSeq(name, ".") {
		i := slices.IndexFunc(q.field.Fields, func(f meta.Field) bool { return f.Name == part })
		if i < 0 || q.inner != nil {
			return badf("field %q: the items have no such field", abridged(name))
		}
		f := q.field.Fields[i]
		q.offset += f.Offset
		q.field, q.inner = f.Type, f.Shape
	}
	return nil
}

func (q *query) takeEnvelope(text string) (err error) {
	if text == "" {
		return nil
	}
	q.envelope, err = strconv.Atoi(text)
	if err != nil || q.envelope < 1 || q.envelope > maxColumns {
		return badf("envelope %q: must be 1 to %d", abridged(text), maxColumns)
	}
	if len(q.window.Shape()) != 1 || q.inner != nil {
		return badf("an envelope requires a window of one dimension; this one has shape %v", q.shape())
	}
	if !slices.Contains([]string{"json", "raw", "npy"}, q.format) {
		return badf("format %q: an envelope can be json, npy or raw", q.format)
	}
	return nil
}

func (q *query) takeColours(v url.Values) error {
	q.log, q.theme = v.Get("log") != "", draw.Light
	if v.Get("dark") != "" {
		q.theme = draw.Dark
	}
	var ok bool
	if q.palette, ok = draw.PaletteNamed(cmp.Or(v.Get("palette"), "viridis")); !ok {
		return badf("palette %q: must be one of %s", abridged(v.Get("palette")), paletteNames())
	}
	if err := q.takeSize(v.Get("size")); err != nil {
		return err
	}
	q.stretch = [2]float64{2, 98}
	text := v.Get("stretch")
	if text == "" {
		return nil
	}
	lo, hi, _ := strings.Cut(text, ",")
	for i, word := range []string{lo, hi} {
		f, err := strconv.ParseFloat(word, 64)
		if err != nil || f < 0 || f > 100 || math.IsNaN(f) {
			return badf("stretch %q: must be two percentiles, as in 2,98", abridged(text))
		}
		q.stretch[i] = f
	}
	return nil
}

// takeSize parses the size of a chart.
func (q *query) takeSize(text string) error {
	if text == "" {
		if q.format == "svg" {
			q.width, q.height = draw.DefaultWidth, draw.DefaultHeight
		}
		return nil
	}
	w, h, _ := strings.Cut(text, "x")
	var errs [2]error
	q.width, errs[0] = strconv.Atoi(w)
	q.height, errs[1] = strconv.Atoi(h)
	if errors.Join(errs[:]...) != nil || min(q.width, q.height) < minChart || max(q.width, q.height) > maxChart {
		return badf("size %q: must be WIDTHxHEIGHT, each %d to %d", abridged(text), minChart, maxChart)
	}
	return nil
}

// shape returns the shape of the answer.
func (q *query) shape() []int64 {
	shape := q.window.Shape()
	for _, n := range q.inner {
		shape = append(shape, int64(n))
	}
	return shape
}

// items returns the number of items of the window; a field that is an array counts
// as its items.
func (q *query) items() int64 { return product(q.shape()) }

// bytes returns the maximum size of the answer in bytes or, for text, an estimate.
func (q *query) bytes() int64 {
	switch {
	case q.envelope > 0:
		return 64 * int64(q.envelope)
	case q.format == "json", q.format == "csv":
		return mul(q.items(), max(24, 4*int64(q.field.Size)))
	case q.isChart():
		return mul(int64(q.width), 4*int64(q.height))
	case q.isPicture():
		return mul(q.items(), 4)
	case q.as == "f4":
		return mul(q.items(), 4)
	case q.as == "f8":
		return mul(q.items(), 8)
	}
	return mul(q.items(), int64(q.field.Size))
}

// work returns the bytes of the blocks that must be decoded for the window.
func (q *query) work() int64 {
	n, p := q.blockBytes(), q.plan()
	for d, s := range q.window {
		switch {
		case d < p.dim: // these dimensions are read item by item
			n = mul(n, s.Len())
		case d == p.dim: // a block in which a piece ends is decoded again
			n = mul(n, max(touched(s, q.blocks[d]), touched(s, p.align*p.each)))
		default:
			n = mul(n, touched(s, q.blocks[d]))
		}
	}
	return n
}

// touched returns the number of blocks of the given length that hold items of a span,
// along one dimension.
func touched(s b2nd.Span, block int64) int64 {
	n, step := s.Len(), max(s.Step, 1)
	if n == 0 {
		return 0
	}
	if step >= block {
		return n
	}
	return (s.Start+(n-1)*step)/block - s.Start/block + 1
}

// check returns an error for a window that exceeds the limits.
func (s *Server) check(q *query) error {
	if n := q.bytes(); n > s.MaxWindow {
		return statusf(http.StatusRequestEntityTooLarge, "the response would have %d bytes; the limit is %d: ask for a smaller window, a stride or an envelope", n, s.MaxWindow)
	}
	if n := q.work(); n > s.MaxWork {
		return statusf(http.StatusRequestEntityTooLarge, "%d bytes would have to be decoded; the limit is %d: ask for a smaller window or a larger stride", n, s.MaxWork)
	}
	return nil
}

// tag returns the ETag of the answer, which combines the tag of the file with the
// parameters. It returns "" if answers may differ under the same tag.
func (q *query) tag(h *handle, key string) string {
	sum := fnv.New64a()
	fmt.Fprint(sum, key, q.text.Encode())
	return h.etag(fmt.Sprintf("-%x", sum.Sum64()))
}
