package stream

import (
	"bytes"
	"encoding/binary"
	"io"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/tune"
)

// The header records the pick, the data survive a round trip, the bytes do not depend on
// the number of workers, and after Reset the parameters are chosen again.
func TestAuto(t *testing.T) {
	var data []byte
	for i := range 1 << 19 {
		data = binary.LittleEndian.AppendUint64(data, uint64(1e15)+uint64(i*i%977))
	}
	aims := []tune.Aim{tune.Balanced, tune.Speed, tune.Disk, tune.Size}
	if testing.Short() {
		aims = aims[:1]
	}
	for _, aim := range aims {
		var frames [2]bytes.Buffer
		for i, workers := range []int{1, 2} {
			w, err := NewWriter(io.Discard, Auto(aim), Workers(workers))
			if err != nil {
				t.Fatal(err)
			}
			// Compress other data first, for which another pick is right.
			w.Write(bytes.Repeat([]byte{1, 2, 3}, 1<<18))
			if err := w.Reset(&frames[i]); err != nil {
				t.Fatal(err)
			}
			if _, err := io.Copy(w, bytes.NewReader(data)); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(frames[0].Bytes(), frames[1].Bytes()) {
			t.Errorf("%v: other bytes with two workers", aim)
		}
		r, err := NewReader(&frames[0])
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(r)
		if err != nil || !bytes.Equal(got, data) {
			t.Fatalf("%v: other data, %v", aim, err)
		}
		h, err := r.Header()
		if err != nil {
			t.Fatal(err)
		}
		if slow := h.Codec == blosc2.CodecZstd || h.Codec == blosc2.CodecZlib; aim != tune.Balanced && slow != (aim == tune.Size) {
			t.Errorf("%v: the header says %v", aim, h.Codec)
		}
		t.Logf("%v: %v %d %v", aim, h.Codec, h.Level, h.Filters)
	}
	if _, err := NewWriter(io.Discard, Auto(-9)); err == nil {
		t.Error("an invalid aim was accepted")
	}
}
