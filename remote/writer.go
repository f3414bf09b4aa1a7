package remote

import (
	"context"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/parts"
	"github.com/seed03b80dae/blosc2/stream"
)

// A Writer is a stream.Writer of an object in a store.
type Writer struct {
	*stream.Writer
	upload *Upload
}

// Create returns a Writer of an object: see NewUpload for ctx, and
// UploadOptions. An incomplete frame never appears: Close, CloseWithError and
// Abort drop it after an error. Flush ends the current chunk, as in a pipe, and
// Checkpoint returns errors.ErrUnsupported.
func Create(ctx context.Context, object parts.Object, upload []UploadOption, opts ...stream.WriterOption) (*Writer, error) {
	u, err := NewUpload(ctx, object, upload...)
	if err != nil {
		return nil, err
	}
	w, err := stream.NewWriter(u, append([]stream.WriterOption{stream.Context(ctx)}, opts...)...)
	if err != nil {
		u.Abort(err)
		return nil, err
	}
	return &Writer{w, u}, nil
}

// Close ends the frame and makes the object appear.
func (w *Writer) Close() error { return w.upload.finish(w.Writer.Close()) }

// CloseWithError is like Close if err is nil or io.EOF. Otherwise no object appears.
func (w *Writer) CloseWithError(err error) error {
	return w.upload.finish(w.Writer.CloseWithError(err))
}

// Abort drops the object: see stream.Writer.Abort.
func (w *Writer) Abort(err error) error { return w.upload.drop(w.Writer.Abort(err)) }

// An ArrayWriter is a b2nd.Writer of an object in a store.
type ArrayWriter struct {
	*b2nd.Writer
	upload *Upload
}

// CreateArray returns a Writer of the array that spec describes to an object: see
// Create.
func CreateArray(ctx context.Context, object parts.Object, spec b2nd.Spec, upload []UploadOption, opts ...stream.WriterOption) (*ArrayWriter, error) {
	u, err := NewUpload(ctx, object, upload...)
	if err != nil {
		return nil, err
	}
	w, err := b2nd.NewWriter(u, spec, append([]stream.WriterOption{stream.Context(ctx)}, opts...)...)
	if err != nil {
		u.Abort(err)
		return nil, err
	}
	return &ArrayWriter{w, u}, nil
}

// Close ends the array and makes the object appear.
func (w *ArrayWriter) Close() error { return w.upload.finish(w.Writer.Close()) }

// CloseWithError is like Close if err is nil or io.EOF. Otherwise no object appears.
func (w *ArrayWriter) CloseWithError(err error) error {
	return w.upload.finish(w.Writer.CloseWithError(err))
}

// CloseRows is like Close, for input that may have ended early: the object holds all
// complete rows. It returns the error of the input: see b2nd.Writer.CloseRows.
func (w *ArrayWriter) CloseRows() error {
	err := w.Writer.CloseRows()
	if w.Writer.Sealed() {
		if e := w.upload.Close(); e != nil {
			return e
		}
		return err
	}
	return w.upload.finish(err)
}

// Abort drops the object: see b2nd.Writer.Abort.
func (w *ArrayWriter) Abort(err error) error { return w.upload.drop(w.Writer.Abort(err)) }

// finish completes the Upload of a frame whose Writer's Close returned err, or drops it
// after an error.
func (u *Upload) finish(err error) error {
	if err != nil {
		return u.drop(err)
	}
	return u.Close()
}

// drop aborts the Upload. It does nothing if the frame was closed.
func (u *Upload) drop(err error) error {
	if u.ended {
		return err
	}
	return u.Abort(err)
}
