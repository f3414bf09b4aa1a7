package zstd

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// content makes data of runs, repetitions at all distances and noise.
func content(seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	size := r.IntN(1 << (3 + seed%17))
	noise := 1 + r.IntN(8)
	data := make([]byte, 0, size)
	for len(data) < size {
		n := min(1+r.IntN(1<<r.IntN(14)), size-len(data))
		if len(data) == 0 || r.IntN(3) == 0 {
			for range n {
				data = append(data, byte(r.Uint32())>>(8-noise))
			}
			continue
		}
		distance := 1 + r.IntN(min(len(data), 1<<r.IntN(19)))
		for range n {
			data = append(data, data[len(data)-distance])
		}
	}
	return data
}

// klauspost's library and this package decode our frames.
func TestEncode(t *testing.T) {
	library := newLibrary(t)
	var e Encoder
	var d Decoder
	for seed := range uint64(700) {
		data := content(seed)
		frame := bytes.Clone(e.frame(data, efforts[seed%uint64(len(efforts))]))
		if back, err := library.DecodeAll(frame, nil); err != nil || !bytes.Equal(back, data) {
			t.Fatalf("seed %d, %d bytes: the library reads something else, error %v", seed, len(data), err)
		}
		if back, err := both(t, &d, frame, len(data)); err != nil || !bytes.Equal(back, data) {
			t.Fatalf("seed %d, %d bytes: decoded to other bytes, error %v", seed, len(data), err)
		}
		if len(frame) > len(data)+12+3*(1+len(data)/maxBlock) {
			t.Fatalf("seed %d, %d bytes: a frame of %d", seed, len(data), len(frame))
		}
	}
}

// Only some blocks are searched, so matches found in another frame must not reappear.
func TestBlocks(t *testing.T) {
	var e Encoder
	var d Decoder
	run := bytes.Repeat([]byte{9}, maxBlock)
	seeds := uint64(12)
	if testing.Short() {
		seeds = 4
	}
	for seed := range seeds {
		block := content(15 + 17*seed)
		data := bytes.Join([][]byte{run, block, block, run, block}, nil)
		for _, effort := range efforts {
			frame := e.frame(data, effort)
			if back, err := both(t, &d, frame, len(data)); err != nil || !bytes.Equal(back, data) {
				t.Fatalf("seed %d, %d bytes, %+v: decoded to other bytes, error %v", seed, len(data), effort, err)
			}
		}
	}
}

// This tests inputs that lead to symbols of every kind: lengths and offsets up to the
// largest of a block.
func TestEncodeExtremes(t *testing.T) {
	var e Encoder
	var d Decoder
	r := rand.New(rand.NewPCG(9, 9))
	noise := make([]byte, 300000)
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	for _, n := range []int{16, 35, 36, 66, 67, 131, 515, 16000, 65538, 65539, 131072, 131073, 262144} {
		data := bytes.Join([][]byte{noise[:n], {1}, noise[:n], bytes.Repeat([]byte{7}, n), noise[n/2 : n]}, nil)
		for _, effort := range efforts {
			frame := e.frame(data, effort)
			if back, err := both(t, &d, frame, len(data)); err != nil || !bytes.Equal(back, data) {
				t.Fatalf("%d: decoded to other bytes, error %v", n, err)
			}
		}
	}
}

// A block that is stored raw does not change the repeated distances, even if a
// match was found in it.
func TestRepeatsAfterRaw(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	data := make([]byte, 4000)
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	copy(data[200:], data[77:84])
	for _, effort := range efforts[:5] {
		var e Encoder
		if frame := e.frame(data, effort); len(frame) < len(data) {
			t.Fatalf("%+v: a frame of %d bytes, not raw", effort, len(frame))
		}
		e.finder.Reset(len(data))
		if len(e.finder.Find(data, 0, len(data), effort)) == 0 {
			t.Fatalf("%+v: no match found", effort)
		}
		e.frame(data, effort)
		if got := e.finder.Repeats(); got != [2]int{1, 4} {
			t.Errorf("%+v: distances to repeat are %v, want 1 and 4", effort, got)
		}
	}
}

// This package decodes the frames of klauspost's library.
func TestDecode(t *testing.T) {
	var d Decoder
	for level := zstd.SpeedFastest; level <= zstd.SpeedBestCompression; level++ {
		library, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(level), zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false))
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(250) {
			data := content(seed)
			frame := library.EncodeAll(data, nil)
			if len(data) == 0 || Plain(frame, len(data)) == 0 && len(data) < 256 {
				continue // the frame has no content size
			}
			if back, err := both(t, &d, frame, len(data)); err != nil || !bytes.Equal(back, data) {
				t.Fatalf("%v, seed %d, %d bytes: decoded to other bytes, error %v", level, seed, len(data), err)
			}
		}
	}
}

// A number of 0 sequences ends a block, whether it is stored in one byte or in two, as
// larger numbers are. No tables follow.
func TestNoSequences(t *testing.T) {
	var d Decoder
	for _, c := range []struct {
		sequences string
		ok        bool
	}{
		{"\x00", true}, {"\x80\x00", true}, {"\x00\x00", false}, {"\x80", false}, {"\x80\x00\x00", false}, {"\x80\x00\x54\x00\x00\x00", false},
	} {
		block := "\x18abc" + c.sequences // a literals section with three raw literals
		frame := []byte("\x28\xb5\x2f\xfd\x20\x03" + string([]byte{1 | compressed<<1 | byte(len(block))<<3, 0, 0}) + block)
		if got, err := both(t, &d, frame, 3); (err == nil) != c.ok || c.ok && string(got) != "abc" {
			t.Errorf("%x: %q, error %v", c.sequences, got, err)
		}
	}
}

func TestDecodeDamaged(t *testing.T) {
	var e Encoder
	var d Decoder
	r := rand.New(rand.NewPCG(3, 3))
	for seed := range uint64(600) {
		data := content(seed % 250)
		frame := bytes.Clone(e.frame(data, efforts[seed%4]))
		for range 6 {
			bad := bytes.Clone(frame)
			for range 1 + r.IntN(3) {
				bad[5+r.IntN(len(bad)-5)] = byte(r.Uint32())
			}
			_, _ = both(t, &d, bad, len(data))
			_, _ = both(t, &d, bytes.Clone(frame[:r.IntN(len(frame))]), len(data))
		}
	}
}

func FuzzDecode(f *testing.F) {
	var e Encoder
	var d Decoder
	for seed := range uint64(30) {
		data := content(seed)
		f.Add(e.frame(data, efforts[seed%4]), uint32(len(data)))
	}
	library, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecodeAllCapLimit(true))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, frame []byte, size uint32) {
		defer b2test.Cost(t)()
		n := int(size % (1 << 18))
		back, err := both(t, &d, frame, n)
		if err != nil {
			return
		}
		if want, err := library.DecodeAll(frame, make([]byte, 0, n)); err == nil && !bytes.Equal(want, back) {
			t.Fatal("the library decodes to something else")
		}
	})
}

func FuzzEncode(f *testing.F) {
	for seed := range uint64(30) {
		f.Add(content(seed), uint8(seed))
	}
	var e Encoder
	var d Decoder
	library, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte, effort uint8) {
		defer b2test.Cost(t)()
		frame := e.frame(data, efforts[int(effort)%len(efforts)])
		if back, err := library.DecodeAll(frame, nil); err != nil || !bytes.Equal(back, data) {
			t.Fatalf("the library decodes to something else, error %v", err)
		}
		if back, err := both(t, &d, frame, len(data)); err != nil || !bytes.Equal(back, data) {
			t.Fatalf("decoded to other bytes, error %v", err)
		}
	})
}
