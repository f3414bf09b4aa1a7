//go:build !purego

package zstd

import (
	"unsafe"

	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
	"github.com/seed03b80dae/blosc2/internal/kernels"
)

// The assembly takes offsets of fields from go_asm.h, which has only those of this
// package.
const (
	seqLiterals = unsafe.Offsetof(lz77.Seq{}.Literals)
	seqLength   = unsafe.Offsetof(lz77.Seq{}.Length)
	seqOff      = unsafe.Offsetof(lz77.Seq{}.Off)
	seqSize     = unsafe.Sizeof(lz77.Seq{})
)

var _ = [...]uintptr{seqLiterals, seqLength, seqOff, seqSize} // a use in Go, because otherwise only the assembly uses these constants

// An index in the assembly is scaled by the size of a symbolCode.
var _ = [1]struct{}{}[unsafe.Sizeof(symbolCode{})-8]

//go:noescape
func encodeSequencesBMI2(w *sequenceWriter, dst []byte, seqs []lz77.Seq, packed []uint32)

func init() { kernels.Set(&encodeSequences, kernels.AVX2, encodeSequencesBMI2) }
