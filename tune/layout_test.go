package tune

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/filters"
)

// Columns prefers the columns of a table, for links on which they save more time than moving
// the items takes, and also if codec or filters are given.
func TestColumns(t *testing.T) {
	rows := table(2048, 7, 1, 300)
	noise := make([]byte, len(rows))
	r := rand.New(rand.NewPCG(1, 1))
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	p := chunk.Default()
	p.TypeSize = 8
	bitwise, zlib, all := p, p, p
	bitwise.Filters, _ = filters.Parse("bitshuffle")
	zlib.Codec = blosc2.CodecZlib
	all.Codec = blosc2.CodecZstd
	const every = KeepCodec | KeepLevel | KeepFilters | KeepSplit | KeepBlockSize | KeepTypeSize
	for _, c := range []struct {
		name   string
		search Search
		rows   []byte
		want   bool
	}{
		{"balanced", Search{Aim: Balanced, Params: p}, rows, true},
		{"wan", Search{Aim: WAN, Params: p}, rows, true},
		{"archive", Search{Aim: Archive, Params: p}, rows, true},
		{"memory", Search{Aim: Memory, Params: p}, rows, false},
		{"noise", Search{Aim: WAN, Params: p}, noise, false},
		{"zeros", Search{Aim: WAN, Params: p}, make([]byte, len(rows)), false},
		{"short", Search{Aim: WAN, Params: p}, rows[:64], false},
		{"none", Search{Aim: WAN, Params: p}, nil, false},
		{"bitshuffle", Search{Aim: WAN, Params: bitwise, Keep: KeepFilters}, rows, true},
		{"zlib", Search{Aim: WAN, Params: zlib, Keep: KeepCodec}, rows, true},
		{"nothing to choose", Search{Aim: WAN, Params: all, Keep: every}, rows, false},
	} {
		got, err := c.search.Columns(c.rows, 8, func() []byte { return transposed(c.rows, 8, 8) })
		if err != nil || got != c.want {
			t.Errorf("%s: %v, %v; want %v", c.name, got, err, c.want)
		}
	}
	for _, items := range []int{-1, 0, 1} {
		if got, err := (Search{Aim: WAN, Params: p}).Columns(rows, items, nil); got || err != nil {
			t.Errorf("rows of %d items: %v, %v", items, got, err)
		}
	}
	_, err := Search{Aim: -7, Params: p}.Columns(rows, 8, nil)
	if oe := new(blosc2.OptionError); !errors.As(err, &oe) {
		t.Errorf("invalid aim: %v", err)
	}
}
