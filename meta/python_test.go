package meta_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/meta"
)

// python runs a script with msgpack for Python, as Debian's package
// python3-msgpack has it, and returns the lines that it prints.
func python(t *testing.T, script string, lines []string) []string {
	t.Helper()
	var path string
	for _, name := range []string{"/usr/bin/python3", "python3"} {
		if exec.Command(name, "-c", "import msgpack").Run() == nil {
			path = name
			break
		}
	}
	if path == "" {
		b2test.Missing(t, "msgpack for Python (Debian: python3-msgpack)")
	}
	cmd := exec.Command(path, "-c", script)
	cmd.Stdin = strings.NewReader(strings.Join(lines, "\n"))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, stderr.Bytes())
	}
	got := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(got) != len(lines) {
		t.Fatalf("%d lines for %d", len(got), len(lines))
	}
	return got
}

// packs is a Python script that reads values as python-blosc2 reads vlmetalayers, prints
// them, and packs them again as it does.
const packs = `
import msgpack, sys
for line in sys.stdin:
    v = msgpack.unpackb(bytes.fromhex(line.strip()))
    print(msgpack.packb(v, use_bin_type=True, strict_types=True).hex(), repr(v))
`

// Python reads what Encode writes, and writes the same bytes.
func TestPythonReads(t *testing.T) {
	type celsius float64
	second := time.Date(2024, 5, 6, 7, 8, 9, 0, time.FixedZone("", 3600))
	values := []struct {
		v    any
		repr string // not compared if it is ""
	}{
		{nil, "None"}, {true, "True"}, {false, "False"}, {"hello", "'hello'"}, {[]byte("hello"), "b'hello'"}, {"ä☃", "'ä☃'"},
		{0, "0"}, {127, "127"}, {128, "128"}, {uint8(255), "255"}, {256, "256"}, {65535, "65535"}, {65536, "65536"}, {int64(1) << 32, "4294967296"},
		{uint64(math.MaxUint64), "18446744073709551615"}, {-1, "-1"}, {-32, "-32"}, {-33, "-33"}, {int8(-128), "-128"}, {-129, "-129"},
		{-32769, "-32769"}, {int64(math.MinInt32) - 1, "-2147483649"}, {int64(math.MinInt64), "-9223372036854775808"},
		{1.5, "1.5"}, {math.Inf(-1), "-inf"}, {math.NaN(), "nan"}, {celsius(21.5), "21.5"},
		{[]any{1, "a", nil}, "[1, 'a', None]"}, {[]string{"x", "y"}, "['x', 'y']"}, {[3]int16{1, 2, 3}, "[1, 2, 3]"}, {[]float64(nil), "[]"},
		{map[string]any{"unit": "mV", "gain": 2.5, "ch": []int{1, 2}}, "{'ch': [1, 2], 'gain': 2.5, 'unit': 'mV'}"},
		{map[string]map[string]bool{"a": {"b": true}}, "{'a': {'b': True}}"},
		{second, "Timestamp(seconds=1714975689, nanoseconds=0)"},
		{second.Add(5 * time.Nanosecond), "Timestamp(seconds=1714975689, nanoseconds=5)"},
		{time.Date(1900, 1, 1, 0, 0, 0, 7, time.UTC), "Timestamp(seconds=-2208988800, nanoseconds=7)"},
		{time.Date(3000, 1, 1, 0, 0, 0, 7, time.UTC), "Timestamp(seconds=32503680000, nanoseconds=7)"},
		{meta.Ext{Type: 42, Data: []byte("frame")}, "ExtType(code=42, data=b'frame')"},
		{strings.Repeat("s", 31), ""}, {strings.Repeat("s", 32), ""}, {strings.Repeat("s", 256), ""}, {strings.Repeat("s", 70000), ""},
		{make([]byte, 255), ""}, {make([]byte, 256), ""}, {make([]byte, 70000), ""}, {make([]int, 15), ""}, {make([]int, 16), ""}, {make([]int, 70000), ""},
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		values = append(values, struct {
			v    any
			repr string
		}{randomValue(rnd, 0), ""})
	}
	var lines []string
	for _, v := range values {
		b, err := meta.Encode(nil, v.v)
		if err != nil {
			t.Fatalf("%#v: %v", v.v, err)
		}
		lines = append(lines, hex.EncodeToString(b))
	}
	for i, line := range python(t, packs, lines) {
		packed, repr, _ := strings.Cut(line, " ")
		if packed != lines[i] {
			t.Errorf("%.80v: Python packs %.80s, we %.80s", values[i].v, packed, lines[i])
		}
		if want := values[i].repr; want != "" && repr != want {
			t.Errorf("%#v: Python reads %s", values[i].v, repr)
		}
	}
	// A float32 takes four bytes. Python packs every float in eight.
	b, err := meta.Encode(nil, float32(0.25))
	if err != nil {
		t.Fatal(err)
	}
	if got := python(t, packs, []string{hex.EncodeToString(b)}); !strings.HasSuffix(got[0], " 0.25") {
		t.Error(got)
	}
}

// randomValue makes a value of any type that a vlmetalayer of Python may have.
func randomValue(r *rand.Rand, depth int) any {
	n := 9
	if depth > 3 {
		n = 7
	}
	switch r.IntN(n) {
	case 0:
		return r.Int64() >> r.IntN(64)
	case 1:
		return -(r.Int64() >> r.IntN(64))
	case 2:
		return r.NormFloat64()
	case 3:
		return fmt.Sprint(r.Uint64() >> r.IntN(64))
	case 4:
		return make([]byte, r.IntN(40))
	case 5:
		return r.IntN(2) == 0
	case 6:
		return time.Unix(r.Int64N(1<<35), r.Int64N(2)*r.Int64N(1e9))
	case 7:
		list := make([]any, r.IntN(20))
		for i := range list {
			list[i] = randomValue(r, depth+1)
		}
		return list
	}
	m := make(map[string]any)
	for range r.IntN(20) {
		m[fmt.Sprint(r.IntN(1000))] = randomValue(r, depth+1)
	}
	return m
}

// Decode reads values that Python wrote.
func TestPythonWrites(t *testing.T) {
	const script = `
import msgpack, sys, datetime
for line in sys.stdin:
    v = eval(line)
    print(msgpack.packb(v, use_bin_type=True, datetime=True).hex())
`
	var exprs, want []string
	for _, c := range []struct{ expr, json string }{
		{"None", "null"}, {"{'a': 1, 'b': [1.5, b'hi', 'x']}", `{"a":1,"b":[1.5,"aGk=","x"]}`}, {"2**64-1", "18446744073709551615"}, {"-2**63", "-9223372036854775808"},
		{"{1: 2, b'k': None}", `{"1":2,"\"aw==\"":null}`}, {"float('nan')", `"NaN"`}, {"'\\u00e4' * 300", `"` + strings.Repeat("ä", 300) + `"`},
		{"['__tuple__', 1, 2]", `["__tuple__",1,2]`}, {"datetime.datetime(2024, 5, 6, 7, 8, 9, 10, datetime.timezone.utc)", `"2024-05-06T07:08:09.00001Z"`},
		{"datetime.datetime(1066, 10, 14, tzinfo=datetime.timezone.utc)", `"1066-10-14T00:00:00Z"`}, {"list(range(1000))[998:]", "[998,999]"}, {"msgpack.ExtType(5, b'x')", `{"ext":5,"data":"eA=="}`},
	} {
		exprs, want = append(exprs, c.expr), append(want, c.json)
	}
	for i, line := range python(t, script, exprs) {
		b, err := hex.DecodeString(line)
		if err != nil {
			t.Fatal(err)
		}
		v, err := meta.Decode(b)
		if err != nil {
			t.Errorf("%s: %v", exprs[i], err)
			continue
		}
		if text, err := meta.JSON(v); err != nil || string(text) != want[i] {
			t.Errorf("%s: %s, want %s: %v", exprs[i], text, want[i], err)
		}
	}
}
