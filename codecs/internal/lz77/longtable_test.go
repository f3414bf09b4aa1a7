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
