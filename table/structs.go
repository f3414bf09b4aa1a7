package table

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/seed03b80dae/blosc2"
)

// SpecsOf returns the columns for rows of the struct T, in the order of its
// fields. A tag names a column and may have options:
//
//	type trip struct {
//		ID    int32     `blosc2:"id"`
//		Begin time.Time `blosc2:"trip.begin,ms"`      // timestamp; us unless the tag says s, ms or ns
//		City  string    `blosc2:"city,dictionary"`    // utf8 unless it says dictionary, vlstring or string=20
//		Code  []byte    `blosc2:"code,bytes=8"`       // vlbytes unless it says bytes=8
//		Tip   *float64  `blosc2:"tip"`                // nil is null
//		Stops []int64   `blosc2:"stops"`              // list
//		Note  string    `blosc2:"-"`                  // left out
//	}
//
// A T that is not a struct, or a field of any other type, returns a
// *blosc2.OptionError.
func SpecsOf[T any]() ([]Spec, error) {
	fields, err := fieldsOf(reflect.TypeFor[T]())
	var out []Spec
	for _, f := range fields {
		out = append(out, f.spec)
	}
	return out, err
}

// A field is a field of a struct that is a column.
type field struct {
	index int
	spec  Spec
	null  bool // the field is a pointer, which is nil for null
}

func fieldsOf(t reflect.Type) ([]field, error) {
	if t.Kind() != reflect.Struct {
		return nil, &blosc2.OptionError{Option: "type of rows", Value: t, Range: "a struct"}
	}
	var out []field
	for i := range t.NumField() {
		f := t.Field(i)
		tag := strings.Split(f.Tag.Get("blosc2"), ",")
		if !f.IsExported() || tag[0] == "-" {
			continue
		}
		c := field{index: i, spec: Spec{Name: tag[0]}}
		if tag[0] == "" {
			c.spec.Name = f.Name
		}
		ft := f.Type
		if ft.Kind() == reflect.Pointer {
			ft, c.null, c.spec.Nullable = ft.Elem(), true, true
		}
		if !kindOf(ft, &c.spec) || !options(tag[1:], &c.spec) {
			return nil, &blosc2.OptionError{Option: "field " + f.Name, Value: fmt.Sprintf("%s `%s`", f.Type, f.Tag), Range: "a number, bool, string, []byte, time.Time or list of these, or a pointer, with a tag that fits"}
		}
		out = append(out, c)
	}
	return out, nil
}

// kindOf returns the kind for a Go type.
func kindOf(t reflect.Type, s *Spec) bool {
	if t == reflect.TypeFor[time.Time]() {
		s.Kind, s.Unit = Timestamp, "us"
		return true
	}
	switch t.Kind() {
	case reflect.String:
		s.Kind = UTF8
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			s.Kind = VLBytes
			return true
		}
		s.Kind, s.Item, s.Nullable = List, &Spec{}, true
		ok := kindOf(t.Elem(), s.Item)
		if s.Item.Kind == UTF8 {
			s.Item.Kind = VLString
		}
		return ok && s.Item.Kind != Timestamp
	default:
		if t.Kind() == reflect.Bool {
			s.Kind = Bool
			return true
		}
		for k, n := range numberKinds {
			if n.goType.Kind() == t.Kind() {
				s.Kind = k
				return true
			}
		}
		return false
	}
	return true
}

// options parses the part of a tag after the column's name.
func options(words []string, s *Spec) bool {
	for _, w := range words {
		name, value, _ := strings.Cut(w, "=")
		n, err := strconv.Atoi(value)
		switch k := Kind(name); {
		case s.Kind == Timestamp && timeUnits[name] != 0:
			s.Unit = name
		case s.Kind == UTF8 && (k == Dictionary || k == VLString):
			s.Kind = k
		case s.Kind == UTF8 && k == String && err == nil, s.Kind == VLBytes && k == Bytes && err == nil:
			s.Kind, s.MaxLength = k, n
		default:
			return false
		}
	}
	return true
}

// AppendRows adds each struct of rows to b as a row. b must have the columns of SpecsOf[T].
func AppendRows[T any](b *Builder, rows []T) error {
	fields, err := fieldsOf(reflect.TypeFor[T]())
	if err != nil {
		return err
	}
	if len(fields) != len(b.specs) {
		return &blosc2.OptionError{Option: "columns", Value: len(fields), Range: fmt.Sprint(len(b.specs))}
	}
	all := reflect.ValueOf(rows)
	cells := make([]Cells, len(fields))
	for i, f := range fields {
		s := &b.specs[i]
		if f.spec.Name != s.Name {
			return &blosc2.OptionError{Option: "column", Value: f.spec.Name, Range: s.Name}
		}
		want := (&Column{spec: s}).GoType()
		values := reflect.MakeSlice(reflect.SliceOf(want), len(rows), len(rows))
		var valid []bool
		for k := range rows {
			v := all.Index(k).Field(f.index)
			if null := f.null && v.IsNil() || s.Kind == List && v.IsNil(); null {
				if valid == nil {
					valid = trues(len(rows))
				}
				valid[k] = false
				continue
			}
			if f.null {
				v = v.Elem()
			}
			if err := setCell(values.Index(k), v, s); err != nil {
				return err
			}
		}
		cells[i] = Cells{values.Interface(), valid}
	}
	return b.Append(cells...)
}

func trues(n int) []bool {
	b := make([]bool, n)
	for i := range b {
		b[i] = true
	}
	return b
}

// setCell sets a cell to the value of a field.
func setCell(cell, v reflect.Value, s *Spec) error {
	if t, ok := v.Interface().(time.Time); ok {
		n, ok := unitsOf(t.Unix(), int64(t.Nanosecond()), timeUnits[s.Unit])
		if !ok {
			return &blosc2.OptionError{Option: "time for column " + s.Name, Value: t, Range: "within 64 bits of " + s.Unit + " since 1970"}
		}
		cell.SetInt(n)
		return nil
	}
	if s.Kind == List {
		cell.Set(reflect.ValueOf(listOf(v)))
		return nil
	}
	if !v.CanConvert(cell.Type()) || v.Kind() != cell.Kind() {
		return &blosc2.OptionError{Option: "field for column " + s.Name, Value: v.Type(), Range: cell.Type().String()}
	}
	cell.Set(v.Convert(cell.Type()))
	return nil
}

// listOf converts a slice to a list of values.
func listOf(v reflect.Value) []any {
	out := make([]any, v.Len())
	for i := range out {
		if e := v.Index(i); e.Kind() == reflect.Slice && e.Type().Elem().Kind() != reflect.Uint8 {
			out[i] = listOf(e)
		} else {
			out[i] = e.Interface()
		}
	}
	return out
}
