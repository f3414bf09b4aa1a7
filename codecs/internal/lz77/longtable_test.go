package lz77

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// Enter returns the last position with the same bytes that was entered, whether it enters
// one position or many, unless another word has the same hash.
func TestLongTable(t *testing.T) {
	var table LongTable
	looked, other := 0, 0 // how often Enter was called, and how often it found another word
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 15))
		data := repetitive(r, 1+r.IntN(5000))
		table.Reset(18)
		last := map[string]int{} // the last position of each word, plus one
		entered := 0
		for ip := 0; ip < len(data); ip += 1 + r.IntN(1<<r.IntN(8)) {
			if r.IntN(20) == 0 {
				table.Skip(ip)
				entered = ip
			}
			place := table.Enter(data, ip)
			if ip > len(data)-longLoad {
				if place != 0 {
					t.Fatalf("seed %d: found position %d from %d of %d bytes", seed, place-1, ip, len(data))
				}
				continue
			}
			for ; entered < ip; entered++ {
				last[string(data[entered:entered+longKey])] = entered + 1
			}
			key := data[ip : ip+longKey]
			want := last[string(key)]
			last[string(key)], entered = ip+1, ip+1
			looked++
			if place > 0 && place <= ip && !bytes.HasPrefix(data[place-1:], key) {
				other++
			} else if place != want {
				t.Fatalf("seed %d: at %d found position %d, want %d", seed, ip, place-1, want-1)
			}
		}
	}
	if other > looked/20 {
		t.Errorf("%d of %d words have the hash of another word", other, looked)
	}
}

// Where many positions share their first bytes, the rows lose the long matches, and Far
// finds them.
func TestFar(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 16))
	words := make([][]byte, 100)
	for i := range words {
		words[i] = make([]byte, 64)
		for j := range words[i] {
			words[i][j] = byte(r.IntN(2))
		}
	}
	for _, size := range []int{32 << 10, 256 << 10} {
		var data []byte
		for len(data) < size {
			data = append(data, words[r.IntN(len(words))]...)
		}
		count := func(e Effort) int {
			var f Finder
			f.Reset(len(data))
			return len(f.Find(data, 0, len(data), e))
		}
		rows, far := count(Effort{Rows: 32, Lazy: 2}), count(Effort{Rows: 32, Far: true, Lazy: 2})
		t.Logf("%d bytes: %d sequences, with Far %d", size, rows, far)
		if far > rows/2 {
			t.Errorf("%d bytes: %d sequences with Far, %d without", size, far, rows)
		}
	}
}
