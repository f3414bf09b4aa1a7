package draw

import (
	"math"
	"strings"
	"unicode/utf8"
)

// widths holds the advance widths of the characters from space to tilde in
// thousandths of the size: those of the Go fonts, which equal those of Helvetica
// and Arial with few exceptions.
var (
	regularWidths = [...]int{
		278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 584, 584, 316, 278, 316, 278, 556, 556, 556, 556, 556, 556, 556, 556, 556, 556,
		306, 306, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 399, 496, 667, 556, 833, 722, 778, 667, 778, 722, 667,
		611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 247, 253, 500, 268, 833,
		556, 556, 556, 556, 333, 500, 283, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
	}
	boldWidths = [...]int{
		278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 558, 584, 278, 584, 278, 278, 556, 556, 556, 556, 556, 556, 556, 556, 556, 556,
		333, 333, 584, 584, 584, 611, 975, 722, 722, 722, 722, 667, 611, 778, 722, 453, 556, 722, 611, 833, 722, 778, 667, 778, 722, 667,
		611, 722, 667, 944, 667, 667, 611, 333, 278, 333, 584, 556, 333, 556, 611, 556, 611, 556, 333, 611, 611, 289, 288, 556, 298, 889,
		611, 611, 611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584,
	}
)

// slack is the factor by which the characters of other fonts may be wider in a
// viewer of an SVG file; those of DejaVu Sans are among the widest.
const slack = 1.14

// TextWidth returns the width that a line of text needs in common fonts. Characters
// outside ASCII are assumed to be as wide as a digit, those of East Asia and the
// ellipsis as wide as they are high.
func TextWidth(s string, size float64, bold bool) float64 {
	widths, sum := &regularWidths, 0
	if bold {
		widths = &boldWidths
	}
	for _, r := range s {
		switch {
		case r >= ' ' && r <= '~':
			sum += widths[r-' ']
		case strings.ContainsRune(superscripts, r) || r == '⁻':
			sum += 460
		case r == '…' || r == '—' || r >= 0x1100 && r < 0x2000 || r >= 0x2e80:
			sum += 1000
		default:
			sum += 600
		}
	}
	return float64(sum) / 1000 * size * slack
}

// cut shortens a text to a width.
func cut(s string, width, size float64, bold bool) string {
	width += 0.01 // allow for rounding in sums of widths
	if TextWidth(s, size, bold) <= width {
		return s
	}
	for s != "" {
		_, n := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-n]
		if t := strings.TrimRight(s, " ") + "…"; TextWidth(t, size, bold) <= width {
			return t
		}
	}
	return ""
}

// cutMiddle shortens a text to a width and keeps its beginning and its end.
func cutMiddle(s string, width, size float64, bold bool) string {
	width += 0.01
	if TextWidth(s, size, bold) <= width {
		return s
	}
	r := []rune(s)
	for n := len(r) - 1; n > 1; n-- {
		head := (n + 1) / 2
		if t := string(r[:head]) + "…" + string(r[len(r)-(n-head):]); TextWidth(t, size, bold) <= width {
			return t
		}
	}
	return cut(s, width, size, bold)
}

const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹"

// power returns 10ⁿ as text.
func power(n int) string {
	text := "10"
	if n < 0 {
		text += "⁻"
	}
	digits := []rune(superscripts)
	for _, d := range itoa(int(math.Abs(float64(n)))) {
		text += string(digits[d-'0'])
	}
	return text
}
