package containertest

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strings"

	"github.com/seed03b80dae/blosc2/frame"
)

type schema struct {
	Version int64
	Columns []map[string]any
}

// bare matches JSON strings, which are kept, and the numbers that JSON lacks.
var bare = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|-?Infinity|NaN`)

// strict returns a schema as strict JSON.
func strict(s string) string {
	return bare.ReplaceAllStringFunc(s, func(m string) string {
		switch m {
		case "NaN":
			return `{"float":"nan"}`
		case "Infinity":
			return `{"float":"inf"}`
		case "-Infinity":
			return `{"float":"-inf"}`
		}
		return m
	})
}

func parseSchema(s string) (schema, error) {
	var out schema
	d := json.NewDecoder(strings.NewReader(strict(s)))
	d.UseNumber()
	return out, d.Decode(&out)
}

// columnPath returns the path of a column's values below _cols.
func columnPath(name string) string {
	var parts []string
	var part strings.Builder
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case c == '\\' && i+1 < len(name):
			i++
			part.WriteByte(name[i])
		case c == '.':
			parts = append(parts, part.String())
			part.Reset()
		default:
			part.WriteByte(c)
		}
	}
	parts = append(parts, part.String())
	r := strings.NewReplacer("%", "%25", "/", "%2F", ".", "%2E", `\`, "%5C")
	for i := range parts {
		parts[i] = r.Replace(parts[i])
	}
	return strings.Join(parts, "/")
}

// A column returns the value of a row, given its place.
type column struct {
	spec  map[string]any
	at    func(place int) (any, error) // returns the value at a place, or nil for null
	valid []byte                       // which places are not null; nil if there is no mask
	null  any                          // value that means null, as show returns it
	has   bool                         // whether there is such a value
}

func (s *store) frame(key string) (*frame.Reader, error) {
	n, ok := s.nodes[key]
	if !ok || n.f == nil {
		return nil, fmt.Errorf("key %s is missing", key)
	}
	return n.f, nil
}

func (s *store) array(key string) (array, error) {
	f, err := s.frame(key)
	if err != nil {
		return array{}, err
	}
	a, err := readArray(f)
	if err != nil {
		err = fmt.Errorf("%s: %w", key, err)
	}
	return a, err
}

// table returns the table below root.
func (s *store) table(root string) (any, error) {
	head, err := s.frame(root + "/_meta")
	if err != nil {
		return nil, err
	}
	if v, err := vlmeta(head, "kind"); err != nil || v != any("ctable") {
		return nil, fmt.Errorf("kind of the table is %v: %w", v, errors.Join(err, errors.New("not a ctable")))
	}
	v, err := vlmeta(head, "schema")
	if err != nil {
		return nil, err
	}
	sch, err := parseSchema(v.(string))
	if err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	live, err := s.array(root + "/_valid_rows")
	if err != nil {
		return nil, err
	}
	var places []int
	for i, b := range live.bytes {
		if b != 0 {
			places = append(places, i)
		}
	}
	columns := map[string]any{}
	for _, spec := range sch.Columns {
		name := spec["name"].(string)
		c, err := s.column(root+"/_cols/"+columnPath(name), spec)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", name, err)
		}
		values := []any{}
		for _, p := range places {
			v, err := c.value(p)
			if err != nil {
				return nil, fmt.Errorf("column %s, place %d: %w", name, p, err)
			}
			values = append(values, v)
		}
		columns[name] = map[string]any{"kind": spec["kind"], "values": values}
	}
	content := map[string]any{"type": "ctable", "schema_version": sch.Version, "rows": int64(len(places)), "columns": columns}
	if n, ok := s.nodes[root+"/_vlmeta"]; ok {
		m, err := userMeta(n.f)
		if err != nil {
			return nil, err
		}
		if len(m) > 0 {
			content["vlmeta"] = m
		}
	}
	return content, nil
}

func (c *column) value(place int) (any, error) {
	if c.valid != nil && c.valid[place] == 0 {
		return nil, nil
	}
	v, err := c.at(place)
	if err == nil && c.has && reflect.DeepEqual(v, c.null) {
		return nil, nil
	}
	return v, err
}

func (s *store) column(key string, spec map[string]any) (*column, error) {
	c := &column{spec: spec}
	if spec["null_storage"] == "mask" {
		if _, ok := s.nodes[key+".notnull"]; ok {
			a, err := s.array(key + ".notnull")
			if err != nil {
				return nil, err
			}
			c.valid = a.bytes
		}
	} else if v, ok := spec["null_value"]; ok && v != nil {
		c.null, c.has = sentinel(v, spec["kind"].(string)), true
	}
	var err error
	switch kind := spec["kind"].(string); kind {
	case "utf8":
		err = s.utf8(c, key)
	case "dictionary":
		err = s.dictionary(c, key)
	case "vlstring", "vlbytes", "object", "struct", "list":
		var f *frame.Reader
		var l []any
		if f, err = s.frame(key); err != nil {
			return nil, err
		}
		if l, err = items(f); err == nil {
			c.at = func(p int) (any, error) {
				if p >= len(l) {
					return nil, fmt.Errorf("only %d values", len(l))
				}
				return show(l[p])
			}
		}
	default:
		err = s.fixed(c, key)
	}
	return c, err
}

// sentinel returns the value that means null in the schema, as a column shows it.
func sentinel(v any, kind string) any {
	switch v := v.(type) {
	case map[string]any:
		if b, ok := v["base64"]; ok {
			raw, _ := base64.StdEncoding.DecodeString(b.(string))
			return octets(raw)
		}
		if _, ok := v["__complex__"]; ok {
			re, _ := v["real"].(json.Number).Float64()
			im, _ := v["imag"].(json.Number).Float64()
			return map[string]any{"complex": []any{re, im}}
		}
	case json.Number:
		if strings.HasPrefix(kind, "float") || kind == "ndarray" {
			f, _ := v.Float64()
			if kind == "float32" {
				f = float64(float32(f))
			}
			return f
		}
		if n, err := v.Int64(); err == nil {
			return n
		}
	}
	return v
}

func (s *store) fixed(c *column, key string) error {
	a, err := s.array(key)
	if err != nil {
		return err
	}
	t, ok := parseType(a.dtype)
	if !ok {
		return fmt.Errorf("dtype %s", a.dtype)
	}
	kind := c.spec["kind"].(string)
	width := a.size
	for _, n := range a.shape[1:] {
		width *= int(n)
	}
	c.at = func(p int) (any, error) {
		if (p+1)*width > len(a.bytes) {
			return nil, fmt.Errorf("only %v places", a.shape)
		}
		b := a.bytes[p*width : (p+1)*width]
		switch kind {
		case "ndarray":
			if c.has && allNull(t, b, a.size, c.null) {
				return c.null, nil
			}
			return map[string]any{"items": map[string]any{"dtype": a.dtype, "shape": integers(a.shape[1:]), "sha256": sum(b)}}, nil
		case "timestamp":
			n := t.int(b)
			if c.has && c.null == any(n) {
				return c.null, nil
			}
			var v any = n
			if n == math.MinInt64 {
				v = nil
			}
			return map[string]any{"datetime64": v, "unit": c.spec["unit"]}, nil
		case "bool":
			if c.has && c.null == any(int64(b[0])) {
				return c.null, nil
			}
		}
		return t.value(b)
	}
	return nil
}

// allNull reports whether all items of a row are the sentinel.
func allNull(t itemType, row []byte, size int, null any) bool {
	for i := 0; i < len(row); i += size {
		v, err := t.value(row[i : i+size])
		if err != nil {
			return false
		}
		if n, ok := v.(int64); ok {
			v = float64(n)
		}
		if !reflect.DeepEqual(v, null) {
			return false
		}
	}
	return len(row) > 0
}

func (s *store) utf8(c *column, key string) error {
	offsets, err := s.array(key)
	if err != nil {
		return err
	}
	bytes, err := s.array(key + ".utf8")
	if err != nil {
		return err
	}
	t := itemType{order: nil, kind: 'i', size: 8}
	if parsed, ok := parseType(offsets.dtype); ok {
		t = parsed
	}
	c.at = func(p int) (any, error) {
		if 8*(p+2) > len(offsets.bytes) {
			return nil, fmt.Errorf("only %v offsets", offsets.shape)
		}
		from, to := t.int(offsets.bytes[8*p:8*p+8]), t.int(offsets.bytes[8*p+8:8*p+16])
		return text(string(bytes.bytes[from:to])), nil
	}
	return nil
}

func (s *store) dictionary(c *column, key string) error {
	codes, err := s.array(key)
	if err != nil {
		return err
	}
	f, err := s.frame(key + "_dict")
	if err != nil {
		return err
	}
	words, err := items(f)
	if err != nil {
		return err
	}
	t, _ := parseType(codes.dtype)
	null := int64(-1)
	if n, ok := c.spec["null_code"].(json.Number); ok {
		null, _ = n.Int64()
	}
	c.at = func(p int) (any, error) {
		code := t.int(codes.bytes[4*p : 4*p+4])
		if code == null {
			return nil, nil
		}
		if code < 0 || code >= int64(len(words)) {
			return nil, fmt.Errorf("code %d of %d words", code, len(words))
		}
		return show(words[code])
	}
	return nil
}
