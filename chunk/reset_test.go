package chunk

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/filters"
)

// An Encoder that was used with other parameters makes the same chunks as a new one. It
// does not allocate for parameters that it has used before.
func TestEncoderReset(t *testing.T) {
	src := make([]byte, 4000)
	for i := range src {
		src[i] = byte(i / 7 * (i & 3))
	}
	var all []Params
	for _, id := range []blosc2.CodecID{blosc2.CodecLZ4, blosc2.CodecZlib, blosc2.CodecZstd, blosc2.CodecLZ4HC, blosc2.CodecBloscLZ} {
		for _, f := range []filters.Pipeline{{}, filters.Default()} {
			for _, size := range []int{4, 8} {
				all = append(all, Params{Codec: id, Level: 5, TypeSize: size, Filters: f, PlainZeros: true})
			}
		}
	}
	e := new(Encoder)
	out := make([]byte, 0, Bound(len(src)))
	round := func() {
		for _, p := range all {
			if err := e.Reset(p); err != nil {
				t.Fatal(err)
			}
			var err error
			if out, err = e.Encode(out[:0], src); err != nil {
				t.Fatal(err)
			}
		}
	}
	round()
	for _, p := range all {
		fresh, err := NewEncoder(p)
		if err != nil {
			t.Fatal(err)
		}
		want, _ := fresh.Encode(nil, src)
		if err := e.Reset(p); err != nil {
			t.Fatal(err)
		}
		if got, _ := e.Encode(nil, src); !bytes.Equal(got, want) {
			t.Errorf("%v, %v, typesize %d: another chunk than a new Encoder makes", p.Codec, p.Filters, p.TypeSize)
		}
	}
	if n := testing.AllocsPerRun(10, round); n > 0 {
		t.Errorf("%v allocations", n)
	}
	before := e.Params()
	if err := e.Reset(Params{Level: 10}); err == nil || !reflect.DeepEqual(e.Params(), before) {
		t.Errorf("invalid parameters: %v, %+v", err, e.Params())
	}
}

// Every field of Params is compared by equal.
func TestParamsEqual(t *testing.T) {
	v := reflect.TypeFor[Params]()
	for i := range v.NumField() {
		a, b := new(Params), new(Params)
		f := reflect.ValueOf(b).Elem().Field(i)
		switch f.Kind() {
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Int:
			f.SetInt(1)
		case reflect.Slice:
			f.Set(reflect.MakeSlice(f.Type(), 1, 1))
		case reflect.Struct:
			f.Set(reflect.ValueOf(filters.Default()))
		default:
			f.SetUint(1)
		}
		if !a.equal(new(Params)) || a.equal(b) || b.equal(a) {
			t.Errorf("%s is not compared", v.Field(i).Name)
		}
	}
}
