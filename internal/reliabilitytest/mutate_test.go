package reliabilitytest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/fstest"
	"time"

	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// A victim is a file in which bytes are replaced.
type victim struct {
	name   string
	b      []byte
	folder fstest.MapFS // files of a sparse frame; then b is nil
	cost   int          // approximate cost of reading the file
	ways   []func(b []byte)
}

// victims returns all files of the corpus, including those to be rejected, and our
// frames that can be read front to back and have no digests.
func victims(t *testing.T) (all []victim) {
	for _, e := range b2test.Corpus(t) {
		v := victim{name: e.Path, cost: 2000}
		if e.Payload != nil {
			v.cost += int(e.Payload.NBytes) / 4
		}
		switch {
		case e.Kind == "filtered":
			continue // the contents of such a file are the output of a filter, which may be any bytes
		case folder(e):
			v.folder = folderOf(t, e)
			v.cost += 20_000
		case e.Kind == "chunk":
			v.b, v.ways = e.Bytes(t), chunkWays
		default:
			v.b, v.ways = e.Bytes(t), frameWays
			v.cost += 6000
		}
		v.cost += len(v.b)
		all = append(all, v)
	}
	for _, s := range samples(t, false) {
		all = append(all, victim{name: s.name, b: s.b, cost: 8000, ways: frameWays})
	}
	return all
}

// Corpus files in which bytes are replaced at random are read or rejected, in bounded
// time and memory.
func TestReplaced(t *testing.T) {
	all := victims(t)
	var weight float64
	for _, v := range all {
		weight += 1 / float64(v.cost)
	}
	m := meter{t: t}
	total := float64(pick(60_000, 10_200_000))
	spread(len(all), func(i int) {
		v := &all[i]
		rng := rand.New(rand.NewPCG(uint64(i), 9))
		for n := range max(10, int(total/float64(v.cost)/weight)) {
			m.one(func() string { return fmt.Sprintf("%s, input %d", v.name, n) }, v.input(rng))
		}
	})
	t.Logf("%d inputs of %d files; of those that seemed dear, measured alone, none took more than %v or allocated more than %.1f MiB", m.inputs.Load(), len(all), time.Duration(m.slowest.Load()), float64(m.largest.Load())/(1<<20))
}

// input replaces bytes in a copy of the file, and returns the operation to run on it.
func (v *victim) input(rng *rand.Rand) func() {
	if v.folder == nil {
		b := replace(rng, v.b)
		way := v.ways[rng.IntN(len(v.ways))]
		return func() { way(b) }
	}
	files, victim := fstest.MapFS{}, rng.IntN(len(v.folder))
	if rng.IntN(2) == 0 {
		victim = -1
	}
	for name, file := range v.folder {
		if victim == 0 || victim < 0 && name == "chunks.b2frame" {
			file = &fstest.MapFile{Data: replace(rng, file.Data)}
		}
		files[name] = file
		victim--
	}
	return func() { readFolder(files) }
}

// replace replaces a few bytes, more often in headers and trailers than elsewhere.
func replace(rng *rand.Rand, b []byte) []byte {
	b = bytes.Clone(b)
	if len(b) == 0 {
		return b
	}
	for range 1 + rng.IntN(4) {
		at := rng.IntN(len(b))
		switch rng.IntN(4) {
		case 0:
			at = rng.IntN(min(len(b), 200))
		case 1:
			at = rng.IntN(min(len(b), 48))
		case 2:
			at = len(b) - 1 - rng.IntN(min(len(b), 120))
		}
		b[at] = [...]byte{0, 0xff, 0x7f, 0x80, b[at] + 1, b[at] - 1, b[at] ^ 1<<rng.IntN(8), byte(rng.Uint32())}[rng.IntN(8)]
	}
	return b
}

// These are the operations on an input.
