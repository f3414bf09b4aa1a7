package items

import (
	"slices"
	"testing"

	"github.com/seed03b80dae/blosc2/meta"
)

func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		dtype string
		items string
		want  float64
	}{
		{"|b1", "\x01", 1}, {"|u1", "\xff", 255}, {"|i1", "\xff", -1},
		{"<i2", "\xfe\xff", -2}, {">i2", "\xff\xfe", -2}, {"<u2", "\x01\x02", 0x201}, {">u2", "\x01\x02", 0x102},
		{"<i4", "\xfe\xff\xff\xff", -2}, {">u4", "\x80\x00\x00\x01", 1<<31 + 1},
		{"<i8", "\xfe\xff\xff\xff\xff\xff\xff\xff", -2}, {">u8", "\x80\x00\x00\x00\x00\x00\x00\x00", 1 << 63},
		{"<f4", "\x00\x00\xc0\xbf", -1.5}, {">f4", "\xbf\xc0\x00\x00", -1.5},
		{"<f8", "\x00\x00\x00\x00\x00\x00\xf8\xbf", -1.5}, {">f8", "\xbf\xf8\x00\x00\x00\x00\x00\x00", -1.5},
	} {
		d, err := meta.ParseDType(c.dtype)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{0, 1, 64, 65, 200} {
			got := make([]float64, n)
			if !Numbers(got, slices.Repeat([]byte(c.items), n), d) || !slices.Equal(got, slices.Repeat([]float64{c.want}, n)) {
				t.Errorf("%d items of %s: %v", n, c.dtype, got)
			}
		}
	}
	for _, text := range []string{"<f2", "<c8", "|S1", "<M8[s]", "|V8"} {
		if d, err := meta.ParseDType(text); err != nil || Numbers([]float64{0}, make([]byte, 8), d) {
			t.Errorf("%s: converted, or %v", text, err)
		}
	}
}
