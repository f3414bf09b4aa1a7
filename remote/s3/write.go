package s3

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"iter"
	"sync"
	"time"

	"github.com/minio/minio-go/v7"

	"github.com/seed03b80dae/blosc2/internal/stores"
	"github.com/seed03b80dae/blosc2/parts"
	"github.com/seed03b80dae/blosc2/remote"
)

// Put begins the object that a URL s3://bucket/key names, for remote.Create,
// remote.CreateArray or remote.NewUpload. It makes no request.
func (s *Store) Put(rawURL string) (parts.Object, error) {
	bucket, key, err := stores.ParseObject(form, rawURL)
	if err != nil {
		return nil, err
	}
	return &upload{store: s, bucket: bucket, key: key}, nil
}

// These are S3's published limits for a multipart upload.
const (
	partsMost = 10_000
	partMin   = 5 << 20
	partMax   = 5 << 30
)

// An upload is a multipart upload.
type upload struct {
	store       *Store
	bucket, key string
	shared      bool // other processes use the same id

	mu  sync.Mutex
	id  string // empty before the first part
	cut bool   // a part may have been interrupted, and still arrive
}

func (u *upload) Rules() parts.Rules {
	return parts.Rules{Min: partMin, Max: partMax, Count: partsMost, Grow: u.store.grow, Shared: u.shared, Sums: u.store.sums}
}

// beginTime limits the time for beginning an upload. It is the same as
// remote.DefaultStall.
const beginTime = 30 * time.Second

// begin returns the upload's id, which the first part requests. Cancelling ctx does not
// cancel the request, because the store might have begun an upload whose id would then
// be lost.
func (u *upload) begin(ctx context.Context) (id string, err error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if err := context.Cause(ctx); err != nil {
		return "", err
	}
	if u.id == "" {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), beginTime)
		defer cancel()
		u.id, err = u.store.beginUpload(ctx, u.bucket, u.key)
	}
	return u.id, err
}

func (u *upload) Put(ctx context.Context, n int, body io.ReadSeeker, size int64) (tag string, err error) {
	id, err := u.begin(ctx)
	if err != nil {
		return "", err
	}
	opts := minio.PutObjectPartOptions{DisableContentSha256: true} // otherwise the client signs the body in small pieces, which takes memory
	if u.store.sums {
		sum, err := sumOf(body)
		if err != nil {
			return "", err
		}
		opts.Sha256Hex = hex.EncodeToString(sum[:])
	}
	part, err := u.store.write.PutObjectPart(ctx, u.bucket, u.key, id, n, body, size, opts)
	if err != nil {
		u.mu.Lock()
		defer u.mu.Unlock()
		u.cut = true
	}
	return part.ETag, asStatus(err)
}

// sumOf returns the SHA-256 of a body and rewinds it.
func sumOf(body io.ReadSeeker) (sum [32]byte, err error) {
	if s, ok := body.(parts.Summed); ok {
		return s.SHA256(), nil
	}
	hash := sha256.New()
	if _, err := io.Copy(hash, body); err != nil {
		return sum, err
	}
	_, err = body.Seek(0, io.SeekStart)
	return [32]byte(hash.Sum(nil)), err
}

func (u *upload) Complete(ctx context.Context, list []parts.Part) error {
	done := make([]minio.CompletePart, len(list))
	for i, part := range list {
		done[i] = minio.CompletePart{PartNumber: part.Number, ETag: part.Tag}
	}
	_, err := u.store.write.CompleteMultipartUpload(ctx, u.bucket, u.key, u.id, done, minio.PutObjectOptions{})
	return asStatus(err)
}

// abortPauses are the pauses before an upload is aborted again if a part was
// interrupted: the store may still be storing that part, and keep it. They
// were chosen so that the whole abort adds about half a second; how long stores keep
// storing is not documented.
var abortPauses = []time.Duration{25 * time.Millisecond, 100 * time.Millisecond, 400 * time.Millisecond}

func (u *upload) Abort(ctx context.Context) error {
	if u.id == "" {
		return nil
	}
	err := u.drop(ctx)
	if !u.cut {
		return err
	}
	for _, pause := range abortPauses {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(pause):
		}
		if err = u.drop(ctx); err != nil {
			return err
		}
	}
	_, err = u.store.write.ListObjectParts(ctx, u.bucket, u.key, u.id, 0, 1)
	if !errors.Is(asStatus(err), fs.ErrNotExist) {
		return errors.New("the store still holds a part that was in progress; abort the upload again")
	}
	return nil
}

// drop aborts the upload, unless the store no longer has it.
func (u *upload) drop(ctx context.Context) error {
	err := asStatus(u.store.write.AbortMultipartUpload(ctx, u.bucket, u.key, u.id))
	if errors.Is(err, fs.ErrNotExist) && u.cut {
		return nil
	}
	return err
}

// Unfinished yields the unfinished uploads below a URL s3://bucket or
// s3://bucket/prefix. It includes those of other programs.
func (s *Store) Unfinished(ctx context.Context, rawURL string) iter.Seq2[remote.Unfinished, error] {
	return func(yield func(remote.Unfinished, error) bool) {
		bucket, prefix, err := stores.Parse(form, rawURL)
		if err != nil {
			yield(remote.Unfinished{}, err)
			return
		}
		for key, id := "", ""; ; {
			list, err := s.write.ListMultipartUploads(ctx, bucket, prefix, key, id, "", 1000)
			if err != nil {
				yield(remote.Unfinished{}, asStatus(err))
				return
			}
			for _, u := range list.Uploads {
				if !yield(remote.Unfinished{URL: "s3://" + bucket + "/" + u.Key, ID: u.UploadID, Begun: u.Initiated}, nil) {
					return
				}
			}
			if key, id = list.NextKeyMarker, list.NextUploadIDMarker; !list.IsTruncated {
				return
			}
		}
	}
}

// Remove drops an unfinished upload.
func (s *Store) Remove(ctx context.Context, u remote.Unfinished) error {
	bucket, key, err := stores.ParseObject(form, u.URL)
	if err != nil {
		return err
	}
	return asStatus(s.write.AbortMultipartUpload(ctx, bucket, key, u.ID))
}
