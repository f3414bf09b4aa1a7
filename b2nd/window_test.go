package b2nd

import (
	"fmt"
	"strings"
	"testing"
)

func TestParseWindow(t *testing.T) {
	shape := []int64{10, 20, 6}
	for text, want := range map[string]string{
		"":             "[{0 10 1 false} {0 20 1 false} {0 6 1 false}]",
		"0:10,:,5":     "[{0 10 1 false} {0 20 1 false} {5 6 1 true}]",
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
	for _, text := range []string{"10", "-11", "a", "1:b", "::0", "::-1", "1:2:3:4", ",,,", "1,2,3,4", "99999999999999999999:"} {
		if w, err := ParseWindow(text, shape); err == nil {
			t.Errorf("%q gave %v", text, w)
		}
	}
}

// Whatever is written as a window, the result lies within the array, and the
// cells that it takes are its items, once each.
func FuzzWindow(f *testing.F) {
	f.Add("0:10,:,5", int64(10), int64(7), int64(3), int64(2))
	f.Add("::9223372036854775807", int64(300), int64(5), int64(60), int64(7))
	f.Add("-1,1:3:2", int64(4), int64(4), int64(9), int64(1))
	f.Fuzz(func(t *testing.T, text string, s0, s1, c, b int64) {
		shape := []int64{abs(s0 % 50), abs(s1 % 50)}
		if strings.Count(text, ",") > 20 {
			return
		}
		w, err := ParseWindow(text, shape)
		if err != nil {
			return
		}
		if err := w.check(shape); err != nil {
			t.Fatalf("%q of %v: %v: %v", text, shape, w, err)
		}
		chunk, block := int32(1+abs(c%9)), int32(1+abs(b%7))
		g, err := newGrid(shape, []int32{chunk, chunk}, []int32{block, block}, 1)
		if err != nil {
			t.Fatal(err)
		}
		taken := int64(0)
		at := g.chunksOf(w)
		for ok := at.start(); ok; ok = at.next() {
			for _, c := range g.cells(nil, w, &at.at) {
				taken += product(c.count[:2])
			}
		}
		if want := product(w.lens()); taken != want {
			t.Fatalf("%q of %v: %d items taken, want %d", text, shape, taken, want)
		}
	})
}
