package table

import (
	"encoding/csv"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Lines are split as encoding/csv does, also where fields are quoted.
func TestCSVLines(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	words := []string{"", "a", "bc", "1234567", "12345678", "ünï", "x\ty", " ", "a,b", "a\nb", `a"b`, `"`, "\n\n", ","}
	for range 3000 {
		var text strings.Builder
		quotes := r.IntN(3) > 0
		var last int64
		for range 1 + r.IntN(20) {
			for i := range 1 + r.IntN(6) {
				if i > 0 {
					text.WriteByte(',')
				}
				w := words[r.IntN(8)]
				if quotes && r.IntN(4) == 0 {
					w = `"` + strings.ReplaceAll(words[r.IntN(len(words))], `"`, `""`) + `"`
				}
				text.WriteString(w)
			}
			text.WriteString([]string{"\n", "\r\n"}[r.IntN(2)])
		}
		last = int64(strings.Count(text.String(), "\n"))
		all := text.String()
		if r.IntN(2) == 0 {
			all = strings.TrimRight(all, "\r\n")
		}
		want := csv.NewReader(strings.NewReader(all))
		want.FieldsPerRecord = -1
		var c csvText
		c.set([]byte(all), 0)
		for {
			record, err1 := want.Read()
			fields, err2 := c.line(nil)
			if err1 == io.EOF && err2 == io.EOF {
				break
			}
			var got []string
			for _, f := range fields {
				got = append(got, string(c.of(f)))
			}
			if err1 != nil || err2 != nil || !slices.Equal(got, record) {
				t.Fatalf("%q: %q, %v, want %q, %v", all, got, err2, record, err1)
			}
		}
		if c.lines > last {
			t.Fatalf("%q: %d lines, want %d", all, c.lines, last)
		}
	}
}
