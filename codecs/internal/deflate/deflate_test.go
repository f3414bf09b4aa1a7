package deflate

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/seed03b80dae/blosc2/codecs/internal/inflate"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/shuffle"
)

// content makes planes of runs, repetitions at all distances and noise of
// several alphabets.
func content(seed uint64) (data []byte, planes int) {
	r := rand.New(rand.NewPCG(seed, 1))
	size := r.IntN(1 << (3 + seed%15))
	planes = 1 + r.IntN(16)
	for range planes {
		noise, repeats := r.IntN(9), r.IntN(5)
		for end := len(data) + size/planes; len(data) < end; {
			n := min(1+r.IntN(1<<r.IntN(12)), end-len(data))
			if r.IntN(4) == 0 { // a few values, with pairs that repeat immediately
				a, b := byte(r.Uint32()), byte(r.Uint32())
				for range n {
					if r.IntN(3) == 0 {
						a, b = b, a
					}
					data = append(data, a&byte(r.Uint32()))
				}
				continue
			}
			if len(data) == 0 || r.IntN(5) >= repeats {
				for range n {
					data = append(data, byte(r.Uint32())>>(8-noise)&byte(r.Uint32()|r.Uint32()))
				}
				continue
			}
			distance := 1 + r.IntN(min(len(data), 1<<r.IntN(17)))
			for range n {
				data = append(data, data[len(data)-distance])
			}
		}
	}
	return data, planes
}

// items makes values of 8 bytes that repeat as a whole or in parts, runs, and
// noise between them.
func items(seed uint64) (data []byte) {
	r := rand.New(rand.NewPCG(seed, 2))
	size := r.IntN(1 << (6 + seed%13))
	for len(data) < size {
		kinds, noisy := 1+r.Uint64N(1<<r.IntN(14)), r.IntN(4) == 0
		mask := ^uint64(0) << (8 * r.IntN(8))
		for range 1 + r.IntN(1<<r.IntN(12)) {
			v := r.Uint64N(kinds) * 0x9e3779b97f4a7c15 & mask
			if noisy && r.IntN(3) == 0 {
				v ^= r.Uint64N(1 << 16)
			}
			data = binary.LittleEndian.AppendUint64(data, v)
		}
		if r.IntN(8) == 0 {
			data = append(data, make([]byte, r.IntN(5000))...)
		}
		if r.IntN(8) == 0 {
			data = append(data, data[r.IntN(len(data)):]...)
		}
	}
	return data[:size]
}

// A negative number of planes means items of so many bytes, without planes.
const values = -8

// effort returns the effort of a level.
func effort(level, planes int) Effort {
	e := Level(level, max(planes, 0))
	e.Item = max(-planes, 0)
	return e
}

// encode encodes to n bytes and checks that nothing else is written.
func encode(t testing.TB, e *Encoder, data []byte, planes, level, n int) []byte {
	t.Helper()
	dst := bytes.Repeat([]byte{0xc3}, n+64)
	size := e.Encode(dst[:n:n+64], data, max(planes, 0), effort(level, planes))
	for _, v := range dst[n:] {
		if v != 0xc3 {
			t.Fatalf("wrote after %d bytes", n)
		}
	}
	if size > n {
		t.Fatalf("%d bytes in %d", size, n)
	}
	return dst[:size]
}

// room is the size of a destination that holds any stream of the tests.
func room(n int) int { return n + n>>10 + 64 }

func TestEncode(t *testing.T) {
	var e Encoder
	seeds := uint64(400)
	if testing.Short() {
		seeds = 60
	}
	for seed := range seeds {
		data, planes := content(seed)
		level := 1 + int(seed%9)
		stream := encode(t, &e, data, planes, level, room(len(data)))
		if len(stream) == 0 {
			t.Fatalf("seed %d: %d bytes do not fit into %d", seed, len(data), room(len(data)))
		}
		if err := same(stream, data); err != nil {
			t.Fatalf("seed %d, level %d: %v", seed, level, err)
		}
		// The number of planes is only a hint.
		for _, wrong := range []int{int(seed % 5 * seed), 0, values} {
			if err := same(encode(t, &e, data, wrong, level, room(len(data))), data); err != nil {
				t.Fatalf("seed %d, level %d, wrong planes: %v", seed, level, err)
			}
		}
		// Earlier calls of an encoder have no effect.
		if again := encode(t, new(Encoder), data, planes, level, room(len(data))); !bytes.Equal(again, stream) {
			t.Fatalf("seed %d, level %d: a new encoder returned other bytes", seed, level)
		}
	}
}

func TestEncodeItems(t *testing.T) {
	var e Encoder
	seeds := uint64(300)
	if testing.Short() {
		seeds = 60
	}
	for seed := range seeds {
		data := items(seed)
		level, planes := 1+int(seed%9), []int{0, values, -4, -3, -80, -255, -32768, -1 << 20}[seed/9%8]
		stream := bytes.Clone(encode(t, &e, data, planes, level, room(len(data))))
		if err := same(stream, data); err != nil || len(data) > 0 && len(stream) == 0 {
			t.Fatalf("seed %d, level %d: %d bytes in %d, %v", seed, level, len(data), len(stream), err)
		}
		if again := encode(t, new(Encoder), data, planes, level, room(len(data))); !bytes.Equal(again, stream) {
			t.Fatalf("seed %d, level %d: a new encoder returned other bytes", seed, level)
		}
	}
}

// Unfiltered items of real measurements take no more bytes than with zlib's search,
// which compress/flate implements, except for one percent in parts of a file.
func TestEncodeRealItems(t *testing.T) {
	var e Encoder
	for name, planes := range map[string]int{
		"era-geopotential.f4": -4, "era-wind-u.f8": values, "era-wind-u.i2": -2, "era5-t2m.f4": -4, "nab-records.16": -16, "nab-time.i8": values, "nab-value.f8": values,
	} {
		data := b2test.Real(t, name)
		if data = data[len(data)/2:][:512<<10]; testing.Short() {
			data = data[:256<<10]
		}
		for _, level := range []int{1, 3, 6, 9} {
			total, theirs := 0, 0
			for rest := data; len(rest) > 0; {
				n := min(256<<10, len(rest))
				stream := encode(t, &e, rest[:n], planes, level, room(n))
				if err := same(stream, rest[:n]); err != nil {
					t.Fatalf("%s, level %d: %v", name, level, err)
				}
				total += len(stream)
				theirs += flateSize(rest[:n], level)
				rest = rest[n:]
			}
			if total > theirs+theirs/100 {
				t.Errorf("%s, level %d: %d bytes, compress/flate makes %d", name, level, total, theirs)
			}
		}
	}
}

// Of sorted numbers, most begin as the previous one does: with three equal bytes, which is
// fewer than the matches that a bucket finds where bytes take few bits.
func TestEncodeSorted(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	var data []byte
	for v := uint32(0); len(data) < 128<<10; v += r.Uint32N(20) {
		data = binary.LittleEndian.AppendUint32(data, v)
	}
	var e Encoder
	for level := 1; level <= 2; level++ {
		stream := encode(t, &e, data, -4, level, room(len(data)))
		if err := same(stream, data); err != nil {
			t.Fatal(err)
		}
		if theirs := flateSize(data, 6); len(stream) > theirs+theirs/50 {
			t.Errorf("level %d: %d bytes, compress/flate makes %d at level 6", level, len(stream), theirs)
		}
	}
}

func flateSize(data []byte, level int) int {
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, level)
	w.Write(data)
	w.Close()
	return b.Len()
}

// This encodes planes of real measurements, with the block size of each level.
func TestEncodeReal(t *testing.T) {
	var e Encoder
	var d inflate.Decoder
	for name, size := range map[string]int{
		"era-geopotential.f4": 4, "era-wind-u.f8": 8, "era-wind-u.i2": 2, "era5-t2m.f4": 4, "nab-records.16": 16, "nab-time.i8": 8, "nab-value.f8": 8,
	} {
		data := b2test.Real(t, name)
		if testing.Short() {
			data = data[:256<<10]
		}
		for level := 1; level <= 9; level++ {
			total := 0
			for rest := data; len(rest) > 0; {
				n := min([]int{1: 32, 64, 128, 256, 256, 512, 512, 512, 1024}[level]<<10, len(rest))
				block := make([]byte, n)
				shuffle.Shuffle(block, rest[:n], size)
				stream := encode(t, &e, block, size, level, room(n))
				back := make([]byte, n)
				if m, read, err := d.Decode(back, stream); err != nil || m != n || read != len(stream) || !bytes.Equal(back, block) {
					t.Fatalf("%s, level %d, at %d: %d bytes, %d of %d read, error %v", name, level, len(data)-len(rest), m, read, len(stream), err)
				}
				total += len(stream)
				rest = rest[n:]
			}
			if total > len(data)*3/4 {
				t.Errorf("%s, level %d: %d bytes of %d", name, level, total, len(data))
			}
		}
	}
}

// Two bytes at a small distance save more than three at a large one, but are not a match.
// The two are compared only if two words share a hash.
func TestEncodeTooShort(t *testing.T) {
	var e Encoder
	r := rand.New(rand.NewPCG(3, 3))
	for range 8 {
		var data []byte
		for range 4 << 10 {
			data = append(data, byte(r.Uint32()))
		}
		for len(data) < 128<<10 {
			old := data[len(data)-1000-r.IntN(3000):]
			data = append(data, old[0], old[1], byte(r.Uint32()), old[0], old[1], old[2])
		}
		for _, planes := range []int{1, 0, values} {
			for _, level := range []int{1, 5, 9} {
				if err := same(encode(t, &e, data, planes, level, room(len(data))), data); err != nil {
					t.Fatalf("level %d, %d planes: %v", level, planes, err)
				}
			}
		}
	}
}

// Positions wrap around after 64 KiB, and the window is 32 KiB.
func TestEncodeFar(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	noise := make([]byte, 1<<16+5)
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	var e Encoder
	for _, distance := range []int{1 << 15, 1<<15 - 1, 1<<15 + 1, 1 << 16, 1<<16 - 1, 1<<16 + 1, 1<<16 + 5} {
		data := append(bytes.Clone(noise[:distance]), noise[:distance]...)
		data = append(data, noise[:300]...)
		for k := range 27 {
			level, planes := 1+k%9, []int{1, 0, values}[k/9]
			stream := encode(t, &e, data, planes, level, room(len(data)))
			if err := same(stream, data); err != nil {
				t.Fatalf("distance %d, level %d: %v", distance, level, err)
			}
			if distance < 1<<15 && len(stream) > len(data)*3/4 {
				t.Errorf("distance %d, level %d, %d planes: %d bytes of %d", distance, level, planes, len(stream), len(data))
			}
		}
	}
}

// If the stream does not fit, Encode returns 0; if it just fits, it is the same as in a
// larger destination.
func TestEncodeSmall(t *testing.T) {
	var e Encoder
	for seed := range uint64(120) {
		data, planes := content(seed % 60)
		if len(data) > 6000 {
			data = data[:6000]
		}
		if seed%3 == 0 {
			planes = []int{0, values}[seed%2]
		}
		level := 1 + int(seed/3%9)
		stream := bytes.Clone(encode(t, &e, data, planes, level, room(len(data))))
		for n := len(stream); n >= 0; n -= 1 + (len(stream)-n)/4 {
			got := encode(t, &e, data, planes, level, n)
			if n == len(stream) && !bytes.Equal(got, stream) {
				t.Fatalf("seed %d: not the same in %d bytes", seed, n)
			}
			// A block is stored if its codes do not fit. So a stream may fit in a
			// destination that is shorter than the usual stream.
			if len(got) > 0 {
				if err := same(got, data); err != nil {
					t.Fatalf("seed %d, room for %d of %d: %v", seed, n, len(stream), err)
				}
			}
		}
	}
}

// Noise is stored, at hardly more than its size.
func TestEncodeNoise(t *testing.T) {
	var e Encoder
	r := rand.New(rand.NewPCG(5, 5))
	for _, n := range []int{0, 1, 2, 5, 100, 65535, 65536, 200000} {
		data := make([]byte, n)
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		for k := range 27 {
			level, planes := 1+k%9, []int{8, 0, values}[k/9]
			stream := encode(t, &e, data, planes, level, room(n))
			if err := same(stream, data); err != nil {
				t.Fatalf("%d bytes, level %d: %v", n, level, err)
			}
			if most := n + 5 + 5*((n+maxStored-1)/maxStored); len(stream) > most {
				t.Errorf("%d bytes, level %d, %d planes: %d bytes, want no more than %d", n, level, planes, len(stream), most)
			}
			if n > 100 && len(encode(t, &e, data, planes, level, n)) != 0 {
				t.Errorf("%d bytes of noise fit into as many", n)
			}
		}
	}
}

func TestAllocs(t *testing.T) {
	var e Encoder
	data, planes := content(14 + 15*5)
	dst := make([]byte, room(len(data)))
	for _, planes := range []int{planes, 0} {
		for _, level := range []int{1, 5, 9} {
			e.Encode(dst, data, planes, Level(level, planes))
			if n := testing.AllocsPerRun(5, func() { e.Encode(dst, data, planes, Level(level, planes)) }); n != 0 {
				t.Errorf("level %d: %v allocations of %d bytes", level, n, len(data))
			}
		}
	}
}

// A match begins no earlier than the bytes after the last one, than the input, or than its
// longest length allows.
func TestExtend(t *testing.T) {
	noise := make([]byte, 400)
	r := rand.New(rand.NewPCG(4, 5))
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	src := append(noise, noise...)
	for _, c := range []struct{ ip, anchor, length, at int }{
		{700, 600, 8, 600}, {700, 450, 9, 451}, {500, 300, 3, 400}, {600, 600, 20, 600}, {690, 0, maxMatch, 690},
	} {
		at, m := extend(src, c.ip, c.anchor, match{length: c.length, distance: len(noise) - 1})
		if at != c.at || m.length != c.length+c.ip-c.at || m.distance != len(noise)-1 {
			t.Errorf("%+v: at %d, %+v", c, at, m)
		}
	}
}

func FuzzEncode(f *testing.F) {
	for seed := range uint64(40) {
		data, planes := content(seed)
		f.Add(data, uint8(planes), uint8(seed%9), uint16(seed))
		f.Add(items(seed), uint8(int(seed%2)*values&0xff), uint8(seed%9), uint16(seed))
	}
	var e Encoder
	f.Fuzz(func(t *testing.T, data []byte, planes, level uint8, less uint16) { // 255 means values
		defer b2test.Cost(t)()
		n := max(room(len(data))-int(less), 0)
		stream := encode(t, &e, data, int(int8(planes)), 1+int(level%9), n)
		if len(stream) == 0 {
			if n >= room(len(data)) {
				t.Fatalf("%d bytes do not fit into %d", len(data), n)
			}
			return
		}
		if err := same(stream, data); err != nil {
			t.Fatal(err)
		}
	})
}
