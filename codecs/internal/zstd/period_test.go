package zstd

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
)

// Blocks of one item are a match each, and blocks after them are coded as usual.
func TestPeriod(t *testing.T) {
	library := newLibrary(t)
	var e Encoder
	var d Decoder
	other, _ := random(3, 4<<10, 200)
	for size := 1; size <= lz77.MostPeriod; size++ {
		r := rand.New(rand.NewPCG(uint64(size), 30))
		item := make([]byte, size)
		for i := range item {
			item[i] = byte(r.Uint32())
		}
		item[0], item[size-1] = 1, 2 // not a run
		if size == 1 {
			item[0] = 7
		}
		items := bytes.Repeat(item, 3*maxBlock/size+1)
		for _, after := range [][]byte{nil, other, items[size/2 : size/2+1024]} {
			data := append(items[:2*maxBlock:2*maxBlock], after...)
			for i, effort := range efforts {
				if i%4 != size%4 {
					continue
				}
				frame := e.frame(data, effort)
				if back, err := library.DecodeAll(frame, nil); err != nil || !bytes.Equal(back, data) {
					t.Fatalf("items of %d, then %d bytes, %+v: the library reads something else, error %v", size, len(after), effort, err)
				}
				if back, err := both(t, &d, frame, len(data)); err != nil || !bytes.Equal(back, data) {
					t.Fatalf("items of %d, then %d bytes, %+v: decoded to other bytes, error %v", size, len(after), effort, err)
				}
				if len(after) < len(other) && len(frame) > 3*(size+24) {
					t.Fatalf("items of %d, then %d bytes, %+v: a frame of %d", size, len(after), effort, len(frame))
				}
			}
		}
	}
}
