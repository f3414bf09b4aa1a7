package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A size is a number of bytes on the command line: 1000, 64K, 1M, 2G (powers
// of 1024; "KiB" and "KB" mean the same).
type size int64

// UnmarshalText parses a size.
func (s *size) UnmarshalText(text []byte) error {
	word := strings.ToUpper(string(text))
	word = strings.TrimSuffix(strings.TrimSuffix(word, "B"), "I")
	shift := 0
	if n := len(word); n > 0 {
		if i := strings.IndexByte("KMG", word[n-1]); i >= 0 {
			shift, word = 10*(i+1), word[:n-1]
		}
	}
	n, err := strconv.ParseInt(word, 10, 64)
	if err != nil || n < 0 || n > math.MaxInt64>>shift {
		return fmt.Errorf("size %q: must be a number, with K, M or G for a larger unit", text)
	}
	*s = size(n << shift)
	return nil
}

// commas formats n with commas between thousands.
func commas(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// count formats a number and the name of what it counts, in the plural if necessary.
func count(n int64, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return commas(n) + " " + thing
}

// unfilled describes the n bytes at the end that are less than an item.
func unfilled(n int64) string {
	if n == 1 {
		return "last byte does not fill an item"
	}
	return fmt.Sprintf("last %s bytes do not fill an item", commas(n))
}
