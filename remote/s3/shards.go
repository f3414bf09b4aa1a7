package s3

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"

	"github.com/minio/minio-go/v7"

	"github.com/seed03b80dae/blosc2/internal/stores"
	"github.com/seed03b80dae/blosc2/parts"
	"github.com/seed03b80dae/blosc2/remote"
)

// maxID is the length of the longest upload id that is read, in bytes. S3 documents no
// limit; its ids have about 100 bytes.
const maxID = 4096

// Shared returns the object of a URL s3://bucket/key that several processes write
// together by passing the same id: see remote.WriteShard. It is one multipart upload.
// The first process begins it and stores its id in the object KEY.shards/ID/upload,
// which the store lets only one process create. Unfinished yields the upload until it
// is complete. Abort drops the parts of all processes.
func (s *Store) Shared(ctx context.Context, rawURL, id string) (parts.Object, error) {
	bucket, key, err := stores.ParseObject(form, rawURL)
	if err != nil {
		return nil, err
	}
	u := &upload{store: s, bucket: bucket, key: key, shared: true}
	marker := key + ".shards/" + id + "/upload"
	for {
		if u.id, err = s.readID(ctx, bucket, marker); !errors.Is(err, fs.ErrNotExist) {
			return u, err
		}
		if u.id, err = s.beginUpload(ctx, bucket, key); err != nil {
			return nil, err
		}
		var opts minio.PutObjectOptions
		opts.SetMatchETagExcept("*") // the object is created only if it does not exist
		_, err = s.write.PutObject(ctx, bucket, marker, bytes.NewReader([]byte(u.id)), int64(len(u.id)), "", "", opts)
		if err == nil {
			return u, nil
		}
		err = asStatus(err)
		if e := u.Abort(context.WithoutCancel(ctx)); e != nil {
			return nil, fmt.Errorf("%w; %w: %w", err, remote.ErrPartsRemain, e)
		}
		if !conflict(err) {
			return nil, err
		}
	}
}

// conflict reports whether another process created the object first.
func conflict(err error) bool {
	var answer *remote.StatusError
	return errors.As(err, &answer) && (answer.Code == http.StatusPreconditionFailed || answer.Code == http.StatusConflict)
}

// readID returns the contents of a marker.
func (s *Store) readID(ctx context.Context, bucket, marker string) (string, error) {
	body, _, _, err := s.write.GetObject(ctx, bucket, marker, minio.GetObjectOptions{})
	if err != nil {
		return "", asStatus(err)
	}
	defer body.Close()
	b, err := io.ReadAll(io.LimitReader(body, maxID))
	return string(b), asStatus(err)
}

// beginUpload begins a multipart upload.
func (s *Store) beginUpload(ctx context.Context, bucket, key string) (id string, err error) {
	id, err = s.write.NewMultipartUpload(ctx, bucket, key, minio.PutObjectOptions{ContentType: "application/octet-stream"})
	return id, asStatus(err)
}

// Delete deletes the object of a URL s3://bucket/key; a missing one is not an
// error.
func (s *Store) Delete(ctx context.Context, rawURL string) error {
	bucket, key, err := stores.ParseObject(form, rawURL)
	if err != nil {
		return err
	}
	err = asStatus(s.write.RemoveObject(ctx, bucket, key, minio.RemoveObjectOptions{}))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
