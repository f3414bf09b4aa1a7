// Package tune chooses codec, level, filters and splitting by the data. What it
// picks depends on the data and the aim alone, never on the speed of the
// machine, so that the same input makes the same file everywhere.
//
// It compresses a sample in the ways that come into question and reckons from
// what the codec made of it, how many matches it found and how many bytes it
// left as they are, what that way costs.
package tune

import (
	"fmt"
	"math"
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
	// maxSample is how much of a sample is looked at. It is as much as a block
	// can be, nearly, because ways differ in how they use large blocks.
	maxSample = 1 << 20
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
	sample = sample[:min(len(sample), maxSample)]
	if len(sample) < 64*max(p.TypeSize, 1) {
		return p, nil
	}
	base, err := try(sample, standard(p))
	if err != nil {
		return p, err
	}
	best, bestScore := base, math.Inf(1)
	for _, c := range candidates(p, aim) {
		t, err := try(sample, c)
		if err != nil {
			return p, err
		}
		if s := t.score(base, aim); s < bestScore {
			best, bestScore = t, s
		}
	}
	return finish(best.params, aim), nil
}

// standard is what the library does where nothing else is asked for.
func standard(p chunk.Params) chunk.Params {
	p.Codec, p.CodecMeta, p.Level = chunk.Default.Codec, 0, chunk.Default.Level
	p.Filters, p.Split, p.Dict = filters.Default, blosc2.SplitDefault, false
	return p
}

// pipelines are the lossless ways to filter that are tried.
var pipelines = []string{"shuffle", "bitshuffle", "none", "shuffle,bytedelta"}

// candidates lists what comes into question for an aim.
func candidates(p chunk.Params, aim Aim) (list []chunk.Params) {
	codec, levels := blosc2.CodecLZ4, []int{5, 1, 9}
	if aim == Size {
		codec, levels = blosc2.CodecZstd, []int{sampleLevel}
	}
	for _, level := range levels {
		for _, text := range pipelines {
			f, err := filters.Parse(text)
			if err != nil {
				panic(err) // a name in the list above
			}
			if p.TypeSize <= 1 && text != "none" && text != "bitshuffle" {
				continue // shuffle is no change then
			}
			for i, id := range f.IDs {
				if id == blosc2.FilterByteDelta {
					f.Metas[i] = uint8(min(p.TypeSize, 255)) // readers without the frame need it
				}
			}
			c := standard(p)
			c.Codec, c.Level, c.Filters = codec, level, f
			list = append(list, c)
		}
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
