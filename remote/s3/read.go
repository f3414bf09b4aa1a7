package s3

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/minio/minio-go/v7"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/remote"
)

// Open opens the object that a URL s3://bucket/key names: see remote.New.
func (s *Store) Open(ctx context.Context, rawURL string, opts ...remote.Option) (*remote.Object, error) {
	b, err := s.Object(rawURL)
	if err != nil {
		return nil, err
	}
	return remote.New(ctx, b, rawURL, opts...)
}

// Object returns the object that a URL s3://bucket/key names, for remote.New. It
// asks the store for nothing yet.
func (s *Store) Object(rawURL string) (remote.Backend, error) {
	bucket, key, err := parseObject(rawURL)
	if err != nil {
		return nil, err
	}
	return &object{s.read, bucket, key}, nil
}

// An object is a remote.Backend.
type object struct {
	core        *minio.Core
	bucket, key string
}

func (o *object) Open(ctx context.Context, off, n int64, version string) (io.ReadCloser, remote.Info, error) {
	return o.get(ctx, off, n, version)
}

// OpenEnd implements remote.Ender.
func (o *object) OpenEnd(ctx context.Context, n int64) (io.ReadCloser, remote.Info, error) {
	return o.get(ctx, -1, n, "")
}

// get asks for n bytes from off on, or for the last n where off is negative.
func (o *object) get(ctx context.Context, off, n int64, version string) (io.ReadCloser, remote.Info, error) {
	var opts minio.GetObjectOptions
	first, last := off, off+n-1
	if off < 0 {
		first, last = 0, -n
	}
	if err := opts.SetRange(first, last); err != nil {
		return nil, remote.Info{}, err
	}
	if version != "" {
		if err := opts.SetMatchETag(version); err != nil {
			return nil, remote.Info{}, err
		}
	}
	body, stat, header, err := o.core.GetObject(ctx, o.bucket, o.key, opts)
	if err != nil {
		err = asStatus(err)
		var status *remote.StatusError
		if errors.As(err, &status) && status.Code == http.StatusRequestedRangeNotSatisfiable {
			return o.empty(ctx)
		}
		return nil, remote.Info{}, err
	}
	info, err := rangeOf(header.Get("Content-Range"), stat, off, n)
	if err != nil {
		body.Close()
		return nil, info, err
	}
	return body, info, nil
}

// rangeOf judges an answer to a request for n bytes from off on.
func rangeOf(header string, stat minio.ObjectInfo, off, n int64) (remote.Info, error) {
	if header == "" { // all of the object, which is right only if no more was asked for
		if off <= 0 && stat.Size <= n {
			return remote.Info{Size: stat.Size, Version: stat.ETag}, nil
		}
		return remote.Info{}, remote.ErrNoRanges
	}
	from, to, size, err := remote.ParseContentRange(header)
	if off < 0 {
		off = max(size-n, 0)
	}
	if err == nil && (from != off || to != min(off+n, size)) {
		err = fmt.Errorf("the store answers with bytes %d to %d of %d; %d to %d were asked for", from, to-1, size, off, off+n-1)
	}
	return remote.Info{Size: size, Version: stat.ETag}, err
}

// empty is Open for an object that has no such range, because it is empty.
func (o *object) empty(ctx context.Context) (io.ReadCloser, remote.Info, error) {
	stat, err := o.core.StatObject(ctx, o.bucket, o.key, minio.StatObjectOptions{})
	if err != nil {
		return nil, remote.Info{}, asStatus(err)
	}
	return http.NoBody, remote.Info{Size: stat.Size, Version: stat.ETag}, nil
}

// asStatus makes the error of an answer what package remote understands.
func asStatus(err error) error {
	var answer minio.ErrorResponse
	if !errors.As(err, &answer) || answer.StatusCode == 0 {
		return err
	}
	if answer.StatusCode == http.StatusPreconditionFailed {
		return fmt.Errorf("the object was replaced while it was read; open it again: %w", blosc2.ErrChanged)
	}
	return &remote.StatusError{Code: answer.StatusCode, Reason: fmt.Sprintf("%s (%s)", answer.Message, answer.Code)}
}
