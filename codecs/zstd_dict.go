package codecs

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/klauspost/compress/zstd"
)

// The effect of the sizes of a dictionary and of its parts is in docs/codecs.md, section
// 6.
const (
	dictID       = 0x42324432 // any number from 32768 on; C-Blosc2 draws them from the data
	dictTables   = 1024       // bytes reserved for the entropy tables, which are shorter
	dictMinBytes = 256        // C-Blosc2 does not use shorter dictionaries
	dictWord     = 8          // bytes that are counted as one word: what one load reads
	dictSegment  = 64         // bytes that are taken at a time
	dictHashBits = 16
)

// TrainZstd makes a zstd dictionary of at most maxLen bytes from samples of the
// streams that it is for. The same samples make the same dictionary. It returns nil
// if they have too little in common.
//
// It follows the idea of zstd's own trainer (COVER): the samples are divided into
// as many parts as segments fit into the dictionary. From each part it takes the
// segment with the words that occur most often in all samples; these words then no
// longer count.
func TrainZstd(samples [][]byte, maxLen int) []byte {
	all := bytes.Join(samples, nil)
	budget := min(maxLen-dictTables, len(all)/2)
	if budget < dictMinBytes {
		return nil
	}
	history := coverSegments(all, budget)
	if len(history) < dictMinBytes {
		return nil
	}
	var contents [][]byte
	for _, s := range samples {
		// The library's trainer takes one zstd block at a time.
		contents = slices.AppendSeq(contents, slices.Chunk(s, 64<<10))
	}
	dict, err := zstd.BuildDict(zstd.BuildDictOptions{
		ID:       dictID,
		Contents: contents,
		History:  history,
		Offsets:  [3]int{1, 4, 8},
		Level:    zstd.SpeedDefault,
	})
	if err != nil || len(dict) > maxLen {
		return nil
	}
	return dict
}

// coverSegments selects segments of data, at most budget bytes, with the best ones at the
// end, where offsets are short.
func coverSegments(data []byte, budget int) []byte {
	words := len(data) - dictWord + 1
	hash := func(i int) uint32 {
		const prime = 0xcf1bbcdcb7a56463
		return uint32(binary.LittleEndian.Uint64(data[i:]) * prime >> (64 - dictHashBits))
	}
	counts := make([]uint32, 1<<dictHashBits)
	for i := range words {
		counts[hash(i)]++
	}
	var segments [][]byte
	parts := budget / dictSegment
	for p := range parts {
		from, to := p*words/parts, (p+1)*words/parts
		at, score := bestSegment(from, to, counts, hash)
		if score == 0 {
			continue
		}
		end := min(at+dictSegment, len(data))
		segments = append(segments, data[at:end])
		for i := at; i+dictWord <= end; i++ {
			counts[hash(i)] = 0
		}
	}
	slices.Reverse(segments)
	return bytes.Join(segments, nil)
}

// bestSegment returns the start, in [from, to), of the segment with the highest
// counts of words. Words that occur once do not count.
func bestSegment(from, to int, counts []uint32, hash func(int) uint32) (at int, best uint64) {
	const width = dictSegment - dictWord + 1
	worth := func(i int) uint64 {
		if n := counts[hash(i)]; n > 1 {
			return uint64(n)
		}
		return 0
	}
	var sum uint64
	for i := from; i < to; i++ {
		sum += worth(i)
		if i-from >= width {
			sum -= worth(i - width)
		}
		if sum > best {
			at, best = max(i-width+1, from), sum
		}
	}
	return at, best
}
