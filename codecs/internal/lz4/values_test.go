package lz4

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/pierrec/lz4/v4"

	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// values makes n bytes of words of few kinds, some of them new, with repeated
// parts.
func values(seed uint64, n int) []byte {
	r := rand.New(rand.NewPCG(seed, 4))
	kinds := 1 + r.Uint64N(1<<(1+seed%13))
	fresh := 2 + r.IntN(30) // one in fresh words is new
	data := make([]byte, 0, n+8)
	for len(data) < n {
		if here := len(data) / 8; here > 0 && r.IntN(8) == 0 {
			d := 8 * (1 + r.IntN(here))
			for range min(r.IntN(1<<r.IntN(12)), (n-len(data))/8) {
				data = append(data, data[len(data)-d:len(data)-d+8]...)
			}
			continue
		}
		w := r.Uint64N(kinds) * 0x9e3779b97f4a7c15
		if r.IntN(fresh) == 0 {
			w = r.Uint64() >> (8 * r.IntN(8)) // the word may have its highest bytes in common with others
		}
		data = binary.LittleEndian.AppendUint64(data, w)
	}
	return data[:n]
}

// checkValues encodes data into room bytes with both searches; LZ4 itself must
// decode the result.
func checkValues(t *testing.T, e *ValuesEncoder, data []byte, room int) (n int) {
	t.Helper()
	n = checkDepth(t, e, data, room, 0)
	checkDepth(t, e, data, room, 12)
	return n
}

func checkDepth(t *testing.T, e *ValuesEncoder, data []byte, room, depth int) (n int) {
	t.Helper()
	dst := bytes.Repeat([]byte{0xc3}, room+64)
	var ok bool
	if depth > 0 {
		n, ok = e.EncodeDeep(dst[:room:room+64], data, depth)
	} else {
		n, ok = e.Encode(dst[:room:room+64], data)
	}
	for _, v := range dst[room:] {
		if v != 0xc3 {
			t.Fatalf("%d bytes into %d: wrote after the destination", len(data), room)
		}
	}
	if !ok {
		return 0
	}
	checkEnd(t, dst[:n])
	back := make([]byte, len(data))
	if m, err := lz4.UncompressBlock(dst[:n], back); err != nil || !bytes.Equal(back[:m], data) {
		t.Fatalf("%d bytes into %d: LZ4 decodes %d others, %v", len(data), room, m, err)
	}
	clear(back)
	if m, err := Decode(back, dst[:n], nil); err != nil || !bytes.Equal(back[:m], data) {
		t.Fatalf("%d bytes into %d: decodes to %d others, %v", len(data), room, m, err)
	}
	return n
}

func TestValues(t *testing.T) {
	var e ValuesEncoder
	suited := 0
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(seed, 6))
		data := values(seed, r.IntN(1<<(4+seed%16)))
		n := checkValues(t, &e, data, lz4.CompressBlockBound(len(data)))
		if n > 0 {
			suited++
		}
		for range 4 {
			checkValues(t, &e, data, r.IntN(n+1))
			checkValues(t, &e, data, min(n+r.IntN(64), len(data)))
		}
	}
	if suited < 50 {
		t.Errorf("%d of 600 inputs are said to be values", suited)
	}
}

// This tests inputs of all lengths near the least, and runs, which have the longest
// length fields.
func TestValuesLengths(t *testing.T) {
	var e ValuesEncoder
	data := values(40, 3*8192)
	run := binary.LittleEndian.AppendUint64(nil, 1)
	for i := range uint64(4200) {
		run = binary.LittleEndian.AppendUint64(run, i%300*0x9e3779b97f4a7c15)
	}
	run = append(run, bytes.Repeat([]byte{1, 2, 3, 4, 5, 6, 7, 8}, 1<<15)...)
	for n := range 200 {
		checkValues(t, &e, data[:n], n)
		checkValues(t, &e, data[:2*8192+n], 2*8192)
		checkValues(t, &e, run[:4*8192+n], 2*8192)
		if checkValues(t, &e, run[:len(run)-n], 32<<10) == 0 {
			t.Fatal("a run was not encoded")
		}
		checkValues(t, &e, run[:len(run)-n], 12000+90*n)
	}
}

// checkPut checks that the assembly writes the same sequences as the generic code.
func checkPut(t *testing.T, data []byte, room int) {
	t.Helper()
	end := (len(data)-searchEnd)/wordSize - 3
	if end < 1 {
		return
	}
	var values lz77.Values[uint16]
	values.Reset(end, 9, 10)
	want, got := make([]byte, room), make([]byte, room)
	var c, generic cover
	for from := 0; from < end; from += len(values.Repeats) {
		repeats := values.Repeats[:min(len(values.Repeats), end-from)]
		values.Scan(repeats, data, from, window)
		if !hasRoom(room-c.op, (from+len(repeats)-c.anchor)*wordSize, 0) {
			return
		}
		wantOK, ok := generic.putGeneric(want, data, repeats, from, end), put(&c, got, data, repeats, from, end)
		if ok != wantOK {
			t.Fatalf("words %d to %d: room is said to be enough: %v, generic %v", from, from+len(repeats), ok, wantOK)
		}
		if !ok {
			return
		}
		if c != generic || !bytes.Equal(got[:c.op], want[:c.op]) {
			t.Fatalf("words %d to %d: %+v, generic %+v", from, from+len(repeats), c, generic)
		}
	}
}

func TestPut(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 8))
		data := values(seed, 100+r.IntN(1<<(8+seed%12)))
		if seed%5 == 0 { // add a long match and many literals
			data = append(data, bytes.Repeat(data[:8], r.IntN(1<<(seed%14)))...)
			for range r.IntN(100) {
				data = binary.LittleEndian.AppendUint64(data, r.Uint64())
			}
			data = append(data, data...)
		}
		checkPut(t, data, 2*len(data)+100)
		checkPut(t, data, r.IntN(len(data)))
	}
}

// Neither text nor similar numbers are treated as values that repeat.
func TestValuesSuit(t *testing.T) {
	var e ValuesEncoder
	r := rand.New(rand.NewPCG(1, 2))
	var noise, small, few []byte
	for range 8192 {
		noise = binary.LittleEndian.AppendUint64(noise, r.Uint64())
		small = binary.LittleEndian.AppendUint64(small, r.Uint64N(200))
		few = binary.LittleEndian.AppendUint64(few, r.Uint64N(200)*0x9e3779b97f4a7c15)
	}
	turning := append(few[:2*8192:2*8192], noise...)
	for what, data := range map[string][]byte{"noise": noise, "small numbers": small, "too few": few[:4096], "later noise": turning} {
		if _, ok := e.Encode(make([]byte, 2*len(data)), data); ok {
			t.Errorf("%s: said to be values that repeat", what)
		}
	}
	if n, ok := e.Encode(make([]byte, len(few)), few); !ok || n == 0 || n > len(few)/2 {
		t.Errorf("values that repeat: %d bytes of %d, %v", n, len(few), ok)
	} else if deep, ok := e.EncodeDeep(make([]byte, len(few)), few, 32); !ok || deep >= n {
		t.Errorf("values that repeat: %d bytes, and %d by looking harder, %v", n, deep, ok)
	}
}

func FuzzValues(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(values(seed*5, 3000), uint16(2000))
	}
	f.Fuzz(func(t *testing.T, data []byte, room uint16) {
		defer b2test.Cost(t)()
		if len(data) > 1<<17 {
			t.Skip("longer inputs take the same paths and only slow down fuzzing")
		}
		var e ValuesEncoder
		checkValues(t, &e, data, int(room))
		checkValues(t, &e, data, lz4.CompressBlockBound(len(data)))
		checkPut(t, data, int(room))
		checkPut(t, data, 2*len(data)+100)
	})
}
