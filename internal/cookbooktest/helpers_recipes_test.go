package cookbooktest_test

import (
	"os"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/stream"
)

// compress makes a frame of a file of 4-byte items.
func compress(from, to string, opts ...stream.WriterOption) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	w, err := stream.CreateFile(to, append(opts, stream.TypeSize(4))...)
	if err != nil {
		return err
	}
	defer w.Abort(nil)
	if _, err := stream.Copy(w, in); err != nil {
		return err
	}
	return w.Close()
}

// counting makes an array with items that count up.
func counting(name string, rows, cols int64) error {
	spec, err := b2nd.SpecOf[int32](rows, cols)
	if err != nil {
		return err
	}
	w, err := b2nd.CreateFile(name, spec)
	if err != nil {
		return err
	}
	defer w.Abort(nil)
	for i := range rows * cols {
		if _, err := b2nd.WriteSlice(w.Writer, []int32{int32(i)}); err != nil {
			return err
		}
	}
	return w.Close()
}
