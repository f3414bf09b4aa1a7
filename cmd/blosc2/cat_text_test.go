package main

import "testing"

func TestBeginsText(t *testing.T) {
	for _, c := range []struct {
		head string
		want bool
	}{
		{"line\r\n\tline\n", true},
		{"gr\u00f6\u00dfe", true},
		{"cut \xe2\x82", true}, // the beginning of a character of three bytes
		{"", false},
		{"\xe2", false},
		{"nul\x00", false},
		{"bell\a", false},
		{"invalid \xff", false},
		{"invalid \xe2\x82 within", false},
		{"overlong \xc0\x80", false},
	} {
		if got := beginsText([]byte(c.head)); got != c.want {
			t.Errorf("%q: %v", c.head, got)
		}
	}
}
