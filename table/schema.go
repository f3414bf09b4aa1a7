package table

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"math"
	"strings"

	"github.com/seed03b80dae/blosc2"
)

// A Schema describes the columns of a table.
type Schema struct {
	Version  int // 1; 2 with metadata about nested names, 3 with validity columns
	Columns  []Spec
	Computed []Computed // columns that are computed from others when they are read
	Metadata map[string]any

	stored []string // columns that are computed from others and stored
}

// A Spec describes a column, or an item of a list or struct.
type Spec struct {
	Name      string
	Kind      Kind
	Nullable  bool
	Mask      bool   // a validity column says which rows are null
	Null      any    // the value that means null, or nil for none: int64, uint64, float64, string or []byte
	NullCode  int32  // null of a dictionary
	MaxLength int    // in characters for a string, in bytes for bytes
	Unit      string // unit of a timestamp: s, ms, us or ns
	Timezone  string
	ItemShape []int64 // shape of an item of an ndarray
	DType     string  // NumPy type of an ndarray
	Ordered   bool    // whether the words of a dictionary are ordered
	Item      *Spec   // item of a list
	Fields    []Spec  // fields of a struct
}

// A Computed is a column that is computed from others. Its expression is for people
// to read, and is not executed.
type Computed struct {
	Name       string
	Kind       string   `json:"kind"` // "expression" or "dsl"
	Expression string   `json:"expression"`
	Columns    []string `json:"col_deps"` // the columns that the expression calls o0, o1, …
	DType      string   `json:"dtype"`
}

// A Kind is the kind of a column, as in the schema.
type Kind string

// These are the kinds of columns.
const (
	Int8       Kind = "int8"
	Int16      Kind = "int16"
	Int32      Kind = "int32"
	Int64      Kind = "int64"
	Uint8      Kind = "uint8"
	Uint16     Kind = "uint16"
	Uint32     Kind = "uint32"
	Uint64     Kind = "uint64"
	Float32    Kind = "float32"
	Float64    Kind = "float64"
	Complex64  Kind = "complex64"
	Complex128 Kind = "complex128"
	Bool       Kind = "bool"
	String     Kind = "string"    // strings of at most MaxLength characters
	Bytes      Kind = "bytes"     // byte strings of at most MaxLength bytes; NULs at the end are lost
	Timestamp  Kind = "timestamp" // counts of Unit since 1970
	NDArray    Kind = "ndarray"
	UTF8       Kind = "utf8"
	Dictionary Kind = "dictionary" // strings with few distinct values
	VLString   Kind = "vlstring"
	VLBytes    Kind = "vlbytes"
	Object     Kind = "object"
	Struct     Kind = "struct"
	List       Kind = "list"
)

// dtypes holds the NumPy types of the fixed-width kinds.
var dtypes = map[Kind]string{
	Int8: "|i1", Int16: "<i2", Int32: "<i4", Int64: "<i8", Uint8: "|u1", Uint16: "<u2", Uint32: "<u4", Uint64: "<u8",
	Float32: "<f4", Float64: "<f8", Complex64: "<c8", Complex128: "<c16", Bool: "|b1", Timestamp: "<i8",
}

// varlen holds the kinds that are sequences of msgpack values.
var varlen = map[Kind]bool{VLString: true, VLBytes: true, Object: true, Struct: true, List: true}

// known reports whether the kind is one of these.
func (k Kind) known() bool {
	switch k {
	case String, Bytes, NDArray, UTF8, Dictionary:
		return true
	}
	_, fixed := dtypes[k]
	return fixed || varlen[k]
}

// defaultLength is the length of strings and bytes if the schema has none.
const defaultLength = 32

// A rawSpec is the JSON of a column in the schema.
type rawSpec struct {
	Name        string    `json:"name"`
	Kind        Kind      `json:"kind"`
	Nullable    bool      `json:"nullable"`
	NullStorage string    `json:"null_storage"`
	NullValue   any       `json:"null_value"`
	NullCode    *int32    `json:"null_code"`
	MaxLength   *int      `json:"max_length"`
	Unit        string    `json:"unit"`
	Timezone    string    `json:"timezone"`
	ItemShape   []int64   `json:"item_shape"`
	DType       string    `json:"dtype_str"`
	Ordered     bool      `json:"ordered"`
	Item        *rawSpec  `json:"item"`
	Fields      []rawSpec `json:"fields"`
}

// ParseSchema parses a schema: JSON, in which NaN, Infinity and -Infinity may
// replace numbers. A version above 3 results in blosc2.ErrUnsupported.
func ParseSchema(text []byte) (*Schema, error) {
	var raw struct {
		Version  int            `json:"version"`
		Columns  []rawSpec      `json:"columns"`
		Computed []Computed     `json:"computed_columns"`
		Metadata map[string]any `json:"metadata"`
		Stored   []struct {
			Name string `json:"name"`
		} `json:"materialized_columns"`
	}
	d := json.NewDecoder(bytes.NewReader(strictJSON(text, markFloat)))
	d.UseNumber()
	if err := d.Decode(&raw); err != nil {
		return nil, corrupt("schema: %v", err)
	}
	if raw.Version < 1 || raw.Version > 3 {
		return nil, blosc2.Errorf(blosc2.PartVLMeta, blosc2.ErrUnsupported, "schema version %d; must be 1 to 3", raw.Version)
	}
	s := &Schema{Version: raw.Version, Computed: raw.Computed, Metadata: raw.Metadata}
	for _, c := range raw.Stored {
		s.stored = append(s.stored, c.Name)
	}
	names := map[string]bool{}
	for _, r := range raw.Columns {
		c, err := r.spec()
		if err != nil {
			return nil, err
		}
		if c.Name == "" || names[c.Name] {
			return nil, corrupt("schema: column name %q must be unique and not empty", c.Name)
		}
		names[c.Name] = true
		s.Columns = append(s.Columns, c)
	}
	return s, nil
}

// spec checks a column.
func (r *rawSpec) spec() (Spec, error) {
	s := Spec{
		Name: r.Name, Kind: r.Kind, Nullable: r.Nullable, Mask: r.NullStorage == "mask", NullCode: -1, Unit: r.Unit,
		Timezone: r.Timezone, ItemShape: r.ItemShape, DType: r.DType, Ordered: r.Ordered, MaxLength: defaultLength,
	}
	if !r.Kind.known() {
		return s, blosc2.Errorf(blosc2.PartVLMeta, blosc2.ErrUnsupported, "column %q of unknown kind %q", r.Name, r.Kind)
	}
	if r.NullCode != nil {
		s.NullCode = *r.NullCode
	}
	if r.MaxLength != nil {
		s.MaxLength = *r.MaxLength
	}
	var err error
	if s.Null, err = scalar(r.NullValue); err != nil {
		return s, err
	}
	if s.Kind == Timestamp && timeUnits[s.Unit] == 0 {
		return s, corrupt("schema: column %q has the unknown time unit %q", r.Name, r.Unit)
	}
	for _, n := range s.ItemShape {
		if n < 0 {
			return s, corrupt("schema: column %q has an invalid item shape %v", r.Name, s.ItemShape)
		}
	}
	if r.Item != nil {
		item, err := r.Item.spec()
		if err != nil {
			return s, err
		}
		s.Item = &item
	}
	for _, f := range r.Fields {
		field, err := f.spec()
		if err != nil {
			return s, err
		}
		s.Fields = append(s.Fields, field)
	}
	return s, nil
}

// scalar reads a value of the schema: int64, uint64, float64, string, bool,
// []byte or complex128.
func scalar(v any) (any, error) {
	switch v := v.(type) {
	case nil, bool:
		return v, nil
	case string:
		return v, nil
	case json.Number:
		if i, err := v.Int64(); err == nil {
			return i, nil
		}
		var u uint64
		if json.Unmarshal([]byte(v), &u) == nil {
			return u, nil
		}
		f, err := v.Float64()
		if err != nil {
			return nil, corrupt("schema: invalid number %s", v)
		}
		return f, nil
	case map[string]any:
		if name, ok := v[floatMark].(string); ok {
			return map[string]float64{"NaN": math.NaN(), "Infinity": math.Inf(1), "-Infinity": math.Inf(-1)}[name], nil
		}
		if text, ok := v["base64"].(string); ok && v["__bytes__"] == true {
			b, err := base64.StdEncoding.DecodeString(text)
			if err != nil {
				return nil, corrupt("schema: invalid bytes: %v", err)
			}
			return b, nil
		}
		if v["__complex__"] == true {
			re, err1 := scalar(v["real"])
			im, err2 := scalar(v["imag"])
			r, ok1 := asFloat(re)
			i, ok2 := asFloat(im)
			if err1 == nil && err2 == nil && ok1 && ok2 {
				return complex(r, i), nil
			}
		}
	}
	return nil, corrupt("schema: invalid value %v", v)
}

// asFloat converts a number of the schema.
func asFloat(v any) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case uint64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

const floatMark = "__float__"

// markFloat is the JSON object that replaces a number that JSON lacks.
func markFloat(name string) string { return `{"` + floatMark + `":"` + name + `"}` }

// strictJSON replaces the numbers that JSON lacks.
func strictJSON(text []byte, by func(name string) string) []byte {
	var out []byte
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '"':
			j := i + 1
			for j < len(text) && text[j] != '"' {
				if text[j] == '\\' {
					j++
				}
				j++
			}
			j = min(j+1, len(text))
			out = append(out, text[i:j]...)
			i = j
			continue
		case c == 'N' || c == 'I' || c == '-':
			for _, name := range []string{"NaN", "Infinity", "-Infinity"} {
				if bytes.HasPrefix(text[i:], []byte(name)) {
					out = append(out, by(name)...)
					i += len(name)
					c = 0
					break
				}
			}
			if c == 0 {
				continue
			}
		}
		out = append(out, text[i])
		i++
	}
	return out
}

// timeUnits holds the units of timestamps, in nanoseconds.
var timeUnits = map[string]int64{"s": 1e9, "ms": 1e6, "us": 1e3, "ns": 1}

// columnPath returns the key of a column's first frame below the table: see
// docs/format/containers.md §10.2.
func columnPath(name string) string {
	var parts []string
	var part strings.Builder
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case c == '.':
			parts = append(parts, part.String())
			part.Reset()
			continue
		case c == '\\' && i+1 < len(name):
			i++
			c = name[i]
			fallthrough
		default:
			switch c {
			case '%', '/', '.', '\\':
				part.WriteString("%" + strings.ToUpper(string("0123456789abcdef"[c>>4])) + strings.ToUpper(string("0123456789abcdef"[c&15])))
			default:
				part.WriteByte(c)
			}
		}
	}
	return "/_cols/" + strings.Join(append(parts, part.String()), "/")
}

func corrupt(format string, args ...any) error {
	return blosc2.Errorf(blosc2.PartVLMeta, blosc2.ErrCorrupt, "table: "+format, args...)
}
