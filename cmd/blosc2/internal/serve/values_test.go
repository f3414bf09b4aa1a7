package serve

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/item"
)

// The fast conversions return the same numbers as package item, and append them.
func TestConverters(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	b := make([]byte, 8*101)
	for i := 0; i < len(b); i += 8 {
		binary.LittleEndian.PutUint64(b[i:], rng.Uint64())
	}
	for _, text := range []string{"?", "i1", "u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8", "<f2", "<f4", "<f8", ">i2", ">f4", ">f8", "<M8[s]"} {
		d := parseType(t, text)
		convert, err := converterOf(d, "abs")
		if err != nil {
			t.Fatal(err)
		}
		got := convert([]float64{7}, b)
		if len(got) != 1+len(b)/d.Size || got[0] != 7 {
			t.Fatalf("%s: %d numbers", text, len(got))
		}
		for i, v := range got[1:] {
			want, _ := item.Number(d, b[i*d.Size:(i+1)*d.Size])
			if v != want && !(math.IsNaN(v) && math.IsNaN(want)) {
				t.Errorf("%s: item %d is %v, want %v", text, i, v, want)
			}
		}
	}
	for _, text := range []string{"S3", "V2", "[('a', '<i4')]", "<c32"} {
		if _, err := converterOf(parseType(t, text), "abs"); statusIs(err) != 400 {
			t.Errorf("%s: %v", text, err)
		}
	}
}
