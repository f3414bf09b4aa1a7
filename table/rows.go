package table

import (
	"iter"
	"reflect"
	"strings"
	"time"

	"github.com/seed03b80dae/blosc2"
)

// A Row holds the values of some columns in one row. It is valid until the next one.
type Row struct {
	Number  int64
	columns []*Column
	batches []batch
	i       int
}

// rowStep is the number of places that Rows reads at a time.
const rowStep = 8192

// Rows yields the rows in [from, to) with the named columns, or all columns if
// none is named. It reads only the chunks that hold them. An error ends the
// sequence.
func (t *Table) Rows(from, to int64, columns ...string) iter.Seq2[*Row, error] {
	return func(yield func(*Row, error) bool) {
		r := &Row{}
		if len(columns) == 0 {
			for _, s := range t.schema.Columns {
				columns = append(columns, s.Name)
			}
		}
		for _, name := range columns {
			c, err := t.Column(name)
			if err != nil {
				yield(nil, err)
				return
			}
			r.columns = append(r.columns, c)
		}
		r.batches = make([]batch, len(r.columns))
		bufs := make([]buffers, len(r.columns))
		for s, err := range t.spans(from, to, rowStep) {
			if err != nil {
				yield(nil, err)
				return
			}
			for i, c := range r.columns {
				if r.batches[i], err = c.load(s, &bufs[i]); err != nil {
					yield(nil, err)
					return
				}
			}
			for i := range t.live.count(s.from, s.to) {
				r.Number, r.i = s.row+i, int(i)
				if !yield(r, nil) {
					return
				}
			}
		}
	}
}

// Columns returns the row's columns in order. They must not be changed.
func (r *Row) Columns() []*Column { return r.columns }

// Value returns the value of column i, of type GoType, or nil for null. Bytes
// are overwritten by a later row.
func (r *Row) Value(i int) any {
	b := &r.batches[i]
	if b.valid != nil && !b.valid[r.i] {
		return nil
	}
	switch v := b.values.(type) {
	case []any:
		return v[r.i]
	case []string:
		return v[r.i]
	case []float64:
		return v[r.i]
	case []int64:
		return v[r.i]
	}
	return reflect.ValueOf(b.values).Index(r.i).Interface()
}

// Scan sets the fields of the struct that v points to: each from the column
// named by its tag blosc2, as for SpecsOf, or by the field. Fields tagged "-"
// or without a column are not changed. The type of a field must be the column's
// GoType, one of the same kind, a pointer to it, which is nil for null, or any.
// A timestamp may be a time.Time. Null sets any other field to its zero value.
// Bytes are copied.
//
// A field that cannot hold its column returns a *blosc2.OptionError.
func (r *Row) Scan(v any) error {
	p := reflect.ValueOf(v)
	if p.Kind() != reflect.Pointer || p.IsNil() || p.Elem().Kind() != reflect.Struct {
		return &blosc2.OptionError{Option: "argument of Scan", Value: p.Type(), Range: "a pointer to a struct"}
	}
	s := p.Elem()
	for i, c := range r.columns {
		f, ok := fieldOf(s, c.spec.Name)
		if !ok {
			continue
		}
		if err := set(f, r.Value(i), c); err != nil {
			return err
		}
	}
	return nil
}

// fieldOf finds the field of a column.
func fieldOf(s reflect.Value, name string) (reflect.Value, bool) {
	for i := range s.NumField() {
		if f := s.Type().Field(i); f.IsExported() && columnName(f) == name {
			return s.Field(i), true
		}
	}
	return reflect.Value{}, false
}

// columnName returns the name of the column of a field, or "" for none.
func columnName(f reflect.StructField) string {
	switch tag, _, _ := strings.Cut(f.Tag.Get("blosc2"), ","); tag {
	case "-":
		return ""
	case "":
		return f.Name
	default:
		return tag
	}
}

// set sets a field to a value, nil for null.
func set(f reflect.Value, v any, c *Column) error {
	if v == nil {
		f.SetZero()
		return nil
	}
	if b, ok := v.([]byte); ok {
		v = append([]byte{}, b...)
	}
	if n, ok := v.(int64); ok && c.spec.Kind == Timestamp && timeIn(f.Type()) {
		v = timeOf(n, c.spec.Unit)
	}
	x, t := reflect.ValueOf(v), f.Type()
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if !x.Type().AssignableTo(t) && (x.Kind() != t.Kind() || !x.CanConvert(t)) {
		return &blosc2.OptionError{Option: "field for column " + c.spec.Name, Value: f.Type(), Range: x.Type().String() + ", or a pointer to it"}
	}
	x = x.Convert(t)
	if f.Kind() == reflect.Pointer {
		q := reflect.New(t)
		q.Elem().Set(x)
		x = q
	}
	f.Set(x)
	return nil
}

func timeIn(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t == reflect.TypeFor[time.Time]()
}

// timeOf returns the time of a timestamp in UTC.
func timeOf(n int64, unit string) time.Time {
	per := 1e9 / timeUnits[unit]
	s, rest := n/per, n%per
	return time.Unix(s, rest*timeUnits[unit]).UTC()
}
