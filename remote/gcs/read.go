package gcs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"cloud.google.com/go/storage"
	"google.golang.org/api/googleapi"

	"github.com/seed03b80dae/blosc2"
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

// Object returns the object that a URL gs://bucket/key names, for remote.New. It
// asks the store for nothing yet.
func (s *Store) Object(rawURL string) (remote.Backend, error) {
	bucket, key, err := parseObject(rawURL)
	if err != nil {
		return nil, err
	}
	// Package remote makes requests again.
	return &object{s.client.Bucket(bucket).Object(key).Retryer(storage.WithPolicy(storage.RetryNever))}, nil
}

// An object is a remote.Backend.
type object struct {
	handle *storage.ObjectHandle
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
	handle := o.handle
	if version != "" {
		generation, err := strconv.ParseInt(version, 10, 64)
		if err != nil {
			return nil, remote.Info{}, err
		}
		handle = handle.If(storage.Conditions{GenerationMatch: generation})
	}
	from, length := off, n
	if off < 0 {
		from, length = -n, -1
	}
	r, err := handle.NewRangeReader(ctx, from, length)
	if err != nil {
		err = asStatus(err)
		var status *remote.StatusError
		if errors.As(err, &status) && status.Code == http.StatusRequestedRangeNotSatisfiable {
			return o.empty(ctx)
		}
		return nil, remote.Info{}, err
	}
	size := r.Attrs.Size
	info := remote.Info{Size: size, Version: strconv.FormatInt(r.Attrs.Generation, 10)}
	if off < 0 {
		off = max(size-n, 0)
	}
	switch want := min(n, size-off); {
	case r.Attrs.ContentEncoding == "gzip":
		err = errors.New("the object has Content-Encoding gzip, of which ranges mean nothing")
	case r.Remain() == size && size > want:
		err = remote.ErrNoRanges
	case r.Attrs.StartOffset != off || r.Remain() != want:
		err = fmt.Errorf("the store answers with %d bytes from %d on; %d from %d on were asked for", r.Remain(), r.Attrs.StartOffset, want, off)
	}
	if err != nil {
		r.Close()
		return nil, info, err
	}
	return r, info, nil
}

// empty is Open for an object that has no such range, because it is empty.
func (o *object) empty(ctx context.Context) (io.ReadCloser, remote.Info, error) {
	attrs, err := o.handle.Attrs(ctx)
	if err != nil {
		return nil, remote.Info{}, asStatus(err)
	}
	return http.NoBody, remote.Info{Size: attrs.Size, Version: strconv.FormatInt(attrs.Generation, 10)}, nil
}

// asStatus makes the error of an answer what package remote understands.
func asStatus(err error) error {
	var answer *googleapi.Error
	switch {
	case errors.As(err, &answer):
	case errors.Is(err, storage.ErrObjectNotExist):
		return &remote.StatusError{Code: http.StatusNotFound, Reason: "there is no such object"}
	case errors.Is(err, storage.ErrBucketNotExist):
		return &remote.StatusError{Code: http.StatusNotFound, Reason: "there is no such bucket"}
	default:
		return err
	}
	if answer.Code == http.StatusPreconditionFailed {
		return fmt.Errorf("the object was replaced while it was read; open it again: %w", blosc2.ErrChanged)
	}
	reason, _, _ := strings.Cut(strings.TrimSpace(answer.Message), "\n")
	status := &remote.StatusError{Code: answer.Code, Reason: reason}
	if seconds, err := strconv.Atoi(answer.Header.Get("Retry-After")); err == nil && seconds > 0 {
		status.Wait = time.Duration(min(seconds, 3600)) * time.Second
	}
	return status
}
