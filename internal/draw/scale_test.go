package draw

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func labels(t Ticks) (all []string) {
	for _, tick := range t.List {
		all = append(all, oneLine(tick))
	}
	return all
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		s    Scale
		n    int
		want string
		note string
	}{
		{NewScale(0, 1, false), 5, "0 0.2 0.4 0.6 0.8 1.0", ""},
		{NewScale(-3, 17, false), 4, "0 5 10 15", ""},
		{NewScale(0, 1e6, false), 5, "0 0.2 0.4 0.6 0.8 1.0", "×10⁶"},
		{NewScale(0, 40000, false), 5, "0 10000 20000 30000 40000", ""},
		{NewScale(-1e-5, 1e-5, false), 4, "−10 −5 0 5 10", "×10⁻⁶"},
		{NewScale(1e9, 1e9+4, false), 4, "0 1 2 3 4", "+1,000,000,000"},
		{NewScale(1, 1000, true), 5, "1 10 100 1000", ""},
		{NewScale(0.5, 20, true), 8, "0.5 1 2 5 10 20", ""},
		{NewScale(1.2, 5, true), 5, "2 3 4 5", ""},
		{NewScale(1e-8, 1e8, true), 5, "10⁻⁸ 10⁻⁴ 1 10,000 10⁸", ""},
		{Scale{Lo: -0.5, Hi: 1.5, Whole: true}, 8, "0 1", ""},
		{Scale{Lo: -0.5, Hi: 2_000_000, Whole: true}, 4, "0 500,000 1,000,000 1,500,000 2,000,000", ""},
		{Scale{Lo: 0, Hi: 86400, Seconds: 1}, 4, "1970-01-01 00:00|06:00|12:00|18:00|1970-01-02 00:00", ""},
		{Scale{Lo: 0, Hi: 366, Seconds: 86400}, 4, "1970 Jan|Apr|Jul|Oct|1971 Jan", ""},
		{Scale{Lo: -40000, Hi: 20000, Seconds: 86400}, 6, "1900|1950|2000", ""},
	} {
		sep := " "
		if strings.Contains(c.want, "|") {
			sep = "|"
		}
		ticks := c.s.Ticks(c.n)
		if got := strings.Join(labels(ticks), sep); got != c.want || ticks.Note() != c.note {
			t.Errorf("%+v, %d: %q %q, want %q %q", c.s, c.n, got, ticks.Note(), c.want, c.note)
		}
	}
}

// FuzzTicks checks that ticks are on the scale and in order, that there are not too
// many, that their labels differ, and that each label agrees with the position of its
// tick.
func FuzzTicks(f *testing.F) {
	for _, c := range [][2]float64{{0, 1}, {1e9, 1e9 + 1e-3}, {-math.MaxFloat64, math.MaxFloat64}, {0, 5e-324}, {1.4e18, 1.401e18}, {-1, -1}, {1, 1 + 2e-16}, {3e-310, 1e308}} {
		for _, n := range []int{0, 1, 7, 50} {
			f.Add(c[0], c[1], n, false, false, 0.0)
			f.Add(c[0], c[1], n, true, false, 0.0)
			f.Add(c[0], c[1], n, false, true, 0.0)
			f.Add(c[0], c[1], n, false, false, 1.0)
		}
	}
	f.Fuzz(func(t *testing.T, lo, hi float64, n int, log, whole bool, seconds float64) {
		n = min(max(n, -5), 100)
		s := NewScale(lo, hi, log).Widen(0.05)
		s.Whole, s.Seconds = whole && !log, seconds
		if !finite(s.Lo) || !finite(s.Hi) || !(s.Lo < s.Hi) || log && s.Lo <= 0 {
			t.Fatalf("invalid scale %+v", s)
		}
		for _, v := range []float64{s.Lo, s.Hi} {
			if p := s.Place(v); !(p > -1e-9 && p < 1+1e-9) {
				t.Fatalf("%+v: %v is at %v", s, v, p)
			}
		}
		ticks := s.Ticks(n)
		if most := max(3*max(n, 1)+3, 200); len(ticks.List) > most {
			t.Fatalf("%+v: %d ticks", s, len(ticks.List))
		}
		last := math.Inf(-1)
		var seen []string
		for _, tick := range ticks.List {
			if !(tick.At >= s.Lo && tick.At <= s.Hi && tick.At > last) {
				t.Fatalf("%+v: ticks %v", s, ticks)
			}
			last = tick.At
			if tick.Sub == "" && seconds == 0 {
				if slices.Contains(seen, tick.Label) {
					t.Fatalf("%+v: labels %q", s, labels(ticks))
				}
				seen = append(seen, tick.Label)
				checkLabel(t, s, ticks, tick)
			}
		}
	})
}

// checkLabel checks that a label agrees with the position of its tick.
func checkLabel(t *testing.T, s Scale, ticks Ticks, tick Tick) {
	t.Helper()
	small := strings.ContainsAny(tick.Label, superscripts)
	text := strings.NewReplacer("−", "-", ",", "", "×10", "e", "⁻", "-").Replace(tick.Label)
	for i, d := range []rune(superscripts) {
		text = strings.ReplaceAll(text, string(d), strconv.Itoa(i))
	}
	if small && strings.HasPrefix(text, "10") {
		text = "1e" + text[2:]
	}
	v, err := strconv.ParseFloat(text+"e"+strconv.Itoa(ticks.Exp), 64)
	if strings.Contains(text, "e") {
		v, err = strconv.ParseFloat(text, 64)
	}
	if err != nil {
		t.Fatalf("%+v: label %q: %v", s, tick.Label, err)
	}
	if v += ticks.Offset; math.Abs(s.Place(v)-s.Place(tick.At)) > 0.01 {
		t.Fatalf("%+v: label %q of %v, offset %v, exp %d", s, tick.Label, tick.At, ticks.Offset, ticks.Exp)
	}
}

// The ticks of an axis are between its items, and at items if these have round numbers.
func TestAxisTicks(t *testing.T) {
	for _, c := range []struct {
		axis Axis
		n    int
		want string
	}{
		{Axis{Start: 0, Step: 5, N: 2}, 4, "0 5"},
		{Axis{Start: 0, Step: 5, N: 3}, 12, "0 5 10"},
		{Axis{Start: 10, Step: -5, N: 3}, 12, "0 5 10"},
		{Axis{Start: 0, Step: 7, N: 3}, 12, "0 7 14"},
		{Axis{Start: 0, Step: 5, N: 41}, 5, "0 50 100 150 200"},
		{Axis{Start: 0, Step: 5, N: 1}, 4, "0"},
		{Axis{Start: 1, Step: 6, N: 2}, 6, "2 4 6"},
		{Axis{Start: 1_001, Step: 700, N: 1}, 1, "1,001"},
		{Axis{Start: 11, Step: 6, N: 2}, 1, "11"},
		{Axis{Start: 0, Step: 1, N: 7}, 8, "0 1 2 3 4 5 6"},
	} {
		var got []string
		for _, tick := range c.axis.Scale().Ticks(c.n).List {
			got = append(got, tick.Label)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%+v: ticks %q, want %q", c.axis, got, c.want)
		}
	}
}
