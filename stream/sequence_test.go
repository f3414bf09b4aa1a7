package stream_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/stream"
)

// A flipped bit in the first 200 bytes of the second or third frame of a sequence is
// detected by a Reader, of a file and of a pipe, and by Verify. The bytes that a Reader
// returns before the error are right.
func TestFlippedSequence(t *testing.T) {
	data := numbers(6000)
	sealed := func(b []byte) []byte { return compress(t, b, stream.ChunkSize(500)) }
	unsealed := func(b []byte) []byte { return flushed(t, b, 500) }
	for name, make := range map[string]func(b []byte) []byte{"sealed": sealed, "unsealed": unsealed} {
		parts := [][]byte{make(data[:2000]), make(data[2000:4000]), make(data[4000:])}
		whole := bytes.Join(parts, nil)
		check(t, name, whole, data)
		for _, start := range []int{len(parts[0]), len(parts[0]) + len(parts[1])} {
			for bit := range 200 * 8 {
				b := bytes.Clone(whole)
				b[start+bit/8] ^= 1 << (bit % 8)
				for kind, src := range map[string]io.Reader{"file": bytes.NewReader(b), "pipe": io.MultiReader(bytes.NewReader(b))} {
					got, err := readSome(t, src, stream.Workers(1))
					if err == nil || !bytes.HasPrefix(data, got) {
						t.Errorf("%s, %s: bit %d of the frame at %d: %d bytes, %v", name, kind, bit, start, len(got), err)
					}
				}
				rep, err := frame.Verify(bytes.NewReader(b), int64(len(b)))
				if err != nil || rep.Sound() {
					t.Errorf("%s: bit %d of the frame at %d: sound, %v", name, bit, start, err)
				}
			}
		}
	}
}
