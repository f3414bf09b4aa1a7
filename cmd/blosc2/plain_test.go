package main

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/meta"
)

// Windows of a plain file hold the same items as a loop over all of them selects.
func TestPlainRead(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		shape := make([]int64, 1+rnd.IntN(4))
		n := int64(1)
		for d := range shape {
			shape[d] = 1 + rnd.Int64N(7)
			n *= shape[d]
		}
		data := make([]byte, 2*n)
		for i := range data {
			data[i] = byte(rnd.Uint32())
		}
		w := b2nd.All(shape)
		for d := range w {
			w[d].Start = rnd.Int64N(shape[d])
			w[d].Stop = w[d].Start + 1 + rnd.Int64N(shape[d]-w[d].Start)
			w[d].Step = 1 + rnd.Int64N(3)
		}
		var want []byte
		at := make([]int64, len(shape))
		for i := range n {
			rest, inside := i, true
			for d := len(shape) - 1; d >= 0; d-- {
				at[d] = rest % shape[d]
				rest /= shape[d]
				inside = inside && at[d] >= w[d].Start && at[d] < w[d].Stop && (at[d]-w[d].Start)%w[d].Step == 0
			}
			if inside {
				want = append(want, data[2*i:2*i+2]...)
			}
		}
		p := &plainFile{shape: shape, dtype: meta.DType{Kind: meta.Uint, Order: '<', Size: 2}, src: bytes.NewReader(data)}
		got := make([]byte, len(want))
		if err := p.read(got, w); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("shape %v, window %v: %x, %v; want %x", shape, w, got, err, want)
		}
	}
}

// The metalayers of the command may hold any bytes without causing a panic.
func FuzzLayers(f *testing.F) {
	w := parseWAV(bytes.NewReader(wavBytes(1, 3)), int64(len(wavBytes(1, 3))))
	sound, err := w.layer()
	if err != nil {
		f.Fatal(err)
	}
	member, err := npzMember{3, true}.layer()
	if err != nil {
		f.Fatal(err)
	}
	table, err := (&csvTable{comma: ';', header: []string{"a", "b"}, empty: true}).layer()
	if err != nil {
		f.Fatal(err)
	}
	for _, l := range []meta.Layer{sound, member, table} {
		f.Add(l.Value)
	}
	f.Fuzz(func(t *testing.T, value []byte) {
		if head, tail, ok := around([]meta.Layer{{Name: wavLayer, Value: value}}); ok && len(head)+len(tail) > len(value) {
			t.Errorf("%d and %d bytes of %d", len(head), len(tail), len(value))
		}
		if form, ok := csvFormOf([]meta.Layer{{Name: csvLayer, Value: value}}); ok && form.comma == 0 {
			t.Error("no comma")
		}
		memberOf([]meta.Layer{{Name: npzLayer, Value: value}})
		dtypeText(value, true)
	})
}

// A line of the settings file either sets a settable flag or is an error.
func FuzzSettings(f *testing.F) {
	for _, line := range []string{"codec = zstd", "# x", "level=3 # fast", "force = true", "=", "chunk = 3X"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		var c compressCmd
		g := newGrammar(&env{})
		c.define(g)
		before := c.Force || c.Remove
		if err := g.preset(line); err == nil && (c.Force || c.Remove) != before {
			t.Errorf("%q destroys", line)
		}
	})
}
