package gcs

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"cloud.google.com/go/storage"
	"google.golang.org/api/googleapi"

	"github.com/seed03b80dae/blosc2/internal/stores"
	"github.com/seed03b80dae/blosc2/remote"
)

// Open opens the object that a URL gs://bucket/key names: see remote.New. Its
// version is the generation.
func (s *Store) Open(ctx context.Context, rawURL string, opts ...remote.Option) (*remote.Object, error) {
	b, err := s.Object(rawURL)
	if err != nil {
		return nil, err
	}
	return remote.New(ctx, b, rawURL, opts...)
}

// Object returns the object that a URL gs://bucket/key names, for remote.New. It makes
// no request.
func (s *Store) Object(rawURL string) (remote.Backend, error) {
	bucket, key, err := stores.ParseObject(form, rawURL)
	if err != nil {
		return nil, err
	}
	// The client must not retry, because package remote does.
	return remote.NewBackend(&object{s.client.Bucket(bucket).Object(key).Retryer(storage.WithPolicy(storage.RetryNever))}), nil
}

// An object is a remote.Getter.
type object struct {
	handle *storage.ObjectHandle
}

func (o *object) Get(ctx context.Context, off, n int64, version string) (a remote.Answer, err error) {
	handle := o.handle
	if version != "" {
		generation, err := strconv.ParseInt(version, 10, 64)
		if err != nil {
			return a, err
		}
		handle = handle.If(storage.Conditions{GenerationMatch: generation})
	}
	if off < 0 { // the last -off bytes
		off, n = -n, -1
	}
	r, err := handle.NewRangeReader(ctx, off, n)
	if err != nil {
		return a, asStatus(err)
	}
	if r.Attrs.ContentEncoding == "gzip" {
		r.Close()
		return a, errors.New("the object has Content-Encoding gzip, which does not support ranges")
	}
	from := r.Attrs.StartOffset
	return remote.Answer{Body: r, From: from, To: from + r.Remain(), Info: infoOf(r.Attrs.Size, r.Attrs.Generation)}, nil
}

func (o *object) Stat(ctx context.Context) (info remote.Info, err error) {
	attrs, err := o.handle.Attrs(ctx)
	if err != nil {
		return info, asStatus(err)
	}
	return infoOf(attrs.Size, attrs.Generation), nil
}

func infoOf(size, generation int64) remote.Info {
	return remote.Info{Size: size, Version: strconv.FormatInt(generation, 10)}
}

// asStatus returns a *remote.StatusError for the error of an answer.
func asStatus(err error) error {
	var answer *googleapi.Error
	switch {
	case errors.As(err, &answer):
		reason, _, _ := strings.Cut(strings.TrimSpace(answer.Message), "\n")
		return remote.NewStatusError(answer.Code, reason, answer.Header)
	case errors.Is(err, storage.ErrObjectNotExist):
		return remote.NewStatusError(http.StatusNotFound, "no such object", nil)
	case errors.Is(err, storage.ErrBucketNotExist):
		return remote.NewStatusError(http.StatusNotFound, "no such bucket", nil)
	}
	return err
}
