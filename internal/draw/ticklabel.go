package draw

import (
	"math"
	"strconv"
)

// formatTick formats v·10^-exp with a number of digits after the point.
func formatTick(v float64, exp, digits int, commas bool) string {
	if v == 0 {
		return "0"
	}
	// Format the digits of v itself, because a division would round them.
	text := strconv.FormatFloat(v, 'e', -1, 64)
	m, e, _ := cutExponent(text)
	scaled, err := strconv.ParseFloat(m+"e"+strconv.Itoa(e-exp), 64)
	if err != nil {
		return text
	}
	out := strconv.FormatFloat(scaled, 'f', min(digits, 15), 64)
	if commas && digits == 0 {
		return thousands(out)
	}
	return minus(out)
}

func cutExponent(text string) (mantissa string, exp int, ok bool) {
	for i := range text {
		if text[i] == 'e' {
			exp, err := strconv.Atoi(text[i+1:])
			return text[:i], exp, err == nil
		}
	}
	return text, 0, false
}

// minus replaces a hyphen at the beginning with a minus sign.
func minus(s string) string {
	if s != "" && s[0] == '-' {
		return "−" + s[1:]
	}
	return s
}

// thousands puts commas into a whole number.
func thousands(s string) string {
	sign := ""
	if s != "" && s[0] == '-' {
		sign, s = "−", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

func formatOffset(v float64) string {
	if a := math.Abs(v); a < 1e15 && a >= 1 && v == math.Trunc(v) {
		return thousands(strconv.FormatFloat(v, 'f', 0, 64))
	}
	return minus(strconv.FormatFloat(v, 'g', -1, 64))
}
