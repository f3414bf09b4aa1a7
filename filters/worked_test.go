package filters

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"testing"

	"github.com/seed03b80dae/blosc2"
)

// TestWorkedExamples checks the worked examples of the format's description.
func TestWorkedExamples(t *testing.T) {
	ref := unhex("01 02 03 04 05 06 07 08")
	for _, c := range []struct {
		name         string
		id           blosc2.FilterID
		p            Params
		plain, coded string
		lossy        bool
	}{
		{"shuffle", blosc2.FilterShuffle, Params{TypeSize: 4},
			"01 02 03 04 05 06 07 08 09 0a 0b", "01 05 02 06 03 07 04 08 09 0a 0b", false},
		{"shuffle by groups", blosc2.FilterShuffle, Params{TypeSize: 12, Meta: 4},
			"01 02 03 04 05 06 07 08 09 0a 0b", "01 05 02 06 03 07 04 08 09 0a 0b", false},
		{"bitshuffle", blosc2.FilterBitShuffle, Params{TypeSize: 2},
			"01 00 02 00 03 00 04 00 05 00 06 00 07 00 00 80 | 34 12 | aa",
			"55 66 78 00 00 00 00 00 00 00 00 00 00 00 00 80 | 34 12 | aa", false},
		{"delta, block 0", blosc2.FilterDelta, Params{TypeSize: 2},
			"02 01 03 01 07 01 07 01 07 ff 07 00", "02 01 01 00 04 00 00 00 00 fe 00 ff", false},
		{"delta, block 1", blosc2.FilterDelta, Params{TypeSize: 2, Block: 1, Ref: ref},
			"09 02 03 04 05 06 07 00", "08 00 00 00 00 00 00 08", false},
		{"float32, keep 10 bits", blosc2.FilterTruncPrec, Params{TypeSize: 4, Meta: 10}, "db 0f 49 40", "00 00 49 40", true},
		{"float32, clear 8 bits", blosc2.FilterTruncPrec, Params{TypeSize: 4, Meta: 0xf8}, "db 0f 49 40", "00 0f 49 40", true},
		{"float64, keep 20 bits", blosc2.FilterTruncPrec, Params{TypeSize: 8, Meta: 20}, "9a 99 99 99 99 99 f1 bf", "00 00 00 00 99 99 f1 bf", true},
		{"int16, clear 4 bits", blosc2.FilterIntTrunc, Params{TypeSize: 2, Meta: 0xfc}, "39 12 fd ff", "30 12 f0 ff", true},
		{"int16, keep 5 bits", blosc2.FilterIntTrunc, Params{TypeSize: 2, Meta: 5}, "39 12 fd ff", "00 10 00 f8", true},
		{"bytedelta, with tail", blosc2.FilterByteDelta, Params{TypeSize: 4},
			"0a 0b | 14 15 | 1e 1f | 28 29 | 63", "0a 01 14 01 1e 01 28 01 63", false},
		{"bytedelta", blosc2.FilterByteDelta, Params{TypeSize: 4, Meta: 1},
			"0a 0b 0d 10 14 19 1f 26 2e 37 41 00 03 06 09 0c", "0a 01 02 03 04 05 06 07 08 09 0a bf 03 03 03 03", false},
		{"ndcell", blosc2.FilterNDCell, Params{TypeSize: 1, Meta: 2, BlockShape: []int32{3, 5}},
			"01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f", "01 02 06 07 | 03 04 08 09 | 05 0a | 0b 0c | 0d 0e | 0f", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := ByID(c.id)
			if err != nil {
				t.Fatal(err)
			}
			if err := f.Check(c.p); err != nil {
				t.Fatal(err)
			}
			plain, coded := unhex(c.plain), unhex(c.coded)
			got := make([]byte, len(plain))
			if err := f.Forward(got, plain, c.p); err != nil || !bytes.Equal(got, coded) {
				t.Errorf("forward: %x, %v; want %x", got, err, coded)
			}
			if c.lossy {
				plain = coded
			}
			if err := f.Backward(got, coded, c.p); err != nil || !bytes.Equal(got, plain) {
				t.Errorf("backward: %x, %v; want %x", got, err, plain)
			}
		})
	}
}

func floats(v ...float32) []byte {
	var b []byte
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

func TestNDMeanExample(t *testing.T) {
	src := make([]float32, 16)
	for i := range src {
		src[i] = float32(i)
	}
	p := Params{TypeSize: 4, Meta: 2, BlockShape: []int32{4, 4}}
	f, _ := ByID(blosc2.FilterNDMean)
	coded, plain := make([]byte, 64), make([]byte, 64)
	if err := f.Forward(coded, floats(src...), p); err != nil {
		t.Fatal(err)
	}
	if want := floats(2.5, 2.5, 2.5, 2.5, 4.5, 4.5, 4.5, 4.5, 10.5, 10.5, 10.5, 10.5, 12.5, 12.5, 12.5, 12.5); !bytes.Equal(coded, want) {
		t.Errorf("forward: %x, want %x", coded, want)
	}
	if err := f.Backward(plain, coded, p); err != nil {
		t.Fatal(err)
	}
	if want := floats(2.5, 2.5, 4.5, 4.5, 2.5, 2.5, 4.5, 4.5, 10.5, 10.5, 12.5, 12.5, 10.5, 10.5, 12.5, 12.5); !bytes.Equal(plain, want) {
		t.Errorf("backward: %x, want %x", plain, want)
	}
}

// TestNDMeanMixedSides checks a block in which the side is clipped only in dimension 1.
// The second column of cells begins where C-Blosc2 puts it, after four items and not
// after two.
func TestNDMeanMixedSides(t *testing.T) {
	f, _ := ByID(blosc2.FilterNDMean)
	p := Params{TypeSize: 4, Meta: 3, BlockShape: []int32{2, 4}} // cells of 2 by 3 items
	var op *blosc2.OptionError
	if err := f.Check(p); !errors.As(err, &op) {
		t.Errorf("Check: %v", err)
	}
	got := make([]byte, 32)
	if err := f.Backward(got, floats(1, 2, 3, 4, 5, 6, 7, 8), p); err != nil {
		t.Fatal(err)
	}
	// The second cell is one column wide and begins at column 1*2.
	if want := floats(1, 2, 7, 0, 4, 5, 8, 0); !bytes.Equal(got, want) {
		t.Errorf("backward: %x, want %x", got, want)
	}
}

// TestBitShuffleRules checks which chunk versions leave a block of nine items unchanged.
func TestBitShuffleRules(t *testing.T) {
	coded := unhex("55 66 78 00 00 00 00 00 00 00 00 00 00 00 00 80 | 34 12")
	plain := unhex("01 00 02 00 03 00 04 00 05 00 06 00 07 00 00 80 | 34 12")
	p := Pipeline{IDs: [Slots]blosc2.FilterID{blosc2.FilterBitShuffle}}
	for version := uint8(1); version <= 6; version++ {
		want, forward := plain, coded
		if version == 2 || version == 3 {
			want, forward = coded, plain
		}
		prm := Params{TypeSize: 2, Version: version}
		got := make([]byte, len(coded))
		if err := p.Backward(got, nil, coded, prm); err != nil || !bytes.Equal(got, want) {
			t.Errorf("version %d, backward: %x, %v; want %x", version, got, err, want)
		}
		if got, err := p.Forward(got, nil, plain, prm); err != nil || !bytes.Equal(got, forward) {
			t.Errorf("version %d, forward: %x, %v; want %x", version, got, err, forward)
		}
	}
}

// TestUndatedBitShuffle checks ambiguous chunks. Blocks of numbers are left unchanged,
// and blocks of shuffled bits are unshuffled.
func TestUndatedBitShuffle(t *testing.T) {
	for _, size := range []int{2, 4, 8, 12} {
		plain := make([]byte, 1003*size)
		for i := range 1003 {
			plain[i*size], plain[i*size+1], plain[i*size+size-1] = byte(i*i), byte(i/64), 0x40
		}
		f, _ := ByID(blosc2.FilterBitShuffle)
		coded, got := make([]byte, len(plain)), make([]byte, len(plain))
		p := Params{TypeSize: size, Version: 4, Undated: true}
		if err := f.Forward(coded, plain, p); err != nil {
			t.Fatal(err)
		}
		for _, block := range [][]byte{plain, coded} {
			if err := f.Backward(got, block, p); err != nil || !bytes.Equal(got, plain) {
				t.Errorf("typesize %d: wrong", size)
			}
		}
	}
}

// TestOldByteDelta checks that streams of 20 bytes start again from 0 at the 17th byte.
func TestOldByteDelta(t *testing.T) {
	f, _ := ByID(blosc2.FilterByteDeltaOld)
	src, got := bytes.Repeat([]byte{1}, 41), make([]byte, 41)
	if err := f.Backward(got, src, Params{TypeSize: 2}); err != nil {
		t.Fatal(err)
	}
	stream := "0102030405060708090a0b0c0d0e0f10 01020304"
	if want := unhex(stream + stream + "01"); !bytes.Equal(got, want) {
		t.Errorf("%x, want %x", got, want)
	}
	if err := f.Forward(got, src, Params{TypeSize: 2}); !errors.Is(err, blosc2.ErrOption) {
		t.Errorf("forward: %v", err)
	}
}
