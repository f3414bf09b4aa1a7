package table

import (
	"fmt"
	"math/bits"
	"time"
)

// timeLayouts are the accepted forms of timestamps.
var timeLayouts = []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999", "2006-01-02"}

// parseTime parses a time or a number, and returns it in units since 1970. unit is the
// length of a unit in nanoseconds.
func parseTime(text string, unit int64) (int64, error) {
	s, ns, ok := parseDate(text)
	if !ok {
		if n, err := parseInt(text, 64); err == nil {
			return n, nil
		}
		if s, ns, ok = parseLayouts(text); !ok {
			return 0, fmt.Errorf("%q is not a time", text)
		}
	}
	n, ok := unitsOf(s, ns, unit)
	if !ok {
		return 0, fmt.Errorf("%q is too far from 1970 for the unit", text)
	}
	return n, nil
}

// unitsOf converts s seconds and ns nanoseconds to units of unit nanoseconds, rounded
// down. ok is false if the result overflows 64 bits.
func unitsOf(s, ns, unit int64) (n int64, ok bool) {
	per, rest := int64(1e9)/unit, ns/unit
	if s < 0 { // otherwise s alone might overflow
		s, rest = s+1, rest-per
	}
	high, low := bits.Mul64(uint64(s), uint64(per))
	if s < 0 {
		high -= uint64(per)
	}
	n = int64(low)
	if high != uint64(n>>63) {
		return 0, false
	}
	sum := n + rest
	return sum, (sum >= n) == (rest >= 0)
}

// parseLayouts parses a time in any of the layouts.
func parseLayouts(text string) (s, ns int64, ok bool) {
	for _, layout := range timeLayouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t.Unix(), int64(t.Nanosecond()), true
		}
	}
	return 0, 0, false
}

// parseDate is a faster parseLayouts for the most common forms: a date, or a date
// and time with at most nine fractional digits, and with "Z", an offset or neither.
// It rejects all others.
func parseDate(text string) (s, ns int64, ok bool) {
	if len(text) < 10 || text[4] != '-' || text[7] != '-' {
		return 0, 0, false
	}
	year, ok1 := digits(text, 0, 4)
	month, ok2 := digits(text, 5, 2)
	day, ok3 := digits(text, 8, 2)
	if !ok1 || !ok2 || !ok3 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month) {
		return 0, 0, false
	}
	s = 86400 * daysOf(year, month, day)
	if len(text) == 10 {
		return s, 0, true
	}
	if len(text) < 19 || text[10] != 'T' && text[10] != ' ' || text[13] != ':' || text[16] != ':' {
		return 0, 0, false
	}
	hour, ok1 := digits(text, 11, 2)
	minute, ok2 := digits(text, 14, 2)
	second, ok3 := digits(text, 17, 2)
	if !ok1 || !ok2 || !ok3 || hour > 23 || minute > 59 || second > 59 {
		return 0, 0, false
	}
	s += 3600*hour + 60*minute + second
	rest := text[19:]
	if len(rest) > 1 && rest[0] == '.' {
		n := 1
		for ; n < len(rest) && n < 10 && rest[n]-'0' <= 9; n++ {
			ns = 10*ns + int64(rest[n]-'0')
		}
		if n == 1 {
			return 0, 0, false
		}
		rest = rest[n:]
		for ; n < 10; n++ {
			ns *= 10
		}
	}
	switch {
	case rest == "" || rest == "Z":
		return s, ns, true
	case len(rest) == 6 && rest[3] == ':' && (rest[0] == '+' || rest[0] == '-'):
		hour, ok1 := digits(rest, 1, 2)
		minute, ok2 := digits(rest, 4, 2)
		if !ok1 || !ok2 || hour > 23 || minute > 59 {
			return 0, 0, false
		}
		if offset := 3600*hour + 60*minute; rest[0] == '+' {
			s -= offset
		} else {
			s += offset
		}
		return s, ns, true
	}
	return 0, 0, false
}

// digits parses the n digits of s at index at.
func digits(s string, at, n int) (v int64, ok bool) {
	for _, c := range []byte(s[at : at+n]) {
		if c -= '0'; c > 9 {
			return 0, false
		} else {
			v = 10*v + int64(c)
		}
	}
	return v, true
}

// daysIn returns the number of days of a month.
func daysIn(year, month int64) int64 {
	switch {
	case month == 2 && year%4 == 0 && (year%100 != 0 || year%400 == 0):
		return 29
	case month == 2:
		return 28
	case month == 4 || month == 6 || month == 9 || month == 11:
		return 30
	}
	return 31
}

// daysOf returns the days from 1970 to a date of the Gregorian calendar. It counts
// years from March, so that a leap day is the last day of its year.
func daysOf(year, month, day int64) int64 {
	year, month = year+400, month-3 // add 400 years, of 146,097 days, so that nothing is negative
	if month < 0 {
		year, month = year-1, month+12
	}
	return 365*year + year/4 - year/100 + year/400 + (153*month+2)/5 + day - 1 - 146097 - 719468
}
