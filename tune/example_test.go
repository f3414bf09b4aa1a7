package tune_test

import (
	"encoding/binary"
	"fmt"
	"log"
	"math"

	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/tune"
)

// Settings are chosen for a slow wave of float64 and a link of 20 MB/s.
func Example() {
	var sample []byte
	for i := range 1 << 16 {
		sample = binary.LittleEndian.AppendUint64(sample, math.Float64bits(math.Round(1000*math.Sin(float64(i)/5000))))
	}
	p, err := tune.Choose(sample, chunk.Default(), tune.Link(20e6))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(p.Codec, p.Level, p.Filters)
	// Output: zstd 1 shuffle
}
