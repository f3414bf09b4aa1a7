package chunk

import "github.com/seed03b80dae/blosc2"

// These constants are for a trial at the levels at which C-Blosc2 does not split blocks
// with zstd. Zstd encodes single planes faster and usually to as few bytes, so blocks are
// split at every level (see splitCodec). Records of related numbers are an exception:
// their planes repeat each other, which only one stream for the whole block can use. A
// trial on a part of each chunk finds such data. docs/codecs.md 4.5 has the sizes that it
// saves.
const (
	trialLevel   = 3        // level of zstd in the trial
	trialShare   = 16       // the trial uses one of this many bytes of the chunk
	maxTrial     = 64 << 10 // largest number of bytes tried
	minTrial     = 8 << 10  // least number of bytes tried; with fewer, some chunks became 3 % larger
	leastGain    = 3        // percent that one stream must save in the trial
	unsplitLevel = 6        // the first level at which C-Blosc2 does not split blocks with zstd
)

// triesWhole reports whether a trial decides if the present chunk is split.
func (e *Encoder) triesWhole() bool {
	return e.p.Split == blosc2.SplitDefault && e.p.Codec == blosc2.CodecZstd && e.p.Level >= unsplitLevel &&
		e.p.Format == Current && !e.header.Memcpyed() && e.header.Flags&flagNotSplit == 0
}

// wholeIsSmaller reports whether the middle of src, filtered, is at least leastGain
// percent smaller as one stream than as a stream for each byte of an item. It uses c as
// scratch memory.
func (e *Encoder) wholeIsSmaller(c, src []byte) bool {
	t := e.header.TypeSize
	n := min(len(src)/trialShare, maxTrial, e.header.BlockSize) / t * t
	if n < minTrial {
		return false
	}
	at := (len(src) - n) / 2 / t * t
	block, err := e.filter(src[at:at+n], nil, 0)
	if err != nil {
		return false // Encode will return the same error for the blocks
	}
	whole := e.trialSize(c, block)
	split := 0
	for size := n / t; len(block) > 0; block = block[size:] {
		split += e.trialSize(c, block[:size])
	}
	return whole*100 < split*(100-leastGain)
}

// trialSize returns the size of the stream compressed at trialLevel, with its length
// field.
func (e *Encoder) trialSize(c, stream []byte) int {
	prm := e.codecParams(false)
	prm.Level, prm.Dict = trialLevel, nil
	n, err := e.codec.Encode(c[:min(len(c), len(stream))], stream, prm)
	if err != nil || n == 0 {
		n = len(stream)
	}
	return 4 + n
}
