package deflate

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// goldenInput is two planes: a sawtooth over a few values with a run in it, and
// bytes that all differ.
func goldenInput() []byte {
	data := make([]byte, 2<<10)
	for i := range 1 << 10 {
		data[i] = byte(i*i>>6) & 7
		if i >= 300 && i < 900 {
			data[i] = 0xff
		}
		data[1<<10+i] = byte(i*167 ^ i>>3*59)
	}
	return data
}

// TestGolden compares streams, bit for bit and with what the bits mean, with
// testdata/*.txt.
func TestGolden(t *testing.T) {
	var e Encoder
	dst := make([]byte, 4<<10)
	for name, data := range map[string][]byte{
		"planes": goldenInput(),
		"fixed":  []byte("planes of planes of planes"),
		"empty":  nil,
	} {
		n := e.Encode(dst, data, 2, Level(5, 2))
		if err := same(dst[:n], data); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got := describe(dst[:n])
		file := filepath.Join("testdata", name+".txt")
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s is now\n%s\nbut was\n%s", name, got, want)
		}
	}
}

// A dump reads bits slowly and prints their meaning.
type dump struct {
	strings.Builder
	b  []byte
	at int // position of the next bit
}

func (d *dump) take(n int) int {
	v := 0
	for i := range n {
		v |= int(d.b[d.at>>3]>>(d.at&7)&1) << i
		d.at++
	}
	return v
}

// line prints the bits from start in the order of the stream.
func (d *dump) line(start int, format string, args ...any) {
	var bits strings.Builder
	for i := start; i < d.at && i < start+28; i++ {
		bits.WriteByte('0' + d.b[i>>3]>>(i&7)&1)
	}
	if d.at > start+28 {
		bits.WriteString("…")
	}
	fmt.Fprintf(d, "%6d  %-30s %s\n", start, bits.String(), fmt.Sprintf(format, args...))
}

// symbol reads one symbol of a code, which is determined by its lengths.
func (d *dump) symbol(lengths []uint8) int {
	code, first := 0, 0
	for l := uint8(1); ; l++ {
		code = code<<1 | d.take(1)
		first <<= 1
		for s, have := range lengths {
			if have == l {
				if first == code {
					return s
				}
				first++
			}
		}
	}
}

func describe(stream []byte) string {
	d := dump{b: stream}
	for last := false; !last; {
		start := d.at
		last = d.take(1) == 1
		kind := d.take(2)
		d.line(start, "%s block, last: %v", []string{"stored", "fixed", "dynamic"}[kind], last)
		literals, distances := append(fixedLiterals.lengths[:numLiterals:numLiterals], 8, 8), fixedDistances.lengths[:numDistances]
		switch kind {
		case stored:
			d.at = (d.at + 7) &^ 7
			start = d.at
			n := d.take(16)
			d.take(16)
			d.line(start, "%d bytes, and the complement", n)
			start = d.at
			d.at += 8 * n
			d.line(start, "% x …", stream[start/8:start/8+8])
			continue
		case dynamic:
			literals, distances = d.tables()
		}
		d.tokens(literals, distances)
	}
	fmt.Fprintf(&d, "%6d  end, in %d bytes\n", d.at, len(stream))
	return d.String()
}

func (d *dump) tables() (literals, distances []uint8) {
	start := d.at
	nl, nd, nc := d.take(5)+257, d.take(5)+1, d.take(4)+4
	d.line(start, "%d literals and lengths, %d distances, %d lengths of codes", nl, nd, nc)
	var of [19]uint8
	start = d.at
	for _, s := range lengthOrder[:nc] {
		of[s] = uint8(d.take(3))
	}
	d.line(start, "bits of lengths 0 to 18: %d", of)
	start = d.at
	var all []uint8
	for len(all) < nl+nd {
		times, value := 1, uint8(0)
		switch s := d.symbol(of[:]); s {
		case 16:
			times, value = 3+d.take(2), all[len(all)-1]
		case 17:
			times = 3 + d.take(3)
		case 18:
			times = 11 + d.take(7)
		default:
			value = uint8(s)
		}
		for range times {
			all = append(all, value)
		}
	}
	d.line(start, "%d lengths", nl+nd)
	for s, l := range all {
		switch {
		case l == 0:
		case s < endOfBlock:
			fmt.Fprintf(d, "%40s literal %02x: %d bits\n", "", s, l)
		case s < nl:
			fmt.Fprintf(d, "%40s symbol %d: %d bits\n", "", s, l)
		default:
			fmt.Fprintf(d, "%40s distance symbol %d: %d bits\n", "", s-nl, l)
		}
	}
	return all[:nl], all[nl:]
}

func (d *dump) tokens(literals, distances []uint8) {
	var run []byte
	begin := d.at
	flush := func(to int) {
		if len(run) > 0 {
			after := d.at
			d.at = to
			d.line(begin, "literals % x", run)
			d.at, run = after, nil
		}
	}
	for {
		start := d.at
		s := d.symbol(literals)
		if s < endOfBlock {
			if len(run) == 0 {
				begin = start
			}
			run = append(run, byte(s))
			continue
		}
		flush(start)
		if s == endOfBlock {
			d.line(start, "end of the block")
			return
		}
		length := int(lengthBase[s-firstLength]) + d.take(int(lengthExtra[s-firstLength]))
		ds := d.symbol(distances)
		distance := 1
		for _, x := range distanceExtra[:ds] {
			distance += 1 << x
		}
		distance += d.take(int(distanceExtra[ds]))
		d.line(start, "%d bytes from %d before", length, distance)
	}
}
