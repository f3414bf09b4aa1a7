// Package tune chooses codec, level, filters and splitting by the data. What it
// picks depends on the data and the aim alone, never on the speed of the
// machine, so that the same input makes the same file everywhere.
//
// It compresses a sample in the ways that come into question and reckons from
// what the codec made of it, how many matches it found and how many bytes it
// left as they are, what that way costs.
package tune

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/filters"
)

// An Aim says what matters.
type Aim uint8

const (
	// Speed is the fastest way that is hardly larger than the default.
	Speed Aim = 1 + iota
	// Balanced is smaller or faster than the default, and hardly slower or
	// larger.
	Balanced
	// Size is the smallest result, at the speed of zstd's highest levels.
	Size
)

var aims = map[string]Aim{"speed": Speed, "balanced": Balanced, "size": Size}

// ParseAim reads an aim by its name.
func ParseAim(name string) (Aim, error) {
	if a, ok := aims[strings.ToLower(name)]; ok {
		return a, nil
	}
	return 0, &blosc2.OptionError{Option: "aim", Value: name, Range: "speed, balanced or size"}
}

// String gives the aim's name.
func (a Aim) String() string {
	for name, b := range aims {
		if a == b {
			return name
		}
	}
	return fmt.Sprintf("aim %d", uint8(a))
}

const (
	// maxSample is how much of a sample is looked at for Size. It is as much as
	// a block can be, nearly, because ways differ in how they use large blocks.
	maxSample = 1 << 20
	// fastSample is the same for the other aims, where the choice must not take
	// longer than what it gains.
	fastSample = 512 << 10
	// slack is how much larger than the default a pick may make the sample. Of
	// all the data it may then be 2 %.
	slack = 1.005
	// margin is how much of the default's time other filters may take at most:
	// reckoning is too coarse to tell smaller gains from losses.
	margin = 0.8
)

// Choose gives p with the codec, level, filters and split mode that suit the
// aim for data like sample, usually the first chunk. p's typesize and block
// size stay. A sample of no more than a few items leaves p as it is.
func Choose(sample []byte, p chunk.Params, aim Aim) (chunk.Params, error) {
	if aim < Speed || aim > Size {
		return p, &blosc2.OptionError{Option: "aim", Value: aim, Range: "speed, balanced or size"}
	}
	most, codec, level := fastSample, blosc2.CodecLZ4, chunk.Default.Level
	if aim == Size {
		most, codec, level = maxSample, blosc2.CodecZstd, sampleLevel
	}
	sample = sample[:min(len(sample), most)]
	if len(sample) < 64*max(p.TypeSize, 1) {
		return p, nil
	}
	var trials []trial
	for _, f := range pipelines(p.TypeSize) {
		t, err := try(sample, with(p, codec, level, f))
		if err != nil {
			return p, err
		}
		trials = append(trials, t)
	}
	base := trials[0]
	if aim != Size {
		more, err := levels(sample, trials)
		if err != nil {
			return p, err
		}
		trials = append(trials, more...)
	}
	best, bestScore := base, math.Inf(1)
	for _, t := range trials {
		if s := t.score(base, aim); s < bestScore {
			best, bestScore = t, s
		}
	}
	return finish(best.params, aim), nil
}

// levels tries other levels of the two ways to filter that look best.
func levels(sample []byte, trials []trial) (more []trial, err error) {
	sorted := slices.Clone(trials)
	slices.SortStableFunc(sorted, func(a, b trial) int { return cmp.Compare(a.time*a.size, b.time*b.size) })
	for _, t := range sorted[:min(len(sorted), 2)] {
		for _, level := range []int{1, 9} {
			p := t.params
			p.Level = level
			if t, err = try(sample, p); err != nil {
				return nil, err
			}
			more = append(more, t)
		}
	}
	return more, nil
}

// with gives p with what is chosen.
func with(p chunk.Params, codec blosc2.CodecID, level int, f filters.Pipeline) chunk.Params {
	p.Codec, p.CodecMeta, p.Level = codec, 0, level
	p.Filters, p.Split, p.Dict = f, blosc2.SplitDefault, false
	return p
}

// pipelines are the lossless ways to filter that are tried, the default first.
func pipelines(typesize int) (list []filters.Pipeline) {
	for _, text := range []string{"shuffle", "bitshuffle", "none", "shuffle,bytedelta"} {
		f, err := filters.Parse(text)
		if err != nil {
			panic(err) // a name in the list above
		}
		if typesize <= 1 && text == "shuffle,bytedelta" {
			continue // shuffle is no change then
		}
		for i, id := range f.IDs {
			if id == blosc2.FilterByteDelta {
				f.Metas[i] = uint8(min(typesize, 255)) // readers without the frame need it
			}
		}
		list = append(list, f)
	}
	return list
}

const (
	sampleLevel = 5 // of zstd, while the filters are compared
	finalLevel  = 9 // of zstd, for the whole
)

// finish turns what was tried into what is used.
func finish(p chunk.Params, aim Aim) chunk.Params {
	if aim == Size && p.Codec == blosc2.CodecZstd {
		p.Level = finalLevel
	}
	return p
}

// score tells how well a trial suits the aim; less is better, +Inf is not at
// all.
func (t trial) score(base trial, aim Aim) float64 {
	size, time := t.size/base.size, t.time/base.time
	switch {
	case aim == Size:
		return size
	case size > slack, time > 1, time > margin && t.params.Filters != base.params.Filters:
		return math.Inf(1)
	case aim == Speed:
		return time
	}
	return time * size
}
