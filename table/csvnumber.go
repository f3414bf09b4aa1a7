package table

import "strconv"

// parseFloat is strconv.ParseFloat for 64 bits, faster for numbers of up to 15
// digits without an exponent: their digits and powers of ten are exact, and so
// their quotient is rounded once.
func parseFloat(s string) (float64, error) {
	mantissa, digits, frac, point := uint64(0), 0, 0, false
	i := 0
	if len(s) > 0 && s[0] == '-' {
		i = 1
	}
	for ; i < len(s); i++ {
		c := s[i] - '0'
		switch {
		case c <= 9:
			mantissa = mantissa*10 + uint64(c)
			if digits++; point {
				frac++
			}
		case s[i] == '.' && !point:
			point = true
		default:
			return strconv.ParseFloat(s, 64)
		}
	}
	if digits == 0 || digits > 15 {
		return strconv.ParseFloat(s, 64)
	}
	f := float64(mantissa) / powers[frac]
	if s[0] == '-' {
		f = -f
	}
	return f, nil
}

var powers = [16]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}
