package zstd

import (
	"fmt"
	"testing"

	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
)

// The efforts of levels 3 to 6 in planes.
var tried = []lz77.Effort{
	{Depth: 2, Rows: 8, Trials: true}, {Depth: 4, Rows: 8, Lazy: 2, Trials: true},
	{Depth: 8, Rows: 16, Lazy: 2, Trials: true}, {Rows: 16, Lazy: 2, Trials: true},
}

// Bytes of a small alphabet that are random are coded as literals.
func TestTrial(t *testing.T) {
	var e Encoder
	for _, size := range []int{leastStretch, 40000, 64 << 10, 200000} {
		for _, alphabet := range []int{4, 8, 12, 20} {
			data, literals := random(uint64(size+alphabet), size, alphabet)
			for _, effort := range tried {
				if n := len(e.frame(data, effort)); n > literals+literals/20+100 {
					t.Errorf("%d bytes of %d, %+v: %d bytes, want about %d", size, alphabet, effort, n, literals)
				}
			}
		}
	}
}

// Where such bytes repeat later, or others follow, matches are found, as without a trial.
func TestTrialThenRepeats(t *testing.T) {
	var e Encoder
	data, _ := random(5, 24<<10, 8)
	text := make([]byte, 0, 40<<10)
	for i := 0; len(text) < 40<<10; i++ {
		text = fmt.Appendf(text, "line %d of some text with numbers, such as %d\n", i, i*i)
	}
	for _, effort := range tried {
		for name, after := range map[string][]byte{"repeats": append(data, data...), "text": text} {
			src := append(data[:len(data):len(data)], after...)
			n := len(e.frame(src, effort))
			e.finder.Reset(len(src))
			plain, ok := e.appendPart(nil, src, part{e.finder.FindBytes(src, 0, len(src), effort), 0, len(src)}, true)
			if most := len(plain) + len(plain)/100 + 100; !ok || n > most {
				t.Errorf("%s, %+v: %d bytes, want at most %d", name, effort, n, most)
			}
		}
	}
}
