package zfp

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"math/rand"
	"testing"

	"github.com/seed03b80dae/blosc2"
)

func floats(xs ...float32) []byte {
	var b []byte
	for _, x := range xs {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

// TestWorkedExample decodes the bits of a cell of four ones: bit 1 for a cell that
// is not zero, 8 bits of exponent 1 + 127, then planes 31 and 30 without a bit set,
// and plane 29 with one: the cell's mean, 1 << 29, has the digits …01100… in base
// -2, since 2^29 = 2^30 - 2^29 there. All lower planes have no bits set.
func TestWorkedExample(t *testing.T) {
	p := Params{Mode: Precision, Meta: 0, TypeSize: 4, Shape: []int32{4}} // Meta 0 means 5 planes in one dimension
	// Read from the lowest bit: 1, 00000001 (exponent 128), plane 31: 0,
	// plane 30: 1 (some), 1 (the first), 0 (no more); from then on the first's
	// own bit and 0: plane 29: 1 0, plane 28: 0 0, plane 27: 0 0.
	const bits = "1" + "00000001" + "0" + "110" + "10" + "00" + "00"
	var word uint64
	for i := range len(bits) {
		word |= uint64(bits[i]-'0') << i
	}
	want := binary.LittleEndian.AppendUint64(nil, word)

	var c Coder
	stream := make([]byte, 16)
	n, err := c.Encode(stream, floats(1, 1, 1, 1), p)
	if err != nil || !bytes.Equal(stream[:n], want) {
		t.Errorf("encoded to % x, %v, want % x", stream[:n], err, want)
	}
	got := make([]byte, 16)
	if err := c.Decode(got, want, p); err != nil || !bytes.Equal(got, floats(1, 1, 1, 1)) {
		t.Errorf("decoded to % x, %v", got, err)
	}
}

// TestAccuracy checks that no error exceeds the tolerance, for blocks of any shape,
// including those of less than a cell.
func TestAccuracy(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	var c Coder
	for _, shape := range append(shapes, []int32{1}, []int32{3}, []int32{2, 3}, []int32{1, 9, 1}, []int32{3, 2, 1, 5}) {
		for _, power := range []int{2, 0, -1, -4} {
			p := Params{Mode: Accuracy, Meta: uint8(int8(power)), TypeSize: 8, Shape: shape}
			src := field(rng, rng.Intn(2), p)
			stream := make([]byte, 2*len(src)+4096)
			n, err := c.Encode(stream, src, p)
			if err != nil || n == 0 {
				t.Fatal(n, err)
			}
			got := make([]byte, len(src))
			if err := c.Decode(got, stream[:n], p); err != nil {
				t.Fatal(err)
			}
			for i := 0; i < len(src); i += 8 {
				x := math.Float64frombits(binary.LittleEndian.Uint64(src[i:]))
				y := math.Float64frombits(binary.LittleEndian.Uint64(got[i:]))
				if !(math.Abs(x-y) <= math.Pow10(power)) {
					t.Fatalf("shape %v, tolerance 1e%d, number %d: %v became %v", shape, power, i/8, x, y)
				}
			}
		}
	}
}

// TestExtremes checks that small and large numbers, with a scale that does not fit
// their own type, keep most of their bits. (Below 2^-1012 zfp decodes zeros.)
func TestExtremes(t *testing.T) {
	var c Coder
	for _, x := range []float64{math.MaxFloat64, 1e300, 1, 1e-290, 1e-304} {
		src := make([]byte, 0, 32)
		for _, f := range []float64{1, -0.75, 0.5, 0.25} {
			src = binary.LittleEndian.AppendUint64(src, math.Float64bits(x*f))
		}
		p := Params{Mode: Precision, Meta: 59, TypeSize: 8, Shape: []int32{4}}
		stream, got := make([]byte, 64), make([]byte, 32)
		n, err := c.Encode(stream, src, p)
		if err != nil || n == 0 {
			t.Fatal(n, err)
		}
		if err := c.Decode(got, stream[:n], p); err != nil {
			t.Fatal(err)
		}
		for i := 0; i < 32; i += 8 {
			a := math.Float64frombits(binary.LittleEndian.Uint64(src[i:]))
			b := math.Float64frombits(binary.LittleEndian.Uint64(got[i:]))
			if !(math.Abs(a/x-b/x) < 1e-14) {
				t.Errorf("%v became %v", a, b)
			}
		}
	}
}

func TestNotFinite(t *testing.T) {
	var c Coder
	for _, x := range []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1))} {
		p := Params{Mode: Accuracy, TypeSize: 4, Shape: []int32{8}}
		n, err := c.Encode(make([]byte, 64), floats(1, 2, 3, 4, 5, x, 7, 8), p)
		if n != 0 || err != nil {
			t.Errorf("%v: %d bytes, %v", x, n, err)
		}
	}
}

func TestBadInput(t *testing.T) {
	const many = math.MaxInt32
	for _, c := range []struct {
		name string
		p    Params
		size int
		want error
	}{
		{"typesize 2", Params{TypeSize: 2, Shape: []int32{8}}, 16, blosc2.ErrUnsupported},
		{"no shape", Params{TypeSize: 4}, 16, blosc2.ErrUnsupported},
		{"5 dimensions", Params{TypeSize: 4, Shape: []int32{1, 1, 1, 1, 4}}, 16, blosc2.ErrUnsupported},
		{"mode 3", Params{Mode: 3, TypeSize: 4, Shape: []int32{4}}, 16, blosc2.ErrUnsupported},
		{"too large", Params{TypeSize: 4, Shape: []int32{5}}, 16, blosc2.ErrCorrupt},
		{"too small", Params{TypeSize: 4, Shape: []int32{3}}, 16, blosc2.ErrCorrupt},
		{"zero", Params{TypeSize: 4, Shape: []int32{4, 0}}, 16, blosc2.ErrCorrupt},
		{"negative", Params{TypeSize: 4, Shape: []int32{-2, -2}}, 16, blosc2.ErrCorrupt},
		{"overflow", Params{TypeSize: 8, Shape: []int32{many, many, many, many}}, 16, blosc2.ErrCorrupt},
		{"overflow to 16", Params{TypeSize: 4, Shape: []int32{1 << 30, 1 << 30, 1 << 4, 4}}, 16, blosc2.ErrCorrupt},
	} {
		var coder Coder
		if err := coder.Decode(make([]byte, c.size), make([]byte, 100), c.p); !errors.Is(err, c.want) {
			t.Errorf("%s: decoding: %v", c.name, err)
		}
		if _, err := coder.Encode(make([]byte, 100), make([]byte, c.size), c.p); !errors.Is(err, c.want) {
			t.Errorf("%s: encoding: %v", c.name, err)
		}
	}
}

// TestCut decodes streams that end early.
func TestCut(t *testing.T) {
	var c Coder
	for _, p := range []Params{{Accuracy, 256 - 3, 4, []int32{13, 18}}, {Rate, 20, 8, []int32{9, 9, 9}}} {
		src := field(rand.New(rand.NewSource(1)), 1, p)
		stream, got := make([]byte, 2*len(src)), make([]byte, len(src))
		n, err := c.Encode(stream, src, p)
		if err != nil {
			t.Fatal(err)
		}
		for cut := range n - 7 { // the last 8 bytes may be padding
			if err := c.Decode(got, stream[:cut], p); !errors.Is(err, blosc2.ErrCorrupt) {
				t.Fatalf("%d of %d bytes: %v", cut, n, err)
			}
		}
		if k, err := c.Encode(stream[:n-1], src, p); k != 0 || err != nil {
			t.Errorf("%d bytes into %d, %v", k, n-1, err)
		}
	}
}

func TestSteadyStateAllocatesNothing(t *testing.T) {
	p := Params{Accuracy, 256 - 3, 4, []int32{32, 32}}
	src := field(rand.New(rand.NewSource(1)), 0, p)
	stream, got := make([]byte, len(src)), make([]byte, len(src))
	var c Coder
	n, err := c.Encode(stream, src, p)
	if n == 0 || err != nil {
		t.Fatal(n, err)
	}
	if a := testing.AllocsPerRun(10, func() { c.Encode(stream, src, p) }); a > 0 {
		t.Errorf("Encode allocates %v times", a)
	}
	if a := testing.AllocsPerRun(10, func() { c.Decode(got, stream[:n], p) }); a > 0 {
		t.Errorf("Decode allocates %v times", a)
	}
}

// TestOrder checks that each order holds all positions once, by rising frequency.
func TestOrder(t *testing.T) {
	for dims := 1; dims <= maxDims; dims++ {
		seen := map[uint8]bool{}
		last := -1
		for _, place := range order[dims] {
			sum, squares := 0, 0
			for d := range dims {
				x := int(place) >> (2 * d) & 3
				sum, squares = sum+x, squares+x*x
			}
			if key := sum*100 + squares; key < last {
				t.Errorf("%d dimensions: place %d comes too late", dims, place)
			} else {
				last = key
			}
			seen[place] = true
		}
		if len(seen) != 1<<(2*dims) || len(order[dims]) != len(seen) {
			t.Errorf("%d dimensions: %d places", dims, len(seen))
		}
	}
}
