package meta_test

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/meta"
)

func TestParseJSON(t *testing.T) {
	for _, c := range []struct {
		text string
		v    any
	}{
		{`{"b": 1, "a": [1.5, -2, "x", true, null]}`, meta.Map{{Key: "b", Value: int64(1)}, {Key: "a", Value: []any{1.5, int64(-2), "x", true, nil}}}},
		{`18446744073709551615`, uint64(math.MaxUint64)}, {`1e3`, 1000.0}, {`18446744073709551616`, 18446744073709551616.0}, {` [] `, []any{}}, {`{}`, meta.Map{}},
	} {
		v, err := meta.ParseJSON([]byte(c.text))
		if err != nil || !reflect.DeepEqual(v, c.v) {
			t.Errorf("%s: %#v, %v", c.text, v, err)
		}
		b, err := meta.Encode(nil, json.RawMessage(c.text))
		if err != nil {
			t.Error(err)
		}
		if again, err := meta.Decode(b); err != nil || !reflect.DeepEqual(again, c.v) {
			t.Errorf("%s: %#v through msgpack, %v", c.text, again, err)
		}
	}
	for _, text := range []string{"", "{", "[1", "[1,]", `{"a"}`, `{"a":}`, "1 2", "nul", "1e999", strings.Repeat("[", 100) + strings.Repeat("]", 100)} {
		if v, err := meta.ParseJSON([]byte(text)); !errors.Is(err, blosc2.ErrCorrupt) {
			t.Errorf("%s: %v, %v", text, v, err)
		}
		if _, err := meta.Encode(nil, json.RawMessage(text)); err == nil {
			t.Errorf("%s was encoded", text)
		}
	}
}

func TestJSON(t *testing.T) {
	v := map[string]any{"t": time.Unix(1, 5), "f": []float64{1, math.Inf(1), math.NaN()}, "b": []byte{1}, "e": meta.Ext{Type: 3}, "f4": float32(0.1), "s": "\xff\""}
	text, err := meta.JSON(v)
	if want := `{"b":"AQ==","e":{"ext":3,"data":""},"f":[1,"Infinity","NaN"],"f4":0.1,"s":"�\"","t":"1970-01-01T00:00:01.000000005Z"}`; err != nil || string(text) != want {
		t.Errorf("%s, want %s: %v", text, want, err)
	}
	b, err := meta.Encode(nil, v)
	if err != nil {
		t.Fatal(err)
	}
	said, err := meta.Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := json.Marshal(said); err != nil || string(again) != string(text) {
		t.Errorf("%s by json.Marshal: %v", again, err)
	}
	if _, err := meta.JSON(struct{}{}); !errors.Is(err, blosc2.ErrOption) {
		t.Error(err)
	}
}

// Every value that Decode and ParseJSON return has a JSON text, which parses to an
// equal value.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{`{"a":[1,2.5,"x",null,true]}`, "-0", "1e-300", "\x93\x01\xa1a\xc4\x01\x00", "\xd6\xff\x00\x00\x00\x01", "\xc7\x0c\xff\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x01"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		defer b2test.Cost(t)()
		v, err := meta.ParseJSON(b)
		if err != nil {
			typed(t, err)
			if v, err = meta.Decode(b); err != nil {
				typed(t, err)
				return
			}
		}
		text, err := meta.JSON(v)
		if err != nil || !json.Valid(text) {
			t.Fatalf("%#v: %s: %v", v, text, err)
		}
		again, err := meta.ParseJSON(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if second, err := meta.JSON(again); err != nil || string(second) != string(text) {
			t.Errorf("%s and then %s: %v", text, second, err)
		}
	})
}
