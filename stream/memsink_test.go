package stream

import (
	"context"
	"errors"
	"testing"
	"unsafe"
)

// Chunks are encoded directly into dst if there is room: all of them with one worker, and
// at least the first with several.
func TestPlace(t *testing.T) {
	const size = 300_000
	for _, workers := range []int{1, 2} {
		for _, chunks := range []int{1, 2} {
			p := &packer{w: Writer{coder: new(encoder)}}
			dst := make([]byte, 0, 2*chunks*size)
			got, err := p.compress(dst, make([]byte, chunks*size), writerOptions([]WriterOption{ChunkSize(size), Workers(workers)}))
			if err != nil || unsafe.SliceData(got) != unsafe.SliceData(dst) {
				t.Fatalf("%d workers, %d chunks: %d bytes elsewhere, %v", workers, chunks, len(got), err)
			}
			own := 0
			for _, j := range append(p.w.coder.spare, p.w.coder.single) {
				if j != nil && j.Value.out != nil {
					own++
				}
				if j != nil && (j.Value.into != nil || j.Value.data != nil) {
					t.Errorf("%d workers, %d chunks: a task keeps memory of dst", workers, chunks)
				}
			}
			if most := (chunks - 1) * (workers - 1); own > most {
				t.Errorf("%d workers, %d chunks: %d tasks have memory for chunks, more than %d", workers, chunks, own, most)
			}
		}
	}
}

// After an error, tasks that were not written may refer to dst, and the chunks that Auto
// holds back are not placed: a later call must not encode one of them there.
func TestPlaceAfterError(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	opts := []WriterOption{Level(3), TypeSize(77), ChunkSize(7700), Workers(2)} // parameters of no other test
	dst := make([]byte, 0, 200_000)
	_, err := Compress(dst, make([]byte, 77_000), append(opts, Context(ctx), Progress(func(Stats) { cancel() }))...)
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	cfg := writerOptions(opts)
	if packersFor(&cfg.chunk).Get() != nil {
		t.Error("the packer is kept for later calls, with the memory of the caller")
	}
}
