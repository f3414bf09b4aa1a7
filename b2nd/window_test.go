package b2nd

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/b2test"
)

func TestParseWindow(t *testing.T) {
	shape := []int64{10, 20, 6}
	for text, want := range map[string]string{
		"":             "[{0 10 1 false} {0 20 1 false} {0 6 1 false}]",
		"0:10,:,5":     "[{0 10 1 false} {0 20 1 false} {5 6 1 true}]",
		"-3:,":         "[{7 10 1 false} {0 20 1 false} {0 6 1 false}]",
		"-3:":          "[{7 10 1 false} {0 20 1 false} {0 6 1 false}]",
		":-3 , 2:9:3":  "[{0 7 1 false} {2 9 3 false} {0 6 1 false}]",
		"-1,-1,-1":     "[{9 10 1 true} {19 20 1 true} {5 6 1 true}]",
		"8:2":          "[{8 8 1 false} {0 20 1 false} {0 6 1 false}]",
		"5:100,::7":    "[{5 10 1 false} {0 20 7 false} {0 6 1 false}]",
		"-100:-90":     "[{0 0 1 false} {0 20 1 false} {0 6 1 false}]",
		"::,::,0:6:10": "[{0 10 1 false} {0 20 1 false} {0 6 10 false}]",
	} {
		w, err := ParseWindow(text, shape)
		if err != nil || fmt.Sprint(w) != want {
			t.Errorf("%q: %v, %v; want %s", text, w, err, want)
		}
	}
	for _, text := range []string{"10", "-11", "a", "1:b", "::0", "::-1", "1:2:3:4", ",", ",,,", "1,2,3,4", "99999999999999999999:"} {
		if w, err := ParseWindow(text, shape); err == nil {
			t.Errorf("%q became %v", text, w)
		}
	}
}

// For any text the parsed window is within the array, and reading it from the
// chunks returns the items that it names.
func FuzzWindow(f *testing.F) {
	f.Add("0:10,:,5", int64(10), int64(7), int64(3), int64(2))
	f.Add("::9223372036854775807", int64(300), int64(5), int64(60), int64(7))
	f.Add("-1,1:3:2", int64(4), int64(4), int64(9), int64(1))
	f.Add("3:29:5,:,::3", int64(31), int64(6), int64(4), int64(3))
	f.Fuzz(func(t *testing.T, text string, s0, s1, c, b int64) {
		defer b2test.Cost(t)()
		shape := []int64{abs(s0 % 50), abs(s1 % 50), abs((s0 ^ s1) % 4)}
		if strings.Count(text, ",") > 20 {
			return
		}
		w, err := ParseWindow(text, shape)
		if err != nil {
			return
		}
		if _, err := w.in(shape); err != nil {
			t.Fatalf("%q of %v: %v: %v", text, shape, w, err)
		}
		part := func(seed int64, most int64) []int32 {
			return []int32{int32(1 + abs(seed%most)), int32(1 + abs(seed/most%most)), int32(1 + abs(seed/most/most%most))}
		}
		g, err := newGrid(shape, part(c, 11), part(b, 7), 1+abs(c^b)%9)
		if err != nil {
			t.Fatal(err)
		}
		data := randomBytes(rand.New(rand.NewPCG(uint64(s0), uint64(c))), g.items()*g.item)
		if got, want := pick(new(mover), g, layout(g, data), w), naiveWindow(g, data, w); !bytes.Equal(got, want) {
			t.Fatalf("%q of %v, chunks of %v, blocks of %v: other items", text, shape, g.chunk, g.block)
		}
	})
}
