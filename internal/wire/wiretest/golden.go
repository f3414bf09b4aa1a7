// Package wiretest compares bytes with annotated hex dumps: golden files in which every
// field of a layout is on a separate line, with its offset and its meaning. So a change
// of a layout can be read in a diff.
package wiretest

import (
	"encoding/binary"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// Golden compares b with the dump in testdata/name.golden, and returns the dump's
// bytes. meanings holds those of the fields, in order; order is the byte order of
// numbers.
func Golden(t *testing.T, name string, b []byte, order binary.ByteOrder, meanings ...string) []byte {
	t.Helper()
	file := filepath.Join("testdata", name+".golden")
	got := Dump(b, order, meanings...)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != got {
		t.Errorf("%s is\n%s\nwant\n%s", name, got, text)
	}
	return Parse(t, string(text))
}

// Parse reads the bytes of a dump.
func Parse(t testing.TB, text string) (b []byte) {
	t.Helper()
	for line := range strings.Lines(text) {
		_, line, _ := strings.Cut(line, ": ")
		digits, _, _ := strings.Cut(line, "#")
		field, err := hex.DecodeString(strings.Join(strings.Fields(digits), ""))
		if err != nil {
			t.Fatal(err)
		}
		b = append(b, field...)
	}
	return b
}

// Dump writes one line for each field of b: its offset, its bytes, its meaning
// and, of a number, its value.
func Dump(b []byte, order binary.ByteOrder, meanings ...string) string {
	var out strings.Builder
	for at := 0; at < len(b); {
		n := min(fieldLen(b[at:], order), len(b)-at)
		meaning := "?"
		if len(meanings) > 0 {
			meaning, meanings = meanings[0], meanings[1:]
		}
		field := b[at : at+n]
		fmt.Fprintf(&out, "%4d: % -53x # %s%s\n", at, field[:min(n, 18)], meaning, value(field, order))
		for rest := 18; rest < n; rest += 18 {
			fmt.Fprintf(&out, "%4d: % x\n", at+rest, field[rest:min(n, rest+18)])
		}
		at += n
	}
	return out.String()
}

// fieldLen returns the length of the msgpack value at the beginning of b, if frames
// hold such values; for arrays and maps, the length of the lead bytes.
func fieldLen(b []byte, order binary.ByteOrder) int {
	switch lead := b[0]; {
	case lead >= 0xa1 && lead <= 0xbf:
		return 1 + int(lead-0xa0)
	case lead == 0xcd || lead == 0xd1 || lead == 0xdc || lead == 0xde:
		return 3
	case lead == 0xce || lead == 0xd2:
		return 5
	case lead == 0xcf || lead == 0xd3:
		return 9
	case lead == 0xd8:
		return 18
	case (lead == 0xc6 || lead == 0xdb) && len(b) >= 5:
		return 5 + int(order.Uint32(b[1:]))
	}
	return 1
}

// value returns the number or string in a field.
func value(field []byte, order binary.ByteOrder) string {
	switch lead := field[0]; {
	case lead == 0xcd || lead == 0xd1 || lead == 0xdc || lead == 0xde:
		return fmt.Sprintf(" = %d", int16(order.Uint16(field[1:])))
	case lead == 0xce || lead == 0xd2:
		return fmt.Sprintf(" = %d", int32(order.Uint32(field[1:])))
	case lead == 0xcf || lead == 0xd3:
		return fmt.Sprintf(" = %d", int64(order.Uint64(field[1:])))
	case lead == 0xdb:
		return fmt.Sprintf(" = %q", field[5:])
	case lead > 0xa4 && lead <= 0xbf:
		return fmt.Sprintf(" = %q", field[1:])
	}
	return ""
}
