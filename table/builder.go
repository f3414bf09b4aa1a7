package table

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/tree"
)

// A Builder makes a table from rows added piece by piece. It holds the columns
// compressed, each in memory up to 4 MiB and in a temporary file beyond that. It is for
// one goroutine, and must be closed.
//
// Columns may be of any kind except Object, Struct and lists of structs. Nulls of a
// Nullable column are stored in a validity column, in a dictionary as a code, and
// in a column of variable length as nil.
type Builder struct {
	specs   []Spec
	columns []*columnWriter
	rows    int64
	base    int64        // number of places of the table before the new rows
	valid   *arrayWriter // array of valid rows, made by Contents
	err     error
	done    bool // nothing can be added any more
}

// Cells are values of a column, as in a Batch.
type Cells struct {
	Values any    // a slice of the kind's Column.GoType
	Valid  []bool // which values are not null; nil if all are
}

// NewBuilder starts a table with the given columns, of which it uses Name,
// Kind, Nullable and the fields of the kind: MaxLength, Unit, ItemShape with
// DType, Ordered, Item. Invalid columns return a *blosc2.OptionError.
func NewBuilder(columns ...Spec) (*Builder, error) {
	b := &Builder{}
	names := map[string]bool{}
	for _, s := range columns {
		if names[s.Name] || s.Name == "" || strings.HasPrefix(s.Name, "_") || strings.ContainsAny(s.Name, ":\x00\r\n\t") || !utf8.ValidString(s.Name) {
			return nil, b.fail(&blosc2.OptionError{Option: "name of a column", Value: s.Name, Range: "unique, without a leading underscore, colons or control characters"})
		}
		for part := range strings.SplitSeq(s.Name, ".") {
			if part == "" {
				return nil, b.fail(&blosc2.OptionError{Option: "name of a column", Value: s.Name, Range: "without empty parts between dots"})
			}
		}
		names[s.Name] = true
		if err := s.complete(); err != nil {
			return nil, b.fail(err)
		}
		w, err := newColumnWriter(&s)
		if err != nil {
			return nil, b.fail(err)
		}
		b.specs = append(b.specs, s)
		b.columns = append(b.columns, w)
	}
	if len(columns) == 0 {
		return nil, &blosc2.OptionError{Option: "columns", Value: 0, Range: "1 or more"}
	}
	return b, nil
}

// fail ends the Builder with an error.
func (b *Builder) fail(err error) error {
	b.Close()
	return err
}

// complete checks a column, and fills in defaults.
func (s *Spec) complete() error {
	bad := func(option string, v any, what string) error {
		return &blosc2.OptionError{Option: option + " of column " + s.Name, Value: v, Range: what}
	}
	switch s.Kind {
	case Object, Struct:
		return bad("kind", s.Kind, "a kind that can be written: not object or struct")
	case List:
		if s.Item == nil || !s.Item.Kind.known() || s.Item.Kind == Struct || s.Item.Kind == NDArray {
			return bad("item", s.Item, "a number, bool, string, bytes or list")
		}
	case Timestamp:
		if s.Unit == "" {
			s.Unit = "us"
		}
		if timeUnits[s.Unit] == 0 {
			return bad("unit", s.Unit, "s, ms, us or ns")
		}
	case String, Bytes:
		if s.MaxLength == 0 {
			s.MaxLength = defaultLength
		}
		if s.MaxLength < 1 || s.MaxLength > 1<<20 {
			return bad("MaxLength", s.MaxLength, "1 to 1,048,576")
		}
	case NDArray:
		t, err := meta.ParseDType(s.DType)
		if err != nil || t.Size < 1 || len(s.ItemShape) == 0 || len(s.ItemShape) >= meta.MaxDims {
			return bad("DType and ItemShape", s.DType, "a NumPy type, and 1 to 15 dimensions")
		}
		for _, n := range s.ItemShape {
			if n < 1 {
				return bad("ItemShape", s.ItemShape, "positive")
			}
		}
	default:
		if !s.Kind.known() {
			return bad("kind", s.Kind, "a known kind that can be written")
		}
	}
	s.Null, s.NullCode = nil, -1
	s.Mask = s.Nullable && !varlen[s.Kind] && s.Kind != Dictionary
	return nil
}

// Append adds rows: one Cells for each column, all of the same length. Cells that do
// not fit return a *blosc2.OptionError. The Builder remains usable unless values of a
// column were already written.
func (b *Builder) Append(cells ...Cells) error {
	if err := b.ready(); err != nil {
		return err
	}
	if len(cells) != len(b.columns) {
		return &blosc2.OptionError{Option: "columns", Value: len(cells), Range: fmt.Sprint(len(b.columns))}
	}
	n := -1
	for i, c := range cells {
		v := reflect.ValueOf(c.Values)
		s := &b.specs[i]
		want := (&Column{spec: s}).GoType()
		if v.Kind() != reflect.Slice || v.Type().Elem() != want {
			return &blosc2.OptionError{Option: "values of column " + s.Name, Value: fmt.Sprintf("%T", c.Values), Range: "[]" + want.String()}
		}
		if n < 0 {
			n = v.Len()
		}
		if v.Len() != n || c.Valid != nil && len(c.Valid) != n {
			return &blosc2.OptionError{Option: "rows of column " + s.Name, Value: []int{v.Len(), len(c.Valid)}, Range: fmt.Sprint(n)}
		}
		for _, ok := range c.Valid {
			if !ok && !s.Nullable {
				return &blosc2.OptionError{Option: "value of column " + s.Name, Value: "null", Range: "a value, as the column is not Nullable"}
			}
		}
	}
	for i, c := range cells {
		if b.err = b.columns[i].append(c); b.err != nil {
			return b.err
		}
	}
	b.rows += int64(n)
	return nil
}

func (b *Builder) ready() error {
	if b.done {
		return blosc2.ErrClosed
	}
	return b.err
}

// AppendTable adds all rows of a table, which must have columns of the same
// names and kinds. Computed columns are omitted.
func (b *Builder) AppendTable(t *Table) error {
	var columns []*Column
	for i := range b.specs {
		c, err := t.Column(b.specs[i].Name)
		if err != nil {
			return err
		}
		if c.spec.Kind != b.specs[i].Kind || c.spec.Unit != b.specs[i].Unit {
			return &blosc2.OptionError{Option: "kind of column " + c.spec.Name, Value: c.spec.Kind, Range: string(b.specs[i].Kind)}
		}
		columns = append(columns, c)
	}
	bufs := make([]buffers, len(columns))
	cells := make([]Cells, len(columns))
	for s, err := range t.spans(0, t.Len(), stepRows) {
		if err != nil {
			return err
		}
		for i, c := range columns {
			batch, err := c.load(s, &bufs[i])
			if err != nil {
				return err
			}
			cells[i] = Cells{batch.values, batch.valid}
		}
		if err := b.Append(cells...); err != nil {
			return err
		}
	}
	return nil
}

// Len returns the number of rows so far.
func (b *Builder) Len() int64 { return b.rows }

// Close releases the memory and files of the Builder, and of what Contents returned. It
// does nothing when called again.
func (b *Builder) Close() (err error) {
	b.done = true
	for _, c := range b.columns {
		err = errors.Join(err, c.close())
	}
	if b.valid != nil {
		err = errors.Join(err, b.valid.close())
	}
	b.columns, b.valid = nil, nil
	return err
}

// Contents ends the table and returns it as the contents of a store of package tree.
// The table is at key; "/" makes a store that is the table. Nothing can be added
// afterwards. The Contents are valid until Close.
func (b *Builder) Contents(key string) (tree.Contents, error) {
	if err := b.ready(); err != nil {
		return tree.Contents{}, err
	}
	b.done = true
	prefix := strings.TrimSuffix(key, "/")
	c := tree.Contents{}
	add := func(it tree.Item) {
		it.Key = prefix + it.Key
		c.Items = append(c.Items, it)
	}
	for i, w := range b.columns {
		if err := w.finish(columnPath(b.specs[i].Name), b.rows, add); err != nil {
			return c, err
		}
	}
	var err error
	if b.valid, err = newArrayWriter("|b1"); err != nil {
		return c, err
	}
	if err := b.valid.writeOnes(b.rows); err != nil { // a table without rows has one place, which is not a row
		return c, err
	}
	valid, err := b.valid.finish("/_valid_rows")
	if err != nil {
		return c, err
	}
	add(valid)
	schema, err := b.schema()
	if err != nil {
		return c, err
	}
	m, err := tree.EmptyFrame(meta.Map{{Key: "kind", Value: "ctable"}, {Key: "version", Value: 1}, {Key: "schema", Value: string(schema)}})
	if err != nil {
		return c, err
	}
	add(tree.Bytes("/_meta", m))
	if prefix != "" {
		c.Tables = []string{prefix}
	}
	return c, nil
}

// Write ends the table, writes it to w as a zip, and closes the Builder.
func (b *Builder) Write(w io.Writer) (err error) {
	defer func() { err = errors.Join(err, b.Close()) }()
	c, err := b.Contents("/")
	if err != nil {
		return err
	}
	return tree.Write(w, c)
}

// WriteFile ends the table, writes it to a file in one step, as tree.WriteFile does,
// and closes the Builder.
func (b *Builder) WriteFile(path string) (err error) {
	defer func() { err = errors.Join(err, b.Close()) }()
	c, err := b.Contents("/")
	if err != nil {
		return err
	}
	return tree.WriteFile(path, c)
}

// schema writes the schema.
func (b *Builder) schema() ([]byte, error) {
	version := 1
	var columns []any
	for i := range b.specs {
		if b.specs[i].Mask {
			version = 3
		}
		columns = append(columns, b.specs[i].json())
	}
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	err := e.Encode(map[string]any{
		"version": version, "columns": columns, "n_rows": b.rows, "create_summary_index": false, "summary_indexes_built": false,
	})
	return bytes.TrimSpace(buf.Bytes()), err
}

// json returns the column's entry in the schema.
func (s *Spec) json() map[string]any {
	m := map[string]any{"kind": string(s.Kind)}
	if s.Name != "" {
		m["name"] = s.Name
	}
	if s.Nullable {
		m["nullable"] = true
	}
	if s.Mask {
		m["null_storage"] = "mask"
	}
	switch s.Kind {
	case String, Bytes:
		m["max_length"] = cmp.Or(s.MaxLength, defaultLength)
	case Timestamp:
		m["unit"] = s.Unit
		if s.Timezone != "" {
			m["timezone"] = s.Timezone
		}
	case NDArray:
		m["item_shape"], m["dtype_str"] = s.ItemShape, s.DType
	case VLString, VLBytes:
		m["nullable"], m["serializer"], m["batch_rows"] = s.Nullable, "msgpack", batchRows
	case Dictionary:
		m["nullable"], m["ordered"], m["null_code"] = s.Nullable, s.Ordered, -1
		m["index_type"] = map[string]any{"kind": "int32"}
		m["value_type"] = map[string]any{"kind": "vlstring", "nullable": false, "serializer": "msgpack", "batch_rows": batchRows}
	case List:
		m["nullable"], m["item"], m["storage"], m["serializer"], m["batch_rows"] = s.Nullable, s.Item.json(), "batch", "msgpack", batchRows
	}
	return m
}

// nullTime is the value of a null timestamp.
const nullTime = math.MinInt64
