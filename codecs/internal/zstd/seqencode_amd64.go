//go:build !purego

package zstd

import (
	"golang.org/x/sys/cpu"

	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
)

//go:noescape
func encodeSequencesBMI2(w *sequenceWriter, dst []byte, seqs []lz77.Seq, packed []uint32)

func init() {
	if cpu.X86.HasBMI2 {
		encodeSequences = encodeSequencesBMI2
	}
}
