package zstd

import "github.com/seed03b80dae/blosc2/codecs/internal/lz77"

const (
	leastRun = 16 // the shortest run that surely becomes a match
	runShare = 4  // runs count if they cover 1/runShare of a block
)

// runs returns the runs of a byte in a block as sequences, or nil if they cover little of it.
// Where there is no survey, they show which bytes will not be literals. Otherwise the zeros
// around an image make literals seem so cheap that short matches are not looked for:
// ct_frames_c512.i2 took 1.14 times the space at level 7.
func (e *Encoder) runs(block []byte) []lz77.Seq {
	seqs, covered := e.kept[:0], 0
	end := 0 // of the last run
	for i := 1; i < len(block); i++ {
		if block[i] != block[i-1] {
			continue
		}
		from := i
		for i < len(block) && block[i] == block[i-1] {
			i++
		}
		if i-from >= leastRun {
			seqs = append(seqs, lz77.Seq{Literals: uint32(from - end), Length: uint32(i - from), Off: 1})
			end = i
			covered += i - from
		}
	}
	e.kept = seqs
	if covered*runShare < len(block) {
		return nil
	}
	return seqs
}
