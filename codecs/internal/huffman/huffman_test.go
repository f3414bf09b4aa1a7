package huffman

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// best returns the least size of a code of the frequencies, which must ascend, with
// lengths of at most limit bits. It tries every number of codes of each length.
func best(freq []uint32, limit int) int {
	least := -1
	var try func(l, from, room, size int)
	try = func(l, from, room, size int) {
		// The symbols from index from on are left, which are the more frequent ones; room
		// is the space that their codes may take.
		if from == len(freq) {
			if least < 0 || size < least {
				least = size
			}
			return
		}
		for n := 0; l > 0 && from+n <= len(freq) && n <= room>>(limit-l); n++ {
			if n > 0 {
				size += l * int(freq[from+n-1])
			}
			try(l-1, from+n, room-n<<(limit-l), size)
		}
	}
	try(limit, 0, 1<<limit, 0)
	return least
}

// TestLengths compares codes of few symbols with the best of all codes.
func TestLengths(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	var b Builder
	for range 2000 {
		n := 2 + rnd.IntN(7)
		freq := make([]uint32, n)
		f := uint32(1)
		for i := range freq { // ascending, often so that the tree is deep
			freq[i] = f
			f += uint32(rnd.IntN(int(f) + 2))
		}
		for limit := 3; limit <= 8; limit++ {
			size, err := lengths(&b, freq, limit)
			if want := best(freq, limit); err != nil || size != want {
				t.Fatalf("%d, at most %d bits: %d bits, want %d; %v", freq, limit, size, want, err)
			}
		}
	}
}

// TestLengthsLimited makes codes of many symbols of which most are rare.
func TestLengthsLimited(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	var b Builder
	for range 300 {
		freq := make([]uint32, 2+rnd.IntN(MaxSymbols-1))
		for i := range freq {
			freq[i] = uint32(rnd.ExpFloat64() * float64(uint32(1)<<rnd.IntN(20)))
		}
		freq[rnd.IntN(len(freq))] = 1
		freq[0], freq[len(freq)-1] = 1, 1<<22
		last := 0
		for limit := 15; limit >= 9; limit-- {
			size, err := lengths(&b, freq, limit)
			if err != nil || size < last {
				t.Fatalf("%d symbols, at most %d bits: %d bits, with one more %d; %v", len(freq), limit, size, last, err)
			}
			last = size
		}
	}
}

// lengths returns the size of the code of a Builder, which it checks.
func lengths(b *Builder, freq []uint32, limit int) (size int, err error) {
	length := make([]uint8, len(freq))
	count := make([]uint16, limit+1)
	symbols := make([]uint16, MaxSymbols)
	_, size = b.Lengths(length, count, symbols, freq)
	sum, taken := 0, 0
	for s, l := range length {
		if (l > 0) != (freq[s] > 0) || int(l) > limit {
			return 0, fmt.Errorf("symbol %d of frequency %d has %d bits", s, freq[s], l)
		}
		if l > 0 {
			taken += 1 << limit >> l
			sum += int(l) * int(freq[s])
			count[l]--
		}
	}
	for l, n := range count {
		if n != 0 {
			return 0, fmt.Errorf("the number of codes of %d bits is wrong", l)
		}
	}
	if taken != 1<<limit || sum != size {
		return 0, fmt.Errorf("codes take %d of %d, and the symbols %d bits, of which it returned %d", taken, 1<<limit, sum, size)
	}
	return size, nil
}

// BenchmarkLimit measures codes of planes in which most bytes are rare, which must be
// shortened, and of others, which need not be.
func BenchmarkLimit(b *testing.B) {
	for _, first := range []uint32{1 << 6, 1 << 14} {
		b.Run(fmt.Sprint(first), func(b *testing.B) {
			var builder Builder
			freq := make([]uint32, 256)
			for i := range freq {
				freq[i] = 1 + first*uint32(256-i)/256>>(i/8)
			}
			lengths, count, symbols := make([]uint8, 256), make([]uint16, 12), make([]uint16, 256)
			for b.Loop() {
				builder.Lengths(lengths, count, symbols, freq)
			}
		})
	}
}
