package codecs_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/codecs"
	"github.com/seed03b80dae/blosc2/codecs/codectest"
)

// records returns small streams that have much in common.
func records(n int) [][]byte {
	r := rand.New(rand.NewPCG(7, 7))
	var all [][]byte
	for range n {
		var b []byte
		for range 12 {
			b = append(b, []string{"station=Kiel;", "temp=12.5;", "wind from the north west;", "pressure=1013.25 hPa;"}[r.IntN(4)]...)
			b = append(b, byte(r.Uint32()))
		}
		all = append(all, b)
	}
	return all
}

func TestTrainZstd(t *testing.T) {
	samples := records(400)
	dict := codecs.TrainZstd(samples, 4096)
	if dict == nil || len(dict) > 4096 {
		t.Fatalf("dictionary of %d bytes", len(dict))
	}
	for range 2 {
		if !bytes.Equal(dict, codecs.TrainZstd(samples, 4096)) {
			t.Fatal("another dictionary from the same samples")
		}
	}
	c := maker(t, blosc2.CodecZstd)()
	with, without := 0, 0
	for _, level := range []int{1, 3, 5, 9} {
		for _, s := range samples[:50] {
			dst := make([]byte, 2*len(s))
			n, err := c.Encode(dst, s, codecs.Params{Level: level})
			if err != nil || n == 0 {
				t.Fatal(n, err)
			}
			without += n
			p := codecs.Params{Level: level, Dict: dict}
			n, err = c.Encode(dst, s, p)
			if err != nil || n == 0 {
				t.Fatal(n, err)
			}
			with += n
			back := make([]byte, len(s))
			if _, err := c.Decode(back, dst[:n], p); err != nil || !bytes.Equal(back, s) {
				t.Fatalf("level %d: wrong bytes or error %v", level, err)
			}
			if _, err := c.Decode(back, dst[:n], codecs.Params{}); err == nil && bytes.Equal(back, s) {
				t.Fatal("the dictionary was not used")
			}
		}
	}
	t.Logf("%d bytes with dictionary, %d without", with, without)
	if with*3 > without*2 {
		t.Error("a dictionary of what all streams share saves too little")
	}
}

func TestTrainZstdUseless(t *testing.T) {
	for _, s := range codectest.Shapes() {
		for _, n := range []int{0, 1, 7, 8, 9, 100, 5000, 300000} {
			for _, maxLen := range []int{0, 255, 256, 2000, 32768} {
				dict := codecs.TrainZstd([][]byte{s.Data(n), nil, s.Data(n / 3)}, maxLen)
				if len(dict) > maxLen {
					t.Errorf("%s, %d bytes: dictionary of %d bytes, asked for %d", s.Name, n, len(dict), maxLen)
				}
			}
		}
	}
}

// Any bytes may be a dictionary: without zstd's magic number they are history without
// tables.
func TestRawDictionary(t *testing.T) {
	dict := bytes.Join(records(30), nil)
	for _, s := range records(50) {
		p := codecs.Params{Level: 5, Dict: dict}
		c := maker(t, blosc2.CodecZstd)()
		dst := make([]byte, 2*len(s))
		n, err := c.Encode(dst, s, p)
		if err != nil || n == 0 || n > len(s)*2/3 {
			t.Fatal(n, err)
		}
		back := make([]byte, len(s))
		if _, err := c.Decode(back, dst[:n], p); err != nil || !bytes.Equal(back, s) {
			t.Fatal(err)
		}
	}
}

// A damaged dictionary causes an error, and the codec is usable afterwards.
func TestBadDictionary(t *testing.T) {
	c := maker(t, blosc2.CodecZstd)()
	bad := append([]byte("\x37\xa4\x30\xec"), make([]byte, 300)...)
	dst := make([]byte, 1000)
	if _, err := c.Encode(dst, make([]byte, 100), codecs.Params{Level: 1, Dict: bad}); err == nil {
		t.Error("encoded with a damaged dictionary")
	}
	if _, err := c.Decode(dst[:100], []byte{1}, codecs.Params{Dict: bad}); err == nil {
		t.Error("decoded with a damaged dictionary")
	}
	n, err := c.Encode(dst, make([]byte, 100), codecs.Params{Level: 1})
	if err != nil || n == 0 {
		t.Fatal(n, err)
	}
	if _, err := c.Decode(make([]byte, 100), dst[:n], codecs.Params{}); err != nil {
		t.Error(err)
	}
}
