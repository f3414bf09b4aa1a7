package tune

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/internal/cost"
)

// stored returns the compressed size of data in chunks of 1 MiB.
func stored(t *testing.T, data []byte, p chunk.Params) (sum int) {
	t.Helper()
	e, err := chunk.NewEncoder(p)
	if err != nil {
		t.Fatal(err)
	}
	var c []byte
	for len(data) > 0 {
		n := min(1<<20, len(data))
		if c, err = e.Encode(c[:0], data[:n]); err != nil {
			t.Fatal(err)
		}
		sum += len(c)
		data = data[n:]
	}
	return sum
}

// parts holds data of several kinds, made with integer arithmetic only.
func parts() map[string][]byte {
	const n = 3 << 19
	r := rand.New(rand.NewPCG(7, 7))
	all := map[string][]byte{"zeros": make([]byte, n)}
	words := [...]string{"under ", "the ", "old ", "roof ", "rain ", "was ", "heard ", "but ", "not ", "felt, ", "nor ", "seen ", "again.\n"}
	walk, price := uint32(1<<20), uint64(1e6)
	for i := 0; len(all["noise"]) < n; i++ {
		walk += uint32(r.IntN(64)) - 31
		price += uint64(r.IntN(200)) - 99
		all["walk"] = binary.LittleEndian.AppendUint32(all["walk"], walk)
		all["few"] = binary.LittleEndian.AppendUint64(all["few"], r.Uint64N(200)*0x9e3779b97f4a7c15)
		all["times"] = binary.LittleEndian.AppendUint64(all["times"], 1.7e12+uint64(i)*1000+r.Uint64N(8))
		all["noise"] = binary.LittleEndian.AppendUint64(all["noise"], r.Uint64())
		all["record"] = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint32(all["record"], uint32(i)), price), uint32(r.IntN(5)))
		all["text"] = append(all["text"], words[r.IntN(len(words))]...)
		all["bytes"] = append(all["bytes"], byte(walk>>3), byte(walk>>3)+byte(r.IntN(3)))
	}
	return all
}

// walk returns a random walk of n numbers of two bytes.
func walk(seed uint64, n int) (data []byte) {
	r := rand.New(rand.NewPCG(seed, 29))
	v := uint16(500)
	for range n {
		v += uint16(r.UintN(200)) - 100
		data = binary.LittleEndian.AppendUint16(data, v)
	}
	return data
}

// reckoned returns the estimated cost of data in one chunk with p through a link.
func reckoned(t testing.TB, data []byte, p chunk.Params, aim Aim) int64 {
	t.Helper()
	e, err := chunk.NewEncoder(p)
	if err != nil {
		t.Fatal(err)
	}
	c, err := e.Encode(nil, data)
	if err != nil {
		t.Fatal(err)
	}
	w, err := cost.Of(c, &p)
	if err != nil {
		t.Fatal(err)
	}
	time := cost.For(&w, &p)
	return time.Compress + time.Expand + int64(2e9*cost.Unit/float64(aim))*int64(w.Stored)
}

var real = []struct {
	name     string
	typesize int
}{
	{"era-geopotential.f4", 4}, {"era-wind-u.f8", 8}, {"era-wind-u.i2", 2}, {"era5-t2m.f4", 4},
	{"nab-records.16", 16}, {"nab-time.i8", 8}, {"nab-value.f8", 8},
}

// table returns n rows of counters and of values that repeat one of many earlier ones, mostly at
// distances beyond the samples of a search.
func table(n, counters, values, many int) []byte {
	r := rand.New(rand.NewPCG(7, 7))
	pool := make([]uint64, many)
	for i := range pool {
		pool[i] = r.Uint64()
	}
	var b []byte
	for i := range n {
		for c := range counters {
			b = binary.LittleEndian.AppendUint64(b, uint64(i*(c+3))+r.Uint64N(16))
		}
		for range values {
			b = binary.LittleEndian.AppendUint64(b, pool[r.IntN(many)])
		}
	}
	return b
}

// transposed returns the items of rows column by column.
func transposed(rows []byte, item, items int) []byte {
	b := make([]byte, 0, len(rows))
	for c := range items {
		for at := c * item; at < len(rows); at += item * items {
			b = append(b, rows[at:at+item]...)
		}
	}
	return b
}
