package tune

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/internal/cost"
	"github.com/seed03b80dae/blosc2/shuffle"
)

// The same data have the same pick on every machine, with every kernel. A change of
// the table of costs may change some of these picks.
func TestSamePick(t *testing.T) {
	defer shuffle.Use(shuffle.Tier())
	for _, tier := range shuffle.Tiers() {
		if err := shuffle.Use(tier); err != nil {
			t.Fatal(err)
		}
		t.Run(tier, testSamePick)
	}
}

func testSamePick(t *testing.T) {
	t.Helper()
	want := map[string]string{}
	for name, data := range parts() {
		for _, aim := range []Aim{Balanced, Memory, Disk, Network, WAN, Archive} {
			pick, err := Search{Aim: aim, Params: chunk.Default()}.Pick(data[:min(len(data), 1<<20)])
			if err != nil {
				t.Fatal(err)
			}
			p := pick.Params
			key, got := fmt.Sprint(name, " ", aim), fmt.Sprint(p.Codec, " ", p.Level, " ", p.Filters, " ", p.Split, " ", p.TypeSize, " ", p.BlockSize>>10)
			want[key] = got
			if got != samePicks[key] {
				t.Errorf("%q: %q,", key, got)
			}
		}
	}
	if len(want) != len(samePicks) {
		t.Errorf("%d picks, not %d", len(want), len(samePicks))
	}
}

// The pick does not depend on the order of trials, or on earlier uses of an
// Encoder.
func TestSameWithEach(t *testing.T) {
	each := func(n int, task func(i int, enc *chunk.Encoder)) {
		var group sync.WaitGroup
		encs := make([]chunk.Encoder, 2)
		for w := range encs {
			group.Go(func() {
				for i := n - 1 - w; i >= 0; i -= len(encs) {
					task(i, &encs[w])
				}
			})
		}
		group.Wait()
	}
	for name, data := range parts() {
		for _, aim := range []Aim{Balanced, Disk, WAN} {
			s := Search{Aim: aim, Params: chunk.Default()}
			want, err := s.Pick(data)
			if err != nil {
				t.Fatal(err)
			}
			s.Each = each
			if got, err := s.Pick(data); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s, %v: %+v, not %+v, %v", name, aim, got, want, err)
			}
		}
	}
}

// The cost of streams that change is at most a fifth above that of the best pick for each
// chunk. Costs are estimated, not measured.
func TestDrift(t *testing.T) {
	all := parts()
	for _, d := range real {
		all[d.name] = b2test.Real(t, d.name)
	}
	names := []string{"zeros", "walk", "few", "times", "noise", "record", "text", "bytes"}
	for _, d := range real {
		names = append(names, d.name)
	}
	r := rand.New(rand.NewPCG(3, 9))
	rounds := 20
	if testing.Short() {
		rounds = 4
	}
	for i := range rounds {
		aim := []Aim{Memory, Disk, Network, WAN}[i%4]
		var data []byte
		var label []string
		for range 2 + r.IntN(4) {
			name := names[r.IntN(len(names))]
			part := all[name]
			label, data = append(label, name), append(data, part[:min(len(part), (1+r.IntN(3))<<19)/16*16]...)
		}
		s := NewStream(Search{Aim: aim, Params: chunk.Default()})
		if ratio := ofBest(t, s, data, aim); ratio > 1.2 {
			t.Errorf("%v, %v: %.2f of the best piece by piece", aim, label, ratio)
		}
	}
}

// ofBest returns the estimated cost of data in chunks with the picks of s, divided by that of
// the best pick for each chunk with the same width of items.
func ofBest(t *testing.T, s *Stream, data []byte, aim Aim) float64 {
	t.Helper()
	var ours, best int64
	for len(data) > 0 {
		c := data[:min(512<<10, len(data))]
		data = data[len(c):]
		p, err := s.Next(c)
		if err != nil {
			t.Fatal(err)
		}
		if s.Decided() {
			s.KeepTypeSize()
		}
		q, err := Search{Aim: aim, Params: p, Keep: KeepTypeSize}.Pick(c)
		if err != nil {
			t.Fatal(err)
		}
		a, b := reckoned(t, c, p, aim), reckoned(t, c, q.Params, aim)
		ours, best = ours+a, best+min(a, b)
	}
	return float64(ours) / float64(best)
}

// For Memory, a pick costs at most twice as much as the default. For every aim, its
// result is at most as large as with storing.
func TestPickBounds(t *testing.T) {
	for name, data := range parts() {
		data = data[:min(len(data), 1<<20)]
		for _, aim := range []Aim{Balanced, Memory, Disk, Network, WAN, Archive} {
			pick, err := Search{Aim: aim, Params: chunk.Default()}.Pick(data)
			if err != nil {
				t.Fatal(err)
			}
			if n := stored(t, data, pick.Params); n > len(data)+chunk.Overhead {
				t.Errorf("%s, %v: %d bytes, stored %d", name, aim, n, len(data))
			}
			if aim != Memory {
				continue
			}
			if ours, usual := reckoned(t, data, pick.Params, aim), reckoned(t, data, chunk.Default(), aim); ours > 2*usual {
				t.Errorf("%s: %.2f times what the default costs", name, float64(ours)/float64(usual))
			}
		}
	}
}

// Balanced is not larger than zstd at level 2 without filters, except if values
// repeat at distances beyond a sample.
func TestBalanced(t *testing.T) {
	all := parts()
	for _, d := range real {
		all[d.name] = b2test.Real(t, d.name)
	}
	for name, data := range all {
		data = data[:min(len(data), 1<<20)]
		pick, err := Search{Aim: Balanced, Params: chunk.Default()}.Pick(data)
		if err != nil {
			t.Fatal(err)
		}
		p := chunk.Params{Codec: blosc2.CodecZstd, Level: 2, TypeSize: 8, BlockSize: 1 << 20, Split: blosc2.SplitNever}
		if ours, plain := stored(t, data, pick.Params), stored(t, data, p); float64(ours) > 1.1*float64(plain) {
			t.Errorf("%s: %d bytes, zstd 2 makes %d: %v %d %v", name, ours, plain, pick.Params.Codec, pick.Params.Level, pick.Params.Filters)
		}
	}
}

// Data that alternate between two kinds cause a few searches, not one with each change.
func TestStreamSearches(t *testing.T) {
	all := parts()
	s := NewStream(Search{Aim: Network, Params: chunk.Default()})
	for i := range 200 {
		data := all[[]string{"walk", "text", "record"}[i%3]]
		at := i % 4 * 65536
		if _, err := s.Next(data[at : at+512<<10]); err != nil {
			t.Fatal(err)
		}
		s.KeepTypeSize()
	}
	if len(s.seen) < 3 || len(s.seen) > 12 {
		t.Errorf("%d searches for data of three kinds", len(s.seen))
	}
}

// For any data, looks and searches take no more than their share of the time of a stream.
func TestStreamBudget(t *testing.T) {
	all := parts()
	all["repeated"] = bytes.Repeat(walk(1, 70e3), 4)
	r := rand.New(rand.NewPCG(5, 6))
	for _, aim := range []Aim{Memory, Balanced, WAN} {
		s := NewStream(Search{Aim: aim, Params: chunk.Default()})
		names := []string{"walk", "few", "times", "noise", "record", "text", "bytes", "repeated"}
		for i := range 300 {
			data := all[names[r.IntN(len(names))]]
			data = bytes.Clone(data[:min(len(data), 512<<10)])
			for range i << 10 { // make every chunk different
				data[r.IntN(len(data))] ^= byte(1 << (i % 8))
			}
			if _, err := s.Next(data); err != nil {
				t.Fatal(err)
			}
			s.KeepTypeSize()
			m := aim.measure()
			if most := m.free*cost.Unit + s.worked/part; s.spent > most+m.budget*cost.Unit {
				t.Fatalf("%v: searches took %d of %d", aim, s.spent, most)
			}
			if most := int64(freeLooks) + s.worked/lookPart; s.looks > most+lookPrice {
				t.Fatalf("%v: looks took %d of %d", aim, s.looks, most)
			}
		}
	}
}

// If little remains of the stream that Begin has sampled, no new search is made.
func TestBeginKnowsTheEnd(t *testing.T) {
	all := parts()
	sample := append(bytes.Clone(all["walk"][:256<<10]), all["text"][:256<<10]...)
	for _, size := range []int64{600 << 10, 1 << 30} {
		s := NewStream(Search{Aim: Balanced, Params: chunk.Default()})
		if err := s.Begin(sample, []int64{0}, size); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"walk", "noise", "text", "record"} {
			if _, err := s.Next(all[name][:512<<10]); err != nil {
				t.Fatal(err)
			}
		}
		if searched := len(s.seen) > 1; searched != (size > 2<<20) {
			t.Errorf("%d bytes: %d searches", size, len(s.seen))
		}
	}
}

// The cost of a search grows with the size of the data, and longer streams are
// examined more closely.
func TestSearchTakesItsShare(t *testing.T) {
	data := parts()["walk"][:512<<10]
	var took []int64
	for _, size := range []int64{1 << 20, 1 << 30} {
		s := NewStream(Search{Aim: Balanced, Params: chunk.Default()})
		if err := s.Begin(data, []int64{0}, size); err != nil {
			t.Fatal(err)
		}
		took = append(took, s.pick.search)
	}
	if took[0] > took[1]/2 {
		t.Errorf("a search for 1 MiB takes %d, for 1 GiB %d", took[0], took[1])
	}

	s := NewStream(Search{Aim: Balanced, Params: chunk.Default()})
	var after []int
	for i := range 40 {
		spent := s.spent
		if _, err := s.Next(data); err != nil {
			t.Fatal(err)
		}
		if s.KeepTypeSize(); s.spent > spent {
			after = append(after, i)
		}
	}
	if want := []int{0, longer}; !slices.Equal(after, want) {
		t.Errorf("searched after %d chunks, want %d", after, want)
	}
	if s.goal != longer*int64(len(data)) {
		t.Errorf("the last search was for %d bytes", s.goal)
	}
}

// begun returns a Stream for data that a sample of eight pieces preceded.
func begun(t *testing.T, data []byte, aim Aim, piece int) *Stream {
	t.Helper()
	s := NewStream(Search{Aim: aim})
	const places = 8
	var sample []byte
	var offsets []int64
	for i := range places {
		at := (len(data) - piece) / (places - 1) * i &^ (MaxWidth - 1)
		sample, offsets = append(sample, data[at:at+piece]...), append(offsets, int64(at))
	}
	if err := s.Begin(sample, offsets, int64(len(data))); err != nil {
		t.Fatal(err)
	}
	return s
}

// storedBy returns the compressed size of data in chunks of 1 MiB, with the picks of s.
func storedBy(t *testing.T, s *Stream, data []byte) (sum int) {
	t.Helper()
	width := 0
	for len(data) > 0 {
		n := min(1<<20, len(data))
		p, err := s.Next(data[:n])
		if err != nil {
			t.Fatal(err)
		}
		if width == 0 {
			s.KeepTypeSize()
			width = p.TypeSize
		}
		if p.TypeSize != width {
			t.Fatalf("items of %d bytes after those of %d", p.TypeSize, width)
		}
		sum += stored(t, data[:n], p)
		data = data[n:]
	}
	return sum
}

// Archive must not make more than other aims do of data of several kinds, although it
// searches longer and so less often, and takes about as long for all searches as for one.
// A pipe that begins with text has a width of items that suits the numbers after it.
func TestArchiveMixed(t *testing.T) {
	all := parts()
	for _, names := range [][]string{{"text", "walk"}, {"walk", "text"}, {"noise", "text", "few", "walk"}, {"bytes", "times", "text"}, {"text", "record", "text", "walk", "text"}} {
		var data []byte
		for _, name := range names {
			part := all[name][:min(len(all[name]), 1<<20)/MaxWidth*MaxWidth]
			data = append(data, bytes.Repeat(part, 2)...)
		}
		for _, known := range []bool{true, false} {
			archive, other := NewStream(Search{Aim: Archive}), NewStream(Search{Aim: WAN})
			if known {
				archive, other = begun(t, data, Archive, 128<<10), begun(t, data, WAN, 32<<10)
			}
			got, most := storedBy(t, archive, data), storedBy(t, other, data)
			if got > most {
				t.Errorf("%v, size known %v: %d bytes with Archive, %d with WAN", names, known, got, most)
			}
			if names[0] == "text" && !known && archive.Pick().Params.TypeSize == 1 {
				t.Errorf("%v: items of 1 byte", names)
			}
			if ms := archive.spent / (1e6 * cost.Unit); ms > 150+archive.worked/part/(1e6*cost.Unit) {
				t.Errorf("%v, size known %v: searches took %d ms", names, known, ms)
			}
		}
	}
}

// Where Begin finds that parts of a stream are of different kinds, these have picks of their
// own, and a width of items that suits one of them, even if the pick for the sample does
// without.
func TestBeginMixed(t *testing.T) {
	all := parts()
	for _, names := range [][]string{{"text", "walk"}, {"walk", "text"}, {"text", "noise", "few"}, {"bytes", "times", "text"}} {
		var data []byte
		for _, name := range names {
			part := all[name][:min(len(all[name]), 3<<19)/MaxWidth*MaxWidth]
			data = append(data, bytes.Repeat(part, 6)...) // searches must pay
		}
		s := begun(t, data, Balanced, 32<<10)
		if w := s.Pick().Params.TypeSize; w < 2 {
			t.Errorf("%v: items of %d byte", names, w)
		}
		if ratio := ofBest(t, s, data, Network); ratio > 1.2 {
			t.Errorf("%v: %.2f of the best piece by piece", names, ratio)
		}
	}
}

// A stream whose first chunk is tiny is searched again, although the others are short, too.
func TestTinyBeginning(t *testing.T) {
	all := parts()
	for name, item := range map[string]int{"walk": 4, "times": 8, "few": 8, "bytes": 1} {
		size := func(first int) (sum int) {
			p := chunk.Default()
			p.TypeSize = item
			s := NewStream(Search{Aim: Balanced, Params: p, Item: item})
			for data, n := all[name], first; len(data) > 0; data, n = data[n:], min(40_000, len(data)-n) {
				q, err := s.Next(data[:n])
				if err != nil {
					t.Fatal(err)
				}
				sum += stored(t, data[:n], q)
			}
			return sum
		}
		if tiny, usual := size(400), size(40_000); tiny > usual+usual/20 {
			t.Errorf("%s: %d bytes after a first chunk of 400, %d after one of 40,000", name, tiny, usual)
		}
	}
}

// Where data of another kind begin in a stream of unknown length, there is time for a search for
// a level that is asked for to be fast.
func TestFastLevelsSearchAgain(t *testing.T) {
	all := parts()
	for level := 1; level <= 2; level++ {
		s := NewStream(Search{Aim: Archive, Params: chunk.Default(), Keep: KeepLevel})
		s.search.Params.Level = level
		for _, name := range []string{"text", "walk"} {
			data := all[name][:mostBlock/2]
			p, err := s.Next(data)
			if err != nil {
				t.Fatal(err)
			}
			if s.KeepTypeSize(); s.since > 0 {
				t.Errorf("level %d, %s: %v without a search", level, name, p)
			}
		}
	}
}
