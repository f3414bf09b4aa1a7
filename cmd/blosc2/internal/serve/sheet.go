package serve

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"path"
	"strconv"
	"strings"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/rows"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/table"
	"github.com/seed03b80dae/blosc2/tree"
)

// kindTable is the kind of a table. kindColumn is the kind of a column of a table,
// which is an array.
const (
	kindTable  = "table"
	kindColumn = "column"
)

// table returns the table at a key of a handle. ok is false if the key does not lead to
// a table.
func (h *handle) table(key string) (t *table.Table, ok bool, err error) {
	if h.store == nil {
		return nil, false, nil
	}
	n, err := h.store.Node("/" + key)
	if err != nil || n.Kind() != tree.KindTable {
		return nil, false, nil
	}
	t, err = table.Open(h.store.Store, "/"+key)
	return t, true, err
}

// column returns the column of a table that a key names, as an array. Column names may
// contain slashes.
func (h *handle) column(key string) (*dataset, error) {
	words := strings.Split(key, "/")
	for i := range words {
		t, ok, err := h.table(strings.Join(words[:i], "/"))
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		name := strings.Join(words[i:], "/")
		for _, s := range t.Schema().Columns {
			if s.Name == name {
				c, err := t.Column(name)
				if err != nil {
					return nil, err
				}
				return columnOf(c, t.Len())
			}
		}
	}
	return nil, errMissing
}

// columnOf returns the numbers of a column as an array. If they may be null, they
// become float64, with NaN for null; times become NaT instead.
func columnOf(c *table.Column, n int64) (*dataset, error) {
	d := &dataset{kind: kindColumn, shape: []int64{n}}
	switch c.Spec().Kind {
	case table.Int8:
		readColumn[int8](d, c, "|i1")
	case table.Int16:
		readColumn[int16](d, c, "<i2")
	case table.Int32:
		readColumn[int32](d, c, "<i4")
	case table.Int64:
		readColumn[int64](d, c, "<i8")
	case table.Uint8:
		readColumn[uint8](d, c, "|u1")
	case table.Uint16:
		readColumn[uint16](d, c, "<u2")
	case table.Uint32:
		readColumn[uint32](d, c, "<u4")
	case table.Uint64:
		readColumn[uint64](d, c, "<u8")
	case table.Float32:
		readColumn[float32](d, c, "<f4")
	case table.Float64:
		readColumn[float64](d, c, "<f8")
	case table.Timestamp:
		readColumn[int64](d, c, "<M8["+c.Spec().Unit+"]")
	default:
		return nil, blosc2.Errorf(blosc2.PartMeta, blosc2.ErrUnsupported, "a column of %s does not hold numbers; open its table to see it", c.Spec().Kind)
	}
	d.chunks, d.blocks = rowsOf(d.shape, plainChunk/d.itemBytes()), rowsOf(d.shape, plainBlock/d.itemBytes())
	return d, nil
}

type number interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

// readColumn sets the type and the reader of a column's dataset.
func readColumn[T number](d *dataset, c *table.Column, dtype string) {
	// There is no error, because dtype is one of the types that columnOf returns.
	d.dtype, _ = meta.ParseDType(dtype)
	le := binary.LittleEndian
	put := func(dst []byte, v T, valid bool) {
		switch {
		case !valid && d.dtype.Kind == meta.DateTime:
			le.PutUint64(dst, 1<<63) // NaT
		case !valid && d.dtype.Size == 4:
			le.PutUint32(dst, math.Float32bits(float32(math.NaN())))
		case !valid:
			le.PutUint64(dst, math.Float64bits(math.NaN()))
		default:
			binary.Encode(dst, le, v)
		}
	}
	if s := c.Spec(); (s.Nullable || s.Null != nil || s.Mask) && d.dtype.Kind != meta.DateTime && d.dtype.Kind != meta.Float {
		d.dtype, _ = meta.ParseDType("<f8")
		put = func(dst []byte, v T, valid bool) {
			f := math.NaN()
			if valid {
				f = float64(v)
			}
			le.PutUint64(dst, math.Float64bits(f))
		}
	}
	size := d.dtype.Size
	d.read = func(dst []byte, w b2nd.Window) error {
		s := w[0]
		step := max(s.Step, 1)
		for b, err := range table.Range[T](c, s.Start, s.Stop) {
			if err != nil {
				return err
			}
			for i, v := range b.Values {
				if (b.Row+int64(i)-s.Start)%step == 0 && len(dst) >= size {
					put(dst, v, !b.IsNull(i))
					dst = dst[size:]
				}
			}
		}
		return nil
	}
}

// summarizeTable describes a table for the page.
func (h *handle) summarizeTable(t *table.Table, key string) *summary {
	columns := t.Schema().Columns
	s := &summary{
		Kind: kindTable, Shape: []int64{t.Len()}, DType: fmt.Sprintf("table of %d columns", len(columns)),
		ItemSize: 64 * len(columns), CBytes: h.stored(key), Tag: h.tag(),
	}
	for i := range columns {
		c := &columns[i]
		f := field{Name: c.Name, DType: string(c.Kind)}
		if col, err := t.Column(c.Name); err == nil {
			_, err = columnOf(col, t.Len())
			f.Numeric = err == nil
		}
		s.Fields = append(s.Fields, f)
	}
	return s
}

// stored returns the stored bytes below a key of a store.
func (h *handle) stored(key string) (sum int64) {
	below := strings.TrimSuffix("/"+key, "/") + "/"
	for k := range h.store.RawKeys() {
		if strings.HasPrefix(k, below) {
			if n, err := h.store.Node(k); err == nil {
				sum += max(n.Stored(), 0)
			}
		}
	}
	return sum
}

// A tableInfo is the answer of /info about a table.
type tableInfo struct {
	Kind     string          `json:"kind"`
	Rows     int64           `json:"rows"`
	Columns  []columnInfo    `json:"columns"`
	Computed []columnInfo    `json:"computed,omitempty"`
	Metadata json.RawMessage `json:"metadata,omitempty"`
}

type columnInfo struct {
	Name string `json:"name"`
	Kind string `json:"kind"`
	Null bool   `json:"nullable,omitempty"`
	Of   string `json:"expression,omitempty"`
}

func describeTable(t *table.Table) (*tableInfo, error) {
	d := &tableInfo{Kind: kindTable, Rows: t.Len()}
	for _, c := range t.Schema().Columns {
		d.Columns = append(d.Columns, columnInfo{Name: c.Name, Kind: string(c.Kind), Null: c.Nullable})
	}
	for _, c := range t.Schema().Computed {
		d.Computed = append(d.Computed, columnInfo{Name: c.Name, Kind: c.DType, Of: c.Expression})
	}
	m, err := t.Metadata()
	if err == nil && len(m) > 0 {
		d.Metadata, err = meta.JSON(m)
	}
	return d, err
}

// tableMemory is the memory reserved for reading rows, in bytes.
const tableMemory = 32 << 20

// sheet answers with rows of a table, in JSON or CSV as cat prints them.
func (s *Server) sheet(w http.ResponseWriter, r *http.Request, h *handle, t *table.Table) error {
	values, err := form(w, r)
	if err != nil {
		return err
	}
	window, err := b2nd.ParseWindow(ellipsis(values.Get("window"), 1), []int64{t.Len()})
	if err != nil {
		return badf("window %q of %d rows: %s", abridged(values.Get("window")), t.Len(), plain(err))
	}
	span := window[0]
	if span.Step > 1 {
		return badf("window %q: rows of a table have no step", abridged(values.Get("window")))
	}
	var columns []string
	for _, c := range t.Schema().Columns {
		if name := values.Get("field"); name == "" || name == c.Name {
			columns = append(columns, c.Name)
		}
	}
	if columns == nil {
		return badf("field %q: the table has no such column", abridged(values.Get("field")))
	}
	format := values.Get("format")
	if format != "json" && format != "csv" {
		return badf("format %q: rows of a table can be json or csv; its columns are arrays, at PATH/COLUMN", abridged(format))
	}
	if n := mul(span.Len(), 64*int64(len(columns))); n > s.MaxWindow {
		return statusf(http.StatusRequestEntityTooLarge, "the response would have about %d bytes; the limit is %d: ask for fewer rows", n, s.MaxWindow)
	}
	head := w.Header()
	head.Set("Content-Type", contentTypes[format])
	head.Set("X-Blosc2-Shape", strconv.FormatInt(span.Len(), 10))
	if values.Has("download") {
		name := strings.TrimSuffix(path.Base(r.PathValue("path")), path.Ext(r.PathValue("path")))
		head.Set("Content-Disposition", attachment(name+"."+format))
	}
	if r.Method == http.MethodHead {
		return nil
	}
	free, err := s.budget.acquire(r.Context(), min(tableMemory, s.Memory), s.Wait)
	if err != nil {
		return err
	}
	defer free()
	a := &answer{query: &query{format: format}, w: w, r: r}
	if err = a.writeRows(t, span, columns, format == "csv", values.Get("strings") != ""); err != nil && a.begun {
		panic(http.ErrAbortHandler) // so that the client sees that the answer is incomplete
	}
	return err
}

func (a *answer) writeRows(t *table.Table, span b2nd.Span, columns []string, asCSV, asText bool) error {
	out, end := a.textWriter()
	var all []*table.Column
	for _, name := range columns {
		c, err := t.Column(name)
		if err != nil {
			return err
		}
		all = append(all, c)
	}
	keys := rows.Keys(all)
	var line []byte
	if asCSV {
		line = rows.AppendHeader(line, all)
	} else {
		line = fmt.Appendf(line, `{"shape":[%d],"data":[`, span.Len())
	}
	first := true
	for row, err := range t.Rows(span.Start, span.Stop, columns...) {
		if err == nil {
			err = a.r.Context().Err()
		}
		if err != nil {
			return err
		}
		if asCSV {
			line = rows.AppendLine(line, row)
		} else {
			if !first {
				line = append(line, ',')
			}
			line = rows.AppendObject(line, keys, row, asText)
		}
		first = false
		if _, err := out.Write(line); err != nil {
			return err
		}
		line = line[:0]
	}
	if !asCSV {
		line = append(line, "]}\n"...)
	}
	if _, err := out.Write(line); err != nil {
		return err
	}
	return end()
}
