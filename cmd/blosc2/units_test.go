package main

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestSize(t *testing.T) {
	for word, want := range map[string]size{"0": 0, "1000": 1000, "64K": 64 << 10, "64k": 64 << 10, "1M": 1 << 20, "2GiB": 2 << 30, "3MB": 3 << 20, "7B": 7} {
		var got size
		if err := got.UnmarshalText([]byte(word)); err != nil || got != want {
			t.Errorf("%s: %d, %v; want %d", word, got, err, want)
		}
	}
	for _, word := range []string{"", "K", "-1", "1T", "1.5M", "9999999999G", "x"} {
		var got size
		if err := got.UnmarshalText([]byte(word)); err == nil {
			t.Errorf("%q was taken for %d", word, got)
		}
	}
}

func TestCommas(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 931392: "931,392", -1234567: "-1,234,567"} {
		if got := commas(n); got != want {
			t.Errorf("commas(%d) = %s, want %s", n, got, want)
		}
	}
}

func TestNames(t *testing.T) {
	for _, c := range []struct{ in, suffix, want string }{
		{"-", frameSuffix, "-"},
		{"t2m.f4", frameSuffix, "t2m.f4.b2frame"},
		{"dir.npy/x.npy", arraySuffix, "dir.npy/x.b2nd"},
		{"x.f4", arraySuffix, "x.f4.b2nd"},
		{"x.npy", frameSuffix, "x.npy.b2frame"},
	} {
		if got := compressedName(c.in, c.suffix); got != c.want {
			t.Errorf("compressedName(%s, %s) = %s, want %s", c.in, c.suffix, got, c.want)
		}
	}
	for _, c := range []struct{ in, add, want string }{
		{"-", "", "-"},
		{"t2m.f4.b2frame", "", "t2m.f4"},
		{"dir/t2m.b2frame/", "", "dir/t2m"},
		{"x.b2nd", npySuffix, "x.npy"},
		{"x.b2nd", "", "x"},
		{"x.npy.b2nd", npySuffix, "x.npy"},
		{"c.b2chunk", "", "c"},
		{"x.f4", "", ""},
		{".b2frame", "", ""},
		{"dir/.b2frame", "", ""},
	} {
		got, err := decompressedName(c.in, c.add)
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("decompressedName(%s, %q) = %q, %v; want %q", c.in, c.add, got, err, c.want)
		}
	}
}

func TestSuffixTypeSize(t *testing.T) {
	for name, want := range map[string]int{"a.f4": 4, "dir.f8/a.i8": 8, "a.u2": 2, "a.c16": 16, "a.b1": 1, "a.f2": 2} {
		if got, ok := suffixTypeSize(name); !ok || got != want {
			t.Errorf("%s: %d, %v; want %d", name, got, ok, want)
		}
	}
	for _, name := range []string{"a", "a.txt", "a.f3", "a.i16", "log.1", "a.f4.gz", "f4", "dir.f4/a"} {
		if got, ok := suffixTypeSize(name); ok {
			t.Errorf("%s: %d", name, got)
		}
	}
}

func TestGuessTypeSize(t *testing.T) {
	var f4, i8 []byte
	for i := range 20000 {
		f4 = binary.LittleEndian.AppendUint32(f4, math.Float32bits(280+10*float32(math.Sin(float64(i)/50))))
		i8 = binary.LittleEndian.AppendUint64(i8, uint64(1_550_000_000_000_000_000+int64(i)*60_000_000_000))
	}
	for _, c := range []struct {
		what   string
		sample []byte
		want   int
	}{
		{"float32", f4, 4},
		{"int64", i8, 8},
		{"text", []byte(strings.Repeat("a line of text, and another one\n", 1000)), 1},
		{"zeros", make([]byte, 1000), 1},
		{"nothing", nil, 1},
		{"three bytes", []byte{1, 2, 3}, 1},
	} {
		if got, err := new(guesser).guess(c.sample); err != nil || got != c.want {
			t.Errorf("%s: %d, %v; want %d", c.what, got, err, c.want)
		}
	}
}

func TestBarLine(t *testing.T) {
	b := &bar{what: "t2m.f4", total: 4e6, elapsed: time.Second, rate: 1e6}
	got := b.line(1e6, 1e6, 4e5, 79)
	for _, part := range []string{"t2m.f4  [==", " 25 %", "3s left", "1.00 MB/s", "ratio 2.50", "1.00 MB "} {
		if !strings.Contains(got, part) {
			t.Errorf("no %q in %q", part, got)
		}
	}
	if got := b.line(1e6, 1e6, 4e5, 39); !strings.Contains(got, " 25 %") || !strings.Contains(got, "3s left") {
		t.Errorf("in 39 columns: %q", got)
	}
	for _, width := range []int{0, 1, 20, 40, 80, 120, 200} {
		if got := b.line(3e6, 3e6, 1e6, width); len(got) > width {
			t.Errorf("%d columns where there are %d: %q", len(got), width, got)
		}
	}
}

// The valid beginning of a failed output is kept, unless it would replace a file.
func TestPartReplacesNothing(t *testing.T) {
	for _, exists := range []bool{false, true} {
		dir := t.TempDir()
		final, want := filepath.Join(dir, "out"), "the beginning"
		if exists {
			want = "all of it"
			if err := os.WriteFile(final, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		f, err := os.CreateTemp(dir, "")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString("the beginning"); err != nil {
			t.Fatal(err)
		}
		o := &output{File: f, final: final, tmp: f.Name(), keep: true, force: true}
		o.discard()
		if got, err := os.ReadFile(final); err != nil || string(got) != want {
			t.Errorf("%q, %v; want %q", got, err, want)
		}
		if left, _ := os.ReadDir(dir); len(left) != 1 {
			t.Errorf("%d files are left", len(left))
		}
	}
}
