package serve

import (
	"net/http"
	"os"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/stream"
)

// writeArray writes the window as a Blosc2 array. It is made in a temporary file,
// because the sizes in its header are known only at the end.
func (a *answer) writeArray() error {
	f, err := os.CreateTemp("", "blosc2-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	w, err := b2nd.NewWriter(f, b2nd.Spec{Shape: a.shape(), DType: a.field.String()}, stream.Workers(1))
	if err != nil {
		return err
	}
	err = a.each(a.r.Context(), a.plan, func(b []byte) error { _, err := w.Write(b); return err })
	if err != nil {
		w.Abort(err)
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	limitWriting(a.w, info.Size())
	http.ServeContent(a.w, a.r, "", info.ModTime(), f)
	return nil
}
