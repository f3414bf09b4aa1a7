package remote

import (
	"fmt"
	"testing"
)

func TestContentRange(t *testing.T) {
	for _, s := range []string{"", "bytes", "bytes 0-0", "bytes 0-0/*", "bytes */100", "bytes 5-4/10", "bytes 0-10/10", "bytes -1-3/10", "bytes +0-3/10",
		"bytes 0-9223372036854775807/9223372036854775807", "bytes 0-99999999999999999999/1", "items 0-1/2", "bytes 0-1/ 2", "bytes 0-/2", "bytes -/"} {
		if from, to, size, err := ParseContentRange(s); err == nil {
			t.Errorf("%q: %d, %d, %d", s, from, to, size)
		}
	}
	if from, to, size, err := ParseContentRange("bytes 5-9/10"); from != 5 || to != 10 || size != 10 || err != nil {
		t.Error(from, to, size, err)
	}
}

func FuzzContentRange(f *testing.F) {
	for _, s := range []string{"bytes 0-65535/100000", "bytes 5-9/*", "bytes */0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		from, to, size, err := ParseContentRange(s)
		if err != nil {
			return
		}
		if from < 0 || from >= to || to > size {
			t.Errorf("%q: %d, %d, %d", s, from, to, size)
		}
		if again, b, c, err := ParseContentRange(fmt.Sprintf("bytes %d-%d/%d", from, to-1, size)); again != from || b != to || c != size || err != nil {
			t.Errorf("%q is not what it was", s)
		}
	})
}

func FuzzReason(f *testing.F) {
	f.Add([]byte("<Error><Code>NoSuchKey</Code><Message>The specified key does not exist.</Message></Error>"))
	f.Add([]byte("slow\ndown"))
	f.Fuzz(func(t *testing.T, b []byte) {
		line := oneLine(reason(b))
		for _, r := range line {
			if r < ' ' {
				t.Errorf("%q", line)
			}
		}
	})
}
