package filters

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/seed03b80dae/blosc2"
)

// guarded gives n bytes with others behind them, and a check that these stay.
func guarded(n int) (b []byte, intact func() bool) {
	buf := bytes.Repeat([]byte{0xa5}, n+64)
	return buf[:n:n], func() bool {
		return bytes.Count(buf[n:], []byte{0xa5}) == 64
	}
}

// lossless are pipelines that give back every byte.
var lossless = []string{
	"none", "shuffle", "bitshuffle", "delta", "bytedelta", "shuffle:3", "delta,shuffle", "delta,bitshuffle", "shuffle,bytedelta",
	"shuffle,delta", "delta,shuffle,bytedelta", "bitshuffle,shuffle,bytedelta:5,delta,shuffle:7,bitshuffle",
}

// TestRoundTrip takes all lengths up to 300 and all typesizes up to 16 through
// pipelines of one to six filters.
func TestRoundTrip(t *testing.T) {
	rnd := rand.NewChaCha8([32]byte{1})
	for _, spec := range lossless {
		p, err := Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		for size := 1; size <= 16; size++ {
			for n := range 301 {
				for block := range 2 {
					ref, src := make([]byte, 300), make([]byte, n)
					rnd.Read(ref)
					rnd.Read(src)
					keep := bytes.Clone(src)
					prm := Params{TypeSize: size, Block: block, Ref: ref}
					dst, dstOK := guarded(n)
					tmp, tmpOK := guarded(n)
					coded, err := p.Forward(dst, tmp, src, prm)
					if err != nil {
						t.Fatal(err)
					}
					if n > 0 && &coded[0] == &tmp[0] {
						t.Fatalf("%s: the result is in tmp", spec)
					}
					coded = bytes.Clone(coded)
					back, backOK := guarded(n)
					if err := p.Backward(back, tmp, coded, prm); err != nil {
						t.Fatal(err)
					}
					if !bytes.Equal(back, keep) || !bytes.Equal(src, keep) {
						t.Fatalf("%s, typesize %d, %d bytes, block %d: %x gives %x, and back %x", spec, size, n, block, keep, coded, back)
					}
					if !dstOK() || !tmpOK() || !backOK() {
						t.Fatalf("%s, typesize %d, %d bytes: wrote behind the end", spec, size, n)
					}
				}
			}
		}
	}
}

// TestAgainstReference compares every filter with its description, item by
// item, at all lengths up to 300 and typesizes up to 16.
func TestAgainstReference(t *testing.T) {
	rnd := rand.NewChaCha8([32]byte{2})
	for _, c := range []struct {
		id  blosc2.FilterID
		ref func(src []byte, p Params) []byte
	}{
		{blosc2.FilterShuffle, refShuffle},
		{blosc2.FilterBitShuffle, refBitShuffle},
		{blosc2.FilterDelta, refDelta},
		{blosc2.FilterByteDelta, refByteDelta},
		{blosc2.FilterTruncPrec, func(src []byte, p Params) []byte { return refTrunc(src, p, map[int]int{4: 23, 8: 52}[p.TypeSize]) }},
		{blosc2.FilterIntTrunc, func(src []byte, p Params) []byte { return refTrunc(src, p, 8*p.TypeSize) }},
	} {
		f, err := ByID(c.id)
		if err != nil {
			t.Fatal(err)
		}
		cases := 0
		for size := 1; size <= 16; size++ {
			for n := range 301 {
				ref, src := make([]byte, 300), make([]byte, n)
				rnd.Read(ref)
				rnd.Read(src)
				p := Params{TypeSize: size, Block: n % 2, Ref: ref, Meta: uint8(n)}
				if f.Check(p) != nil {
					continue
				}
				cases++
				got, intact := guarded(n)
				want := c.ref(src, p)
				if err := f.Forward(got, src, p); err != nil || !bytes.Equal(got, want) || !intact() {
					t.Fatalf("%s, typesize %d, meta %d, block %d, %x: %x, %v; want %x", f.Name(), size, p.Meta, p.Block, src, got, err, want)
				}
				if f.Lossy() {
					src = want
				}
				if err := f.Backward(got, want, p); err != nil || !bytes.Equal(got, src) || !intact() {
					t.Fatalf("%s, typesize %d, meta %d, block %d, back: %x, %v; want %x", f.Name(), size, p.Meta, p.Block, got, err, src)
				}
			}
		}
		t.Logf("%s: %d cases", f.Name(), cases)
	}
}

func refShuffle(src []byte, p Params) []byte {
	g := p.TypeSize
	if p.Meta != 0 {
		g = int(p.Meta)
	}
	n := len(src) / g
	out := bytes.Clone(src)
	for i := range n {
		for j := range g {
			out[j*n+i] = src[i*g+j]
		}
	}
	return out
}

func refBitShuffle(src []byte, p Params) []byte {
	n := len(src) / p.TypeSize / 8 * 8
	out := bytes.Clone(src)
	clear(out[:n*p.TypeSize])
	for i := range n {
		for bit := range 8 * p.TypeSize {
			if src[i*p.TypeSize+bit/8]&(1<<(bit%8)) != 0 {
				out[bit*n/8+i/8] |= 1 << (i % 8)
			}
		}
	}
	return out
}

func refDelta(src []byte, p Params) []byte {
	u := 1
	switch {
	case p.TypeSize == 2 || p.TypeSize == 4:
		u = p.TypeSize
	case p.TypeSize%8 == 0:
		u = 8
	}
	out := bytes.Clone(src)
	for i := range len(src) / u * u {
		switch {
		case p.Block > 0:
			out[i] ^= p.Ref[i]
		case i >= u:
			out[i] ^= src[i-u]
		}
	}
	return out
}

func refByteDelta(src []byte, p Params) []byte {
	streams := p.TypeSize
	if p.Meta != 0 {
		streams = int(p.Meta)
	}
	n := len(src) / streams
	out := bytes.Clone(src)
	for i := range n * streams {
		if i%n > 0 {
			out[i] -= src[i-1]
		}
	}
	return out
}

func refTrunc(src []byte, p Params, bits int) []byte {
	clear := -int(int8(p.Meta))
	if clear < 0 {
		clear += bits
	}
	out := bytes.Clone(src)
	for i := range len(src) / p.TypeSize * p.TypeSize * 8 {
		if i%(8*p.TypeSize) < clear {
			out[i/8] &^= 1 << (i % 8)
		}
	}
	return out
}

// TestCheck lists what encoders refuse.
func TestCheck(t *testing.T) {
	array := []int32{4, 6}
	for _, c := range []struct {
		spec  string
		p     Params
		legal bool
	}{
		{"shuffle", Params{TypeSize: 255}, true},
		{"trunc_prec:23", Params{TypeSize: 4}, true},
		{"trunc_prec:24", Params{TypeSize: 4}, false},
		{"trunc_prec:0", Params{TypeSize: 4}, false},
		{"trunc_prec:-22", Params{TypeSize: 4}, true},
		{"trunc_prec:-23", Params{TypeSize: 4}, false},
		{"trunc_prec:52", Params{TypeSize: 8}, true},
		{"trunc_prec:10", Params{TypeSize: 2}, false},
		{"int_trunc:8", Params{TypeSize: 1}, true},
		{"int_trunc:9", Params{TypeSize: 1}, false},
		{"int_trunc:0", Params{TypeSize: 8}, false},
		{"int_trunc:-63", Params{TypeSize: 8}, true},
		{"int_trunc:-64", Params{TypeSize: 8}, false},
		{"int_trunc:2", Params{TypeSize: 3}, false},
		{"bytedelta_old", Params{TypeSize: 4}, false},
		{"ndcell:2", Params{TypeSize: 4}, false},
		{"ndcell:0", Params{TypeSize: 4, BlockShape: array}, false},
		{"ndcell:4", Params{TypeSize: 4, BlockShape: array}, true},
		{"ndcell:5", Params{TypeSize: 4, BlockShape: array}, false},
		{"ndcell:2", Params{TypeSize: 4, BlockShape: make([]int32, 9)}, false},
		{"ndmean:4", Params{TypeSize: 4, BlockShape: array}, true},
		{"ndmean:5", Params{TypeSize: 4, BlockShape: array}, false},
		{"ndmean:2", Params{TypeSize: 3, BlockShape: array}, false},
		{"ndmean:-2", Params{TypeSize: 4, BlockShape: array}, false},
		{"trunc_prec:9,delta,shuffle", Params{TypeSize: 4}, false},
		{"delta,trunc_prec:9,shuffle", Params{TypeSize: 4}, true},
		{"delta,delta", Params{TypeSize: 4}, false},
	} {
		p, err := Parse(c.spec)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Check(c.p); (err == nil) != c.legal || err != nil && !errors.Is(err, blosc2.ErrOption) {
			t.Errorf("%s, %+v: %v", c.spec, c.p, err)
		}
	}
	if err := Default.Validate(0); !errors.Is(err, blosc2.ErrOption) {
		t.Errorf("typesize 0: %v", err)
	}
	private := Pipeline{IDs: [Slots]blosc2.FilterID{200}}
	for _, err := range []error{private.Validate(4), private.Supported()} {
		if !errors.Is(err, blosc2.ErrUnsupported) {
			t.Errorf("unknown filter: %v", err)
		}
	}
	if _, err := private.Forward(nil, nil, nil, Params{TypeSize: 1}); !errors.Is(err, blosc2.ErrUnsupported) {
		t.Errorf("unknown filter, forward: %v", err)
	}
	if err := private.Backward(nil, nil, nil, Params{TypeSize: 1}); !errors.Is(err, blosc2.ErrUnsupported) {
		t.Errorf("unknown filter, backward: %v", err)
	}
}

func TestParse(t *testing.T) {
	for _, c := range []struct {
		spec, canonical string
		ids             [Slots]blosc2.FilterID
		metas           [Slots]uint8
	}{
		{"", "none", [Slots]blosc2.FilterID{}, [Slots]uint8{}},
		{"none", "none", [Slots]blosc2.FilterID{}, [Slots]uint8{}},
		{"Shuffle", "shuffle", [Slots]blosc2.FilterID{5: 1}, [Slots]uint8{}},
		{"delta,shuffle:4", "delta,shuffle:4", [Slots]blosc2.FilterID{0: 3, 5: 1}, [Slots]uint8{5: 4}},
		{"none, trunc_prec:-8 ,2", "none,trunc_prec:248,bitshuffle", [Slots]blosc2.FilterID{1: 4, 5: 2}, [Slots]uint8{1: 248}},
		{"delta,none", "delta,none", [Slots]blosc2.FilterID{0: 3}, [Slots]uint8{}},
		{"1,2,3,35,36:1,1", "shuffle,bitshuffle,delta,bytedelta,int_trunc:1,shuffle", [Slots]blosc2.FilterID{1, 2, 3, 35, 36, 1}, [Slots]uint8{4: 1}},
	} {
		p, err := Parse(c.spec)
		if err != nil || p.IDs != c.ids || p.Metas != c.metas || p.String() != c.canonical {
			t.Errorf("%q: %v (%s), %v; want %s", c.spec, p, p, err, c.canonical)
		}
	}
	for _, spec := range []string{"shuffel", "shuffle,", "shuffle:", "shuffle:256", "shuffle:-129", "shuffle:x", "1,1,1,1,1,1,1", "256", "-1"} {
		if _, err := Parse(spec); !errors.Is(err, blosc2.ErrOption) {
			t.Errorf("%q: %v", spec, err)
		}
	}
	if _, err := Parse("99"); !errors.Is(err, blosc2.ErrUnsupported) {
		t.Errorf("99: %v", err)
	}
}

// invert is a filter of a user's.
type invert struct{}

func (invert) ID() blosc2.FilterID { return 161 }
func (invert) Name() string        { return "invert" }
func (invert) Lossy() bool         { return false }
func (invert) Check(Params) error  { return nil }
func (invert) Forward(dst, src []byte, _ Params) error {
	for i, c := range src {
		dst[i] = ^c
	}
	return nil
}
func (f invert) Backward(dst, src []byte, p Params) error { return f.Forward(dst, src, p) }

func TestRegister(t *testing.T) {
	if err := Register(invert{}); err != nil {
		t.Fatal(err)
	}
	defer registry.known[161].Store(nil)
	if err := Register(invert{}); !errors.Is(err, blosc2.ErrOption) {
		t.Errorf("again: %v", err)
	}
	for _, bad := range []Filter{shuffleFilter{}, shuffleFilter{builtin{id: 200}}} { // the latter's name has a space
		if err := Register(bad); !errors.Is(err, blosc2.ErrOption) {
			t.Errorf("%d %q: %v", bad.ID(), bad.Name(), err)
		}
	}
	p, err := Parse("invert,shuffle")
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.Forward(make([]byte, 8), make([]byte, 8), unhex("00 01 02 03 04 05 06 07"), Params{TypeSize: 2})
	if err != nil || !bytes.Equal(out, unhex("ff fd fb f9 fe fc fa f8")) {
		t.Errorf("forward: %x, %v", out, err)
	}
}

func TestPipelineFacts(t *testing.T) {
	for spec, want := range map[string][2]bool{
		"none": {true, false}, "shuffle": {false, false}, "delta,bytedelta": {false, false},
		"trunc_prec:9,shuffle": {false, true}, "int_trunc:1": {false, true}, "ndmean:2": {false, true},
	} {
		p, _ := Parse(spec)
		if got := [2]bool{p.Empty(), p.Lossy()}; got != want {
			t.Errorf("%s: empty, lossy %v, want %v", spec, got, want)
		}
	}
	p, _ := Parse("shuffle,bytedelta")
	for typesize, want := range map[int]uint8{4: 4, 255: 255, 256: 1} {
		if got := p.Explicit(typesize).Metas[5]; got != want {
			t.Errorf("bytedelta at typesize %d: meta %d, want %d", typesize, got, want)
		}
	}
}

// TestDeltaWithoutReference: a chunk whose later block is longer than its
// first gives an error.
func TestDeltaWithoutReference(t *testing.T) {
	p, _ := Parse("delta")
	err := p.Backward(make([]byte, 8), nil, make([]byte, 8), Params{TypeSize: 4, Block: 1, Ref: make([]byte, 7)})
	if !errors.Is(err, blosc2.ErrCorrupt) {
		t.Error(err)
	}
}

func TestNoAllocations(t *testing.T) {
	p, _ := Parse("delta,shuffle,bytedelta")
	src, dst, tmp := make([]byte, 4096), make([]byte, 4096), make([]byte, 4096)
	prm := Params{TypeSize: 4}
	if n := testing.AllocsPerRun(100, func() {
		out, err := p.Forward(dst, tmp, src, prm)
		if err == nil {
			err = p.Backward(src, tmp, out, prm)
		}
		if err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
