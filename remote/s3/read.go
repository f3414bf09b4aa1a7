package s3

import (
	"context"
	"errors"
	"fmt"

	"github.com/minio/minio-go/v7"

	"github.com/seed03b80dae/blosc2/internal/stores"
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

// Object returns the object that a URL s3://bucket/key names, for remote.New. It makes
// no request.
func (s *Store) Object(rawURL string) (remote.Backend, error) {
	bucket, key, err := stores.ParseObject(form, rawURL)
	if err != nil {
		return nil, err
	}
	return remote.NewBackend(&object{s.read, bucket, key}), nil
}

// An object is a remote.Getter.
type object struct {
	core        *minio.Core
	bucket, key string
}

func (o *object) Get(ctx context.Context, off, n int64, version string) (a remote.Answer, err error) {
	var opts minio.GetObjectOptions
	first, last := off, off+n-1
	if off < 0 { // the last -off bytes
		first, last = 0, -n
	}
	if err := opts.SetRange(first, last); err != nil {
		return a, err
	}
	if version != "" {
		if err := opts.SetMatchETag(version); err != nil {
			return a, err
		}
	}
	body, stat, header, err := o.core.GetObject(ctx, o.bucket, o.key, opts)
	if err != nil {
		return a, asStatus(err)
	}
	a = remote.Answer{Body: body, To: stat.Size, Info: remote.Info{Size: stat.Size, Version: stat.ETag}}
	if r := header.Get("Content-Range"); r != "" { // without Content-Range the answer is the whole object
		if err = a.SetRange(r); err != nil {
			body.Close()
		}
	}
	return a, err
}

func (o *object) Stat(ctx context.Context) (remote.Info, error) {
	stat, err := o.core.StatObject(ctx, o.bucket, o.key, minio.StatObjectOptions{})
	return remote.Info{Size: stat.Size, Version: stat.ETag}, asStatus(err)
}

// asStatus returns a *remote.StatusError for the error of an answer.
func asStatus(err error) error {
	var answer minio.ErrorResponse
	if !errors.As(err, &answer) || answer.StatusCode == 0 {
		return err
	}
	return remote.NewStatusError(answer.StatusCode, fmt.Sprintf("%s (%s)", answer.Message, answer.Code), nil)
}
