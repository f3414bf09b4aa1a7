package filters

import (
	"bytes"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// FuzzBackward decodes arbitrary blocks with any pipeline and parameters that a file may
// hold. Decoding must not write after the block. A pipeline that passes Check encodes the
// block, and unless it is lossy, Backward undoes Forward.
func FuzzBackward(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8, 9}, []byte{3, 0, 1, 4, 35, 0}, uint8(4), uint8(5), uint8(1), uint32(0))
	f.Add(make([]byte, 60), []byte{32, 2}, uint8(4), uint8(5), uint8(0), uint32(0x00010503))
	f.Add(make([]byte, 64), []byte{33, 3, 2, 0}, uint8(4), uint8(4), uint8(0), uint32(0x00000404))
	f.Add(make([]byte, 40), []byte{34, 0, 36, 200}, uint8(2), uint8(2), uint8(0), uint32(0))
	f.Fuzz(func(t *testing.T, src, slots []byte, typesize, version, block uint8, shape uint32) {
		defer b2test.Cost(t)()
		var p Pipeline
		for i := 0; i+1 < len(slots) && i/2 < Slots; i += 2 {
			p.IDs[i/2], p.Metas[i/2] = blosc2.FilterID(slots[i]), slots[i+1]
		}
		prm := Params{TypeSize: max(1, int(typesize)), Version: version, Undated: version == 4, Block: int(block), Ref: src}
		for ; shape != 0; shape >>= 8 {
			prm.BlockShape = append(prm.BlockShape, int32(int8(shape)))
		}
		dst, dstOK := guarded(len(src))
		tmp, tmpOK := guarded(len(src))
		err := p.Backward(dst, tmp, src, prm)
		if !dstOK() || !tmpOK() {
			t.Fatal("wrote after the end")
		}
		if err == nil && p.Supported() != nil {
			t.Fatal("decoded what is not supported")
		}
		if p.Check(prm) != nil {
			return
		}
		prm.Version, prm.Undated = 0, false // encoders write the newest version
		out, err := p.Forward(dst, tmp, src, prm)
		if err != nil {
			if prm.BlockShape == nil {
				t.Fatalf("%s passes Check but not Forward: %v", p, err)
			}
			return
		}
		if p.Lossy() {
			return
		}
		coded, back := bytes.Clone(out), make([]byte, len(src))
		if err := p.Backward(back, tmp, coded, prm); err != nil || !bytes.Equal(back, src) {
			t.Fatalf("%s, %+v: %x becomes %x, and back %x: %v", p, prm, src, coded, back, err)
		}
	})
}

// FuzzParse checks that a parsed pipeline is formatted as text that parses to the same
// pipeline.
func FuzzParse(f *testing.F) {
	for _, s := range append(lossless, "", "trunc_prec:-8", "1:2,,3", "none,none,36", "0:1,0") {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		defer b2test.Cost(t)()
		p, err := Parse(s)
		if err != nil {
			return
		}
		again, err := Parse(p.String())
		if err != nil || again != p {
			t.Fatalf("%q is spelled %q, which is %v, %v", s, p, again, err)
		}
	})
}
