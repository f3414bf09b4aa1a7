package tune

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/internal/cost"
	"github.com/seed03b80dae/blosc2/shuffle"
)

// On real data Archive is at least 15 % smaller than the default for some file and
// larger for none, no aim is larger than storing, the picks differ, and the same
// data have the same pick. (Benchmarks show the speed.)
func TestChooseReal(t *testing.T) {
	picks := map[string]bool{}
	smallest := 1.0
	for _, d := range real {
		data := b2test.Real(t, d.name)
		p := chunk.Default()
		p.TypeSize = d.typesize
		base := stored(t, data, p)
		for _, aim := range []Aim{Balanced, Memory, Disk, Network, WAN, Archive} {
			pick, err := Choose(data[:min(1<<20, len(data))], p, aim)
			if err != nil {
				t.Fatal(err)
			}
			again, _ := Choose(data[:min(1<<20, len(data))], p, aim)
			if again.Codec != pick.Codec || again.Filters != pick.Filters || again.Level != pick.Level {
				t.Errorf("%s, %v: two picks for the same data", d.name, aim)
			}
			n := stored(t, data, pick)
			size := float64(n) / float64(base)
			name := fmt.Sprintf("%v %d %v", pick.Codec, pick.Level, pick.Filters)
			picks[name] = true
			t.Logf("%-20s %-8v %-28s %.3f of the default's size", d.name, aim, name, size)
			if chunks := len(data)>>20 + 1; n > len(data)+chunks*chunk.Overhead {
				t.Errorf("%s, %v: larger than as it is", d.name, aim)
			}
			if aim == Archive {
				smallest = min(smallest, size)
				if size > 1 {
					t.Errorf("%s, %v: %.3f of the default's size", d.name, aim, size)
				}
			}
		}
	}
	if smallest > 0.85 {
		t.Errorf("Archive gains %.0f %% at best", 100*(1-smallest))
	}
	if len(picks) < 5 {
		t.Errorf("only %d different picks", len(picks))
	}
}

func TestChooseEdges(t *testing.T) {
	p := chunk.Default()
	for _, sample := range [][]byte{nil, make([]byte, 100), make([]byte, 5000)} {
		for _, ts := range []int{1, 3, 8, 300} {
			p.TypeSize = ts
			pick, err := Choose(sample, p, Size)
			if err != nil {
				t.Fatal(err)
			}
			if err := pick.Validate(); err != nil {
				t.Errorf("%d bytes of typesize %d: %v", len(sample), ts, err)
			}
		}
	}
	if _, err := Choose(nil, p, 0); err == nil {
		t.Error("no aim was accepted")
	}
}

// Long runs of an item decide as little as runs of zeros, wherever they are.
func TestRepeatedItems(t *testing.T) {
	all := parts()
	for _, kind := range []string{"walk", "few", "times"} {
		varied := all[kind][:1<<18]
		for _, first := range []bool{false, true} {
			var picks [2]chunk.Params
			for i, item := range [][]byte{{0}, {0xcd, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xf4, 0x3f}} {
				run := make([]byte, 1<<20-len(varied))
				shuffle.Fill(run, item)
				data := slices.Concat(varied, run)
				if first {
					data = slices.Concat(run, varied)
				}
				p := chunk.Default()
				p.TypeSize = 8
				var err error
				if picks[i], err = Choose(data, p, Network); err != nil {
					t.Fatal(err)
				}
			}
			if !reflect.DeepEqual(picks[0], picks[1]) {
				t.Errorf("%s, run first %v: %+v, and %+v with a run of zeros", kind, first, picks[1], picks[0])
			}
		}
	}
	run := make([]byte, 1<<20)
	shuffle.Fill(run, []byte{1, 2, 3, 4})
	s := NewStream(Search{Aim: Balanced, Params: chunk.Default()})
	if _, err := s.Next(run); err != nil || s.Decided() {
		t.Errorf("a run of an item decided, or %v", err)
	}
}

func TestAim(t *testing.T) {
	for text, want := range map[string]Aim{
		"memory": 5e9, "Disk": 500e6, "network": 100e6, "WAN": 20e6, "archive": Archive,
		"speed": Memory, "Balanced": Balanced, "SIZE": Archive,
		"20M": WAN, "1.5G": 1.5e9, "64k": 64e3, "5000000": 5e6,
		"20MB": WAN, "20mb/s": WAN, "20M/s": WAN, "5000000B/s": 5e6, "20MiB/s": 20 << 20, "1.5Gi": 1.5 * (1 << 30),
	} {
		a, err := ParseAim(text)
		if err != nil || a != want {
			t.Errorf("%s: %v, %v", text, a, err)
		}
		if again, err := ParseAim(a.String()); err != nil || again != a {
			t.Errorf("%s: written as %v, read as %v, %v", text, a, again, err)
		}
	}
	for _, text := range []string{"", "fast", "-5M", "0", "M", "1e300G", "nan", "inf", "5Q", "B/s", "MB", "MiB", "5000i", "20MBB", "20M/s/s"} {
		if a, err := ParseAim(text); err == nil {
			t.Errorf("%q was accepted as %v", text, a)
		}
	}
	for _, speed := range []float64{-1, -2, 0, 999, 1e16, math.NaN(), math.Inf(1)} {
		if a := Link(speed); a.Check() == nil {
			t.Errorf("Link(%v) is %v", speed, a)
		}
	}
}

// On the fastest link nothing is worth compressing, and on the slowest one only the size counts.
func TestExtremeLinks(t *testing.T) {
	data := parts()["bytes"]
	p := chunk.Default()
	p.TypeSize = 2
	sizes := map[Aim]int{}
	for _, aim := range []Aim{Link(1e15), Link(1e3), WAN} {
		pick, err := Search{Aim: aim, Params: p, Keep: KeepTypeSize}.Pick(data)
		if err != nil {
			t.Fatal(err)
		}
		sizes[aim] = stored(t, data, pick.Params)
	}
	if sizes[Link(1e15)] < len(data) || sizes[Link(1e3)] >= sizes[WAN] {
		t.Errorf("sizes by link: %v", sizes)
	}
}

// Archive searches the levels of a given codec, and the codec for filters that lose digits.
func TestArchiveGiven(t *testing.T) {
	data := b2test.Real(t, "nab-value.f8")[:1<<20]
	p := chunk.Default()
	p.TypeSize, p.Codec = 8, blosc2.CodecZlib
	pick, err := Search{Aim: Archive, Params: p, Keep: KeepTypeSize | KeepCodec}.Pick(data)
	if err != nil || pick.Params.Codec != blosc2.CodecZlib || pick.Params.Level != 9 {
		t.Errorf("zlib: %+v, %v", pick.Params, err)
	}
	p = chunk.Default()
	p.TypeSize, p.Filters = 8, pipeline("trunc_prec:20,shuffle")
	pick, err = Search{Aim: Archive, Params: p, Keep: KeepTypeSize | KeepFilters}.Pick(data)
	if err != nil || pick.Params.Filters != p.Filters || pick.Params.Codec == blosc2.CodecLZ4 || stored(t, data, pick.Params) >= stored(t, data, p) {
		t.Errorf("trunc_prec: %+v, %v", pick.Params, err)
	}
}

// Kept parameters do not change, whatever else is chosen.
func TestKeep(t *testing.T) {
	var data []byte
	for i := range 1 << 16 {
		data = append(data, byte(i), byte(i>>8), byte(i*i>>12), 0)
	}
	p := chunk.Params{Codec: blosc2.CodecZlib, Level: 3, TypeSize: 4, BlockSize: 64 << 10, Split: blosc2.SplitNever, Filters: bitwise}
	for keep := Keep(0); keep < 1<<6; keep++ {
		for _, aim := range []Aim{Disk, WAN} {
			pick, err := Search{Aim: aim, Params: p, Keep: keep}.Pick(data)
			if err != nil {
				t.Fatal(err)
			}
			q := pick.Params
			if err := q.Validate(); err != nil {
				t.Errorf("%b: %v", keep, err)
			}
			for k, stays := range map[Keep]bool{
				KeepCodec: q.Codec == p.Codec, KeepLevel: q.Level == p.Level, KeepFilters: q.Filters == p.Filters,
				KeepSplit: q.Split == p.Split, KeepBlockSize: q.BlockSize == p.BlockSize, KeepTypeSize: q.TypeSize == p.TypeSize,
			} {
				if keep&k != 0 && !stays {
					t.Errorf("%v, kept %06b: %+v", aim, keep, q)
				}
			}
		}
	}
}

// A pick restricted to the codec of the unrestricted one is at most 10 % larger (the
// worst is era-geopotential.f4, 6.5 %, at level 1 instead of 2), and the smallest output
// of zstd at level 9 is at most 0.1 % and 64 bytes larger than the default's.
func TestRestricted(t *testing.T) {
	all := parts()
	delete(all, "zeros") // for zeros nothing is picked
	for _, d := range real {
		all[d.name] = b2test.Real(t, d.name)
	}
	pick := func(data []byte, s Search) (chunk.Params, int) {
		p, err := s.Pick(data)
		if err != nil {
			t.Fatal(err)
		}
		return p.Params, stored(t, data, p.Params)
	}
	for name, data := range all {
		data = data[:min(len(data), 1<<20)]
		p := chunk.Default()
		def, size := pick(data, Search{Aim: Balanced, Params: p})
		p.Codec = def.Codec
		if q, n := pick(data, Search{Aim: Balanced, Params: p, Keep: KeepCodec}); def.Level > 0 && 100*n > 110*size {
			t.Errorf("%s: %d bytes with %v %d %v, %d with the default's %v %d %v", name, n, q.Codec, q.Level, q.Filters, size, def.Codec, def.Level, def.Filters)
		}
		p.Codec, p.Level = blosc2.CodecZstd, 9
		if q, n := pick(data, Search{Aim: Archive, Params: p, Keep: KeepCodec | KeepLevel}); n > size+size/1000+64 {
			t.Errorf("%s: %d bytes with zstd 9 %v, %d with the default", name, n, q.Filters, size)
		}
	}
}

// A deep level that is given for Archive leaves no way out: the output is at most 5 % larger than
// with zstd at that level, and no larger than what level 8 makes, and the level is the given one.
func TestDeepLevel(t *testing.T) {
	all := parts()
	delete(all, "zeros")
	for _, d := range real {
		all[d.name] = b2test.Real(t, d.name)
	}
	r := rand.New(rand.NewPCG(30, 11))
	var ends [40_000]uint64 // of roads: each belongs to several, which are far from each other
	for i := range ends {
		ends[i] = 0x4040000000000000 + r.Uint64N(1<<46)
	}
	for range 1 << 17 {
		all["roads"] = binary.LittleEndian.AppendUint64(all["roads"], ends[r.IntN(len(ends))])
	}
	for name, data := range all {
		data = data[:min(len(data), 1<<20)]
		size := func(keep Keep, level int) int {
			p := chunk.Default()
			p.Codec, p.Level = blosc2.CodecZstd, level
			pick, err := Search{Aim: Archive, Params: p, Keep: keep | KeepLevel, Item: 8}.Pick(data)
			if err != nil {
				t.Fatal(err)
			}
			if pick.Params.Level != level {
				t.Errorf("%s: level %d instead of %d", name, pick.Params.Level, level)
			}
			return stored(t, data, pick.Params)
		}
		got, zstd, eight := size(0, 9), size(KeepCodec, 9), size(0, 8)
		if got > zstd+zstd/20+64 || got > eight+eight/100+64 {
			t.Errorf("%s: %d bytes at level 9, %d with zstd, %d at level 8", name, got, zstd, eight)
		}
	}
}

// If the deepest level is too slow for Archive, the next ones are still tried.
func TestArchiveTriesFasterLevels(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	words := make([][]byte, 1500)
	for i := range words {
		for range 3 + r.IntN(6) {
			words[i] = append(words[i], byte(r.IntN(90)))
		}
	}
	var data []byte
	for len(data) < 1<<20 {
		data = append(append(data, words[r.IntN(len(words))]...), byte(r.IntN(256)))
	}
	data = data[:1<<20]
	p := chunk.Default()
	p.TypeSize = 1
	pick, err := Search{Aim: Archive, Params: p, Keep: KeepTypeSize}.Pick(data)
	if err != nil {
		t.Fatal(err)
	}
	p.Codec, p.Level, p.Filters, p.BlockSize = blosc2.CodecZstd, 6, plain, 1<<20
	p.Split = blosc2.SplitNever
	if got, want := stored(t, data, pick.Params), stored(t, data, p); got > want+want/50 {
		t.Errorf("%v %d makes %d bytes, zstd 6 %d", pick.Params.Codec, pick.Params.Level, got, want)
	}
}

// Data that are compressed to very little are examined in longer pieces than usual: in a
// mask, rows repeat at distances that exceed a short sample.
func TestTinyIsExaminedMore(t *testing.T) {
	const side = 1024
	mask := make([]byte, side*side)
	for y := range side {
		for x := range side {
			if d := (x%300-150)*(x%300-150) + (y%400-200)*(y%400-200); d < 12_000 {
				mask[y*side+x] = 1
			}
		}
	}
	p := chunk.Default()
	p.TypeSize = 1
	pick, err := Search{Aim: WAN, Params: p, Keep: KeepTypeSize}.Pick(mask)
	if err != nil {
		t.Fatal(err)
	}
	least := len(mask)
	for _, f := range []filters.Pipeline{plain, byteDelta, bitwise} {
		p.Codec, p.Level, p.Filters, p.BlockSize, p.Split = blosc2.CodecZstd, 1, f, 1<<20, blosc2.SplitNever
		least = min(least, stored(t, mask, p))
	}
	if got := stored(t, mask, pick.Params); got > least*11/10 {
		t.Errorf("%v %d %v makes %d bytes, the best of zstd 1 %d", pick.Params.Codec, pick.Params.Level, pick.Params.Filters, got, least)
	}
}

// For every aim, data no longer than a sample and compressed to hardly anything are
// searched, and every trial that may be picked is made.
func TestShort(t *testing.T) {
	for _, n := range []int{600, 1000, 5000, 20_000} {
		ramp, flags := make([]byte, 0, 4*n), make([]byte, 4*n)
		for i := range n {
			ramp = binary.LittleEndian.AppendUint32(ramp, uint32(i))
			flags[4*i] = byte(i / 500 % 2)
		}
		for name, data := range map[string][]byte{"ramp": ramp, "flags": flags} {
			for _, aim := range []Aim{Balanced, Memory, Disk, Network, WAN, Archive, 1e4} {
				for _, keep := range []Keep{0, KeepTypeSize, KeepCodec, KeepLevel} {
					p := chunk.Default()
					p.TypeSize = 4
					pick, err := Search{Aim: aim, Params: p, Keep: keep}.Pick(data)
					if err != nil || pick.Ratio < 1 {
						t.Errorf("%s of %d, %v, keeping %b: ratio %.2f, %v", name, n, aim, keep, pick.Ratio, err)
					}
				}
			}
		}
	}
}

// A signal that repeats at distances beyond the pieces of a sample is much smaller and
// faster with bitshuffle than unfiltered, which the pieces do not show.
func TestPickRepeating(t *testing.T) {
	for _, signal := range []struct{ period, noise, amplitude int }{{2000, 2, 600}, {3000, 3, 100}, {6000, 3, 600}} {
		r := rand.New(rand.NewPCG(27, 11))
		period := make([]int16, signal.period)
		for i := range period {
			period[i] = int16(r.IntN(signal.amplitude) - signal.amplitude/2)
		}
		var data []byte
		for i := range 1 << 19 {
			v := period[i%len(period)]
			if r.IntN(signal.noise) == 0 {
				v += int16(r.IntN(2)*2 - 1)
			}
			data = binary.LittleEndian.AppendUint16(data, uint16(v))
		}
		p := chunk.Default()
		p.TypeSize = 2
		pick, err := Search{Aim: Balanced, Params: p, Keep: KeepTypeSize}.Pick(data)
		if err != nil {
			t.Fatal(err)
		}
		p.Codec, p.Level, p.BlockSize, p.Filters = blosc2.CodecZstd, 1, mostBlock, filters.Pipeline{}
		if n, limit := stored(t, data, pick.Params), stored(t, data, p); 10*n > 9*limit {
			t.Errorf("%v: %v makes %d bytes; zstd 1 without filters %d", signal, pick.Params, n, limit)
		}
	}
}

// Data with much padding at both ends get about the settings of the data alone.
func TestPadding(t *testing.T) {
	p := chunk.Default()
	for name, width := range map[string]int{"era5-t2m.f4": 4, "era-geopotential.f4": 4, "nab-value.f8": 8, "nab-time.i8": 8, "era-wind-u.i2": 2} {
		data := b2test.Real(t, name)[:256<<10]
		p.TypeSize = width
		for _, aim := range []Aim{Memory, Network, WAN} {
			alone, err := Search{Aim: aim, Params: p, Keep: KeepTypeSize}.Pick(data)
			if err != nil {
				t.Fatal(err)
			}
			padded := append(append(make([]byte, 1<<20), data...), make([]byte, 8<<20)...)
			pick, err := Search{Aim: aim, Params: p, Keep: KeepTypeSize}.Pick(padded)
			if err != nil {
				t.Fatal(err)
			}
			is, want := stored(t, data, pick.Params), stored(t, data, alone.Params)
			if is > want+want/50 {
				t.Errorf("%s, %v: %d bytes with %v, %d with %v", name, aim, is, pick.Params, want, alone.Params)
			}
		}
	}
}

// A search for a level that is asked for to be fast takes about as long as one for WAN.
func TestFastLevels(t *testing.T) {
	data := parts()["walk"]
	for level := 1; level <= 3; level++ {
		s := Search{Aim: Archive, Params: chunk.Default(), Keep: KeepLevel}
		s.Params.Level = level
		p, err := s.Pick(data)
		if err != nil {
			t.Fatal(err)
		}
		if most := WAN.measure().budget * cost.Unit; (p.search <= most) != (level <= fastLevel) {
			t.Errorf("level %d: %d units of %d", level, p.search, most)
		}
	}
}
