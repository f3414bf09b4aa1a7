package inflate

import (
	"bytes"
	"compress/flate"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// content makes data of runs, repetitions at all distances and noise.
func content(seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	size := r.IntN(1 << (3 + seed%15))
	noise := 1 + r.IntN(8)
	data := make([]byte, 0, size)
	for len(data) < size {
		n := min(1+r.IntN(1<<r.IntN(12)), size-len(data))
		if len(data) == 0 || r.IntN(3) == 0 {
			for range n {
				data = append(data, byte(r.Uint32())>>(8-noise)&byte(r.Uint32()))
			}
			continue
		}
		distance := 1 + r.IntN(min(len(data), 1<<r.IntN(17)))
		for range n {
			data = append(data, data[len(data)-distance])
		}
	}
	return data
}

func deflate(t testing.TB, data []byte, level int) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, level)
	if err != nil {
		t.Fatal(err)
	}
	// Write in two parts, so that there is more than one block.
	for _, part := range [][]byte{data[:len(data)/3], data[len(data)/3:]} {
		if _, err := w.Write(part); err != nil {
			t.Fatal(err)
		}
		if level == 4 {
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func decode(t *testing.T, d *Decoder, stream []byte, size int) ([]byte, int, error) {
	t.Helper()
	dst := bytes.Repeat([]byte{0xc3}, size+64)
	n, read, err := d.Decode(dst[:size:size+64], stream)
	for _, v := range dst[size:] {
		if v != 0xc3 {
			t.Fatal("wrote after the destination")
		}
	}
	if n > size || read > len(stream) || read < 0 {
		t.Fatalf("%d bytes of %d written, %d of %d read", n, size, read, len(stream))
	}
	return dst[:n], read, err
}

func TestDecode(t *testing.T) {
	var d Decoder
	for seed := range uint64(200) {
		data := content(seed)
		for _, level := range []int{flate.HuffmanOnly, 0, 1, 4, 6, 9} {
			stream := deflate(t, data, level)
			for _, extra := range []int{0, 1, 20} {
				got, read, err := decode(t, &d, append(bytes.Clone(stream), make([]byte, extra)...), len(data))
				if err != nil || !bytes.Equal(got, data) || read != len(stream) {
					t.Fatalf("seed %d, level %d, %d bytes: wrong, or read %d of %d, error %v", seed, level, len(data), read, len(stream), err)
				}
			}
			if len(data) > 0 {
				if _, _, err := decode(t, &d, stream, len(data)-1); err == nil {
					t.Fatalf("seed %d: %d bytes decoded to one less", seed, len(data))
				}
			}
		}
	}
}

// compare compares the results for a damaged stream with those of the standard
// library's decoder.
func compare(t *testing.T, d *Decoder, stream []byte, size int) {
	t.Helper()
	got, _, err := decode(t, d, stream, size)
	want, wantErr := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(stream)), int64(size)+1))
	if wantErr == nil && len(want) <= size {
		if err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%d bytes, error %v; compress/flate returned %d", len(got), err, len(want))
		}
	} else if err == nil {
		t.Fatalf("decoded to %d bytes; compress/flate returned %d and error %v", len(got), len(want), wantErr)
	}
}

func TestDecodeDamaged(t *testing.T) {
	var d Decoder
	r := rand.New(rand.NewPCG(3, 3))
	for seed := range uint64(200) {
		data := content(seed)
		stream := deflate(t, data, []int{flate.HuffmanOnly, 0, 1, 6}[seed%4])
		for range 6 {
			bad := bytes.Clone(stream)
			for range 1 + r.IntN(3) {
				bad[r.IntN(len(bad))] = byte(r.Uint32())
			}
			compare(t, &d, bad, len(data))
			compare(t, &d, bytes.Clone(stream[:r.IntN(len(stream))]), len(data))
		}
	}
}

// The last two of the 32 distance codes must not occur: zlib rejects a block that lists
// lengths for them, even lengths of 0.
func TestDistanceCodes(t *testing.T) {
	var d Decoder
	for _, distances := range []uint64{1, 30, 31, 32} {
		var stream []byte
		var word uint64
		n := 0
		add := func(v uint64, bits int) {
			word |= v << n
			for n += bits; n >= 8; n -= 8 {
				stream = append(stream, byte(word))
				word >>= 8
			}
		}
		add(1|2<<1, 3) // BFINAL is set, and BTYPE is dynamic codes
		add(0, 5)
		add(distances-1, 5)
		add(18-4, 4)
		for i := range 18 {
			if i == 2 || i == 17 { // the code lengths that are used: many zeros, and 1
				add(1, 3)
			} else {
				add(0, 3)
			}
		}
		add(1|(138-11)<<1, 8)
		add(1|(118-11)<<1, 8)
		add(0, 1) // length of the code of the end
		if distances == 1 {
			add(0, 1)
		} else {
			add(1|(distances-11)<<1, 8)
		}
		add(0, 16) // end of the block
		compare(t, &d, stream, 10)
		if _, _, err := decode(t, &d, stream, 10); (err == nil) != (distances <= 30) {
			t.Errorf("%d lengths: error %v", distances, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for seed := range uint64(40) {
		data := content(seed)
		f.Add(deflate(f, data, int(seed%10)), uint32(len(data)))
	}
	var d Decoder
	f.Fuzz(func(t *testing.T, stream []byte, size uint32) {
		defer b2test.Cost(t)()
		compare(t, &d, stream, int(size%(1<<18)))
	})
}
