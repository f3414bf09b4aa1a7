package arrow

import (
	"fmt"

	apache "github.com/apache/arrow-go/v18/arrow"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/table"
)

// numbers maps the kinds of numbers to Arrow's types.
var numbers = map[table.Kind]apache.DataType{
	table.Int8: apache.PrimitiveTypes.Int8, table.Int16: apache.PrimitiveTypes.Int16, table.Int32: apache.PrimitiveTypes.Int32, table.Int64: apache.PrimitiveTypes.Int64,
	table.Uint8: apache.PrimitiveTypes.Uint8, table.Uint16: apache.PrimitiveTypes.Uint16, table.Uint32: apache.PrimitiveTypes.Uint32, table.Uint64: apache.PrimitiveTypes.Uint64,
	table.Float32: apache.PrimitiveTypes.Float32, table.Float64: apache.PrimitiveTypes.Float64, table.Bool: apache.FixedWidthTypes.Boolean,
	table.String: apache.BinaryTypes.String, table.UTF8: apache.BinaryTypes.String, table.VLString: apache.BinaryTypes.String,
	table.Bytes: apache.BinaryTypes.Binary, table.VLBytes: apache.BinaryTypes.Binary,
}

var units = map[string]apache.TimeUnit{"s": apache.Second, "ms": apache.Millisecond, "us": apache.Microsecond, "ns": apache.Nanosecond}

// Field returns the Arrow field of a column. Complex numbers, arrays, structs and
// objects, and lists of these, result in blosc2.ErrUnsupported.
func Field(s *table.Spec) (apache.Field, error) {
	t, err := dataType(s)
	return apache.Field{Name: s.Name, Type: t, Nullable: s.Nullable || s.Null != nil || s.Mask}, err
}

func dataType(s *table.Spec) (apache.DataType, error) {
	switch s.Kind {
	case table.Timestamp:
		return &apache.TimestampType{Unit: units[s.Unit], TimeZone: s.Timezone}, nil
	case table.Dictionary:
		return &apache.DictionaryType{IndexType: apache.PrimitiveTypes.Int32, ValueType: apache.BinaryTypes.String, Ordered: s.Ordered}, nil
	case table.List:
		if s.Item != nil {
			item, err := dataType(s.Item)
			if err != nil || s.Item.Kind == table.Dictionary || s.Item.Kind == table.Timestamp {
				break
			}
			return apache.ListOf(item), nil
		}
	}
	if t := numbers[s.Kind]; t != nil {
		return t, nil
	}
	return nil, fmt.Errorf("column %q of kind %s has no Arrow type: %w", s.Name, s.Kind, blosc2.ErrUnsupported)
}

// Specs returns the columns of a table for records with the given schema, the
// inverse of NewReader. Large strings, binaries and lists map to the same kinds as
// small ones, fixed-size binaries to bytes of any length, dictionary indices to 32
// bits, and 32-bit dates to timestamps in seconds. Other types return
// blosc2.ErrUnsupported.
func Specs(schema *apache.Schema) ([]table.Spec, error) {
	var out []table.Spec
	for _, f := range schema.Fields() {
		s, err := spec(f.Name, f.Type)
		if err != nil {
			return nil, err
		}
		s.Nullable = f.Nullable
		out = append(out, s)
	}
	return out, nil
}

func spec(name string, t apache.DataType) (table.Spec, error) {
	s := table.Spec{Name: name}
	switch t := t.(type) {
	case *apache.TimestampType:
		s.Kind, s.Timezone = table.Timestamp, t.TimeZone
		for name, u := range units {
			if u == t.Unit {
				s.Unit = name
			}
		}
		return s, nil
	case *apache.DictionaryType:
		if id := t.ValueType.ID(); id == apache.STRING || id == apache.LARGE_STRING {
			s.Kind, s.Ordered = table.Dictionary, t.Ordered
			return s, nil
		}
	case *apache.ListType:
		return listSpec(s, t)
	case *apache.LargeListType:
		return listSpec(s, t)
	case *apache.LargeStringType:
		s.Kind = table.UTF8
		return s, nil
	case *apache.LargeBinaryType, *apache.FixedSizeBinaryType:
		s.Kind = table.VLBytes
		return s, nil
	case *apache.Date32Type:
		s.Kind, s.Unit = table.Timestamp, "s"
		return s, nil
	}
	for _, k := range []table.Kind{
		table.Int8, table.Int16, table.Int32, table.Int64, table.Uint8, table.Uint16, table.Uint32, table.Uint64,
		table.Float32, table.Float64, table.Bool, table.UTF8, table.VLBytes,
	} {
		if apache.TypeEqual(numbers[k], t) {
			s.Kind = k
			return s, nil
		}
	}
	return s, fmt.Errorf("field %q: no kind of column for Arrow type %s: %w", name, t, blosc2.ErrUnsupported)
}

// listSpec returns the Spec of the column for a list type, as spec does for other
// types.
func listSpec(s table.Spec, t apache.ListLikeType) (table.Spec, error) {
	item, err := spec(s.Name, t.Elem())
	if err != nil {
		return s, err
	}
	item.Name = ""
	switch item.Kind {
	case table.UTF8:
		item.Kind = table.VLString
	case table.Timestamp, table.Dictionary:
		return s, fmt.Errorf("field %q: lists of %s: %w", s.Name, t.Elem(), blosc2.ErrUnsupported)
	}
	s.Kind, s.Item = table.List, &item
	return s, nil
}
