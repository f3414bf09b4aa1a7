package table

import "strconv"

// parseInt is like strconv.ParseInt in base 10, but faster for numbers of up to 18
// digits that fit.
func parseInt(s string, bits int) (int64, error) {
	digits := s
	if len(s) > 0 && s[0] == '-' {
		digits = s[1:]
	}
	if len(digits) == 0 || len(digits) > 18 {
		return strconv.ParseInt(s, 10, bits)
	}
	n := int64(0)
	for i := range len(digits) {
		c := digits[i] - '0'
		if c > 9 {
			return strconv.ParseInt(s, 10, bits)
		}
		n = n*10 + int64(c)
	}
	if len(digits) < len(s) {
		n = -n
	}
	if shift := 64 - bits; n<<shift>>shift != n {
		return strconv.ParseInt(s, 10, bits)
	}
	return n, nil
}

// parseFloat32 is like strconv.ParseFloat for 32 bits. It does not use parseFloat,
// which would round twice.
func parseFloat32(s string) (float32, error) {
	f, err := strconv.ParseFloat(s, 32)
	return float32(f), err
}

// parseFloat is like strconv.ParseFloat for 64 bits, but faster for numbers of up
// to 15 digits without an exponent: their digits and powers of ten are exact, so
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
