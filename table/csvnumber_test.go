package table

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

// parseFloat returns the same as strconv, for numbers of every length.
func TestParseFloat(t *testing.T) {
	check := func(s string) {
		got, err1 := parseFloat(s)
		want, err2 := strconv.ParseFloat(s, 64)
		if math.Float64bits(got) != math.Float64bits(want) || (err1 == nil) != (err2 == nil) {
			t.Errorf("%q: %v, %v, want %v, %v", s, got, err1, want, err2)
		}
	}
	for _, s := range []string{"", "-", ".", "-.", "0", "-0", "-0.0", "5.", ".5", "1.2.3", "1e5", "NaN", "+1", "--1", "1_0", "0x1p3", "999999999999999", "9999999999999999", "0.000000000000001", " 1", "inf"} {
		check(s)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 100000 {
		check(strconv.FormatFloat(r.NormFloat64()*math.Pow(10, float64(r.IntN(12))), 'f', r.IntN(12), 64))
	}
}

// parseInt returns the same as strconv.
func TestParseInt(t *testing.T) {
	for _, bits := range []int{8, 16, 32, 64} {
		for _, s := range []string{"", "-", "+1", "0", "-0", "007", "127", "128", "-128", "-129", "32767", "32768", "2147483648", "-2147483648", "999999999999999999", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "1_0", "1a", " 1", "0x1"} {
			got, err1 := parseInt(s, bits)
			want, err2 := strconv.ParseInt(s, 10, bits)
			if (err1 == nil) != (err2 == nil) || err1 == nil && got != want {
				t.Errorf("%q in %d bits: %d, %v, want %d, %v", s, bits, got, err1, want, err2)
			}
		}
	}
}
