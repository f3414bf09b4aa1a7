package ndlz

import (
	"bytes"
	"errors"
	"math/rand"
	"testing"

	"github.com/seed03b80dae/blosc2"
)

func TestRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewSource(3))
	var e Encoder
	for _, side := range []int{4, 8} {
		for rows := 1; rows <= 20; rows++ {
			for cols := 1; cols <= 20; cols++ {
				for _, src := range [][]byte{image(rng, side, rows, cols), make([]byte, rows*cols)} {
					stream := make([]byte, headLen+2*rows*cols)
					n, err := e.Encode(stream, src, side, rows, cols)
					if err != nil || n == 0 {
						t.Fatal(n, err)
					}
					got := make([]byte, rows*cols)
					if err := Decode(got, stream[:n], side); err != nil || !bytes.Equal(got, src) {
						t.Fatalf("side %d, %d × %d: %v", side, rows, cols, err)
					}
					if k, err := e.Encode(stream[:n-1], src, side, rows, cols); k != 0 || err != nil {
						t.Fatalf("side %d, %d × %d: %d bytes into %d, %v", side, rows, cols, k, n-1, err)
					}
				}
			}
		}
	}
}

const head44 = "\x02\x04\x00\x00\x00\x04\x00\x00\x00"

func TestWorkedExamples(t *testing.T) {
	const head48 = "\x02\x04\x00\x00\x00\x08\x00\x00\x00"
	first := "\x00abcdefghijklmnop" // token at 9, rows at 10, 14, 18 and 22
	rows := func(s string) string { // the second cell, next to the first
		var out string
		for i := 0; i < 16; i += 4 {
			out += "abcdefghijklmnop"[i:i+4] + s[i:i+4]
		}
		return out
	}
	for _, c := range []struct{ name, stream, want string }{
		{"literal", head44 + first, "abcdefghijklmnop"},
		{"uniform", head44 + "\x40z", "zzzzzzzzzzzzzzzz"},
		{"cell", head48 + first + "\xc0\x10\x00", rows("abcdefghijklmnop")},
		{"rows 1,2,3", head48 + first + "\xe0\x10\x00WXYZ", rows("WXYZabcdefghijkl")},
		{"rows 0,1,2", head48 + first + "\xe8\x10\x00WXYZ", rows("abcdefghijklWXYZ")},
		{"rows 0,1,3", head48 + first + "\xf0\x10\x00WXYZ", rows("abcdefghWXYZijkl")},
		{"rows 0,2,3", head48 + first + "\xf8\x0c\x00WXYZ", rows("efghWXYZijklmnop")},
		{"rows 2,3", head48 + first + "\x80\x10\x00STUVWXYZ", rows("STUVWXYZabcdefgh")},
		{"rows 0,3", head48 + first + "\x98\x10\x00STUVWXYZ", rows("abcdSTUVWXYZefgh")},
		{"rows 1,3", head48 + first + "\xb8\x10\x00STUVWXYZ", rows("STUVabcdWXYZefgh")},
		{"rows 0,2 and 1,3", head48 + first + "\x30\x10\x00\x08\x00", rows("abcdijklefghmnop")},
		{"clipped", "\x02\x02\x00\x00\x00\x03\x00\x00\x00\x00abcdef", "abcdef"},
		{"nothing", "\x02\x00\x00\x00\x00\x03\x00\x00\x00", ""},
	} {
		got := make([]byte, len(c.want))
		if err := Decode(got, []byte(c.stream), 4); err != nil || string(got) != c.want {
			t.Errorf("%s: %q, %v, want %q", c.name, got, err, c.want)
		}
	}
}

func TestCorrupt(t *testing.T) {
	for name, stream := range map[string]string{
		"no bytes":          "",
		"head cut":          "\x02\x04\x00\x00\x00\x04\x00\x00",
		"3 dimensions":      "\x03" + head44[1:],
		"another shape":     "\x02\x04\x00\x00\x00\x05\x00\x00\x00\x40a\x40a",
		"negative":          "\x02\xfc\xff\xff\xff\xfc\xff\xff\xff\x40a",
		"overflow":          "\x02\x00\x00\x01\x00\x10\x00\x01\x00\x40a",
		"no record":         head44,
		"token":             head44 + "\x41",
		"token 129":         head44 + "\x81\x01\x00abcdefgh",
		"literal cut":       head44 + "\x00abcdefghijklmno",
		"no byte":           head44 + "\x40",
		"reference cut":     head44 + "\xc0\x01",
		"before the stream": head44 + "\xc0\x0a\x00",
		"after the stream":  head44 + "\xc0\x01\x00",
		"rows cut":          head44 + "\xe0\x09\x00abc",
	} {
		err := Decode(make([]byte, 16), []byte(stream), 4)
		if !errors.Is(err, blosc2.ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := Decode(make([]byte, 16), []byte(head44+"\x40a"), 5); !errors.Is(err, blosc2.ErrUnsupported) {
		t.Errorf("side 5: %v", err)
	}
	var e Encoder
	if _, err := e.Encode(make([]byte, 100), make([]byte, 16), 4, 3, 4); !errors.Is(err, blosc2.ErrOption) {
		t.Errorf("wrong shape: %v", err)
	}
}

func TestSteadyStateAllocatesNothing(t *testing.T) {
	src := image(rand.New(rand.NewSource(1)), 4, 64, 64)
	stream, got := make([]byte, len(src)), make([]byte, len(src))
	var e Encoder
	n, err := e.Encode(stream, src, 4, 64, 64)
	if n == 0 || err != nil {
		t.Fatal(n, err)
	}
	if a := testing.AllocsPerRun(10, func() { e.Encode(stream, src, 4, 64, 64) }); a > 0 {
		t.Errorf("Encode allocates %v times", a)
	}
	if a := testing.AllocsPerRun(10, func() { Decode(got, stream[:n], 4) }); a > 0 {
		t.Errorf("Decode allocates %v times", a)
	}
}
