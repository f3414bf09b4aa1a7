package tune

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/seed03b80dae/blosc2/chunk"
)

// Numbers of few kinds with unrelated bytes, such as those unpacked from small
// integers, are smallest unfiltered, because the codecs look for whole values.
func TestChooseValues(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	var sample []byte
	for range 1 << 16 {
		sample = binary.LittleEndian.AppendUint64(sample, r.Uint64N(700)*0x9e3779b97f4a7c15)
	}
	pick, err := Choose(sample, chunk.Default(), Size)
	if err != nil {
		t.Fatal(err)
	}
	if !pick.Filters.Empty() {
		t.Errorf("the pick is %v %d after %v", pick.Codec, pick.Level, pick.Filters)
	}
	if stored(t, sample, pick)*2 > stored(t, sample, chunk.Default()) {
		t.Errorf("%d bytes, the default %d", stored(t, sample, pick), stored(t, sample, chunk.Default()))
	}
}
