package s3

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"slices"
	"sync"
	"time"

	"github.com/minio/minio-go/v7"

	"github.com/seed03b80dae/blosc2/remote"
)

// Put begins the object that a URL s3://bucket/key names, for remote.Create,
// remote.CreateArray or remote.NewUpload. It asks the store for nothing yet.
func (s *Store) Put(rawURL string) (remote.Parts, error) {
	bucket, key, err := parseObject(rawURL)
	if err != nil {
		return nil, err
	}
	return &parts{store: s, bucket: bucket, key: key}, nil
}

// What S3 demands of a multipart upload.
const (
	partsMost = 10_000
	partMax   = 5 << 30
)

// parts is a multipart upload.
type parts struct {
	store       *Store
	bucket, key string

	mu   sync.Mutex
	id   string // empty before the first part
	done []minio.CompletePart
	cut  bool // a part may have been cut off on its way
}

func (p *parts) Rules() remote.PartRules {
	return remote.PartRules{Most: partsMost, Max: partMax, Grow: p.store.grow}
}

// beginTime is how long the store may take to begin an upload.
const beginTime = 30 * time.Second

// begin returns the upload's id, after the first part has asked for it. The end of
// ctx does not end the request: the store might have begun an upload whose id
// is not known.
func (p *parts) begin(ctx context.Context) (id string, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := context.Cause(ctx); err != nil {
		return "", err
	}
	if p.id == "" {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), beginTime)
		defer cancel()
		p.id, err = p.store.write.NewMultipartUpload(ctx, p.bucket, p.key, minio.PutObjectOptions{ContentType: "application/octet-stream"})
	}
	return p.id, asStatus(err)
}

func (p *parts) Put(ctx context.Context, n int, b []byte) error {
	id, err := p.begin(ctx)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(b) // else the body is signed in small pieces, which takes memory
	part, err := p.store.write.PutObjectPart(ctx, p.bucket, p.key, id, n, bytes.NewReader(b), int64(len(b)), minio.PutObjectPartOptions{
		Sha256Hex: hex.EncodeToString(sum[:]), DisableContentSha256: true})
	p.mu.Lock()
	defer p.mu.Unlock()
	if err != nil {
		p.cut = true
		return asStatus(err)
	}
	p.done = append(p.done, minio.CompletePart{PartNumber: part.PartNumber, ETag: part.ETag})
	return nil
}

func (p *parts) Complete(ctx context.Context, n int) error {
	slices.SortFunc(p.done, func(a, b minio.CompletePart) int { return a.PartNumber - b.PartNumber })
	if len(p.done) != n {
		return fmt.Errorf("s3: %d of %d parts were put", len(p.done), n)
	}
	_, err := p.store.write.CompleteMultipartUpload(ctx, p.bucket, p.key, p.id, p.done, minio.PutObjectOptions{})
	return asStatus(err)
}

// abortTries is how often an upload is aborted of which a part was cut off: the
// store may still be storing that part, and keep it.
const abortTries = 3

func (p *parts) Abort(ctx context.Context) error {
	if p.id == "" {
		return nil
	}
	for range abortTries {
		err := asStatus(p.store.write.AbortMultipartUpload(ctx, p.bucket, p.key, p.id))
		if err != nil && !errors.Is(err, fs.ErrNotExist) || !p.cut {
			return err
		}
		_, err = p.store.write.ListObjectParts(ctx, p.bucket, p.key, p.id, 0, 1)
		if errors.Is(asStatus(err), fs.ErrNotExist) {
			return nil
		}
	}
	return errors.New("the store keeps a part that was on its way")
}

// Unfinished yields the uploads that are not finished below a URL s3://bucket or
// s3://bucket/prefix. Those of other programs are among them.
func (s *Store) Unfinished(ctx context.Context, rawURL string) iter.Seq2[remote.Unfinished, error] {
	return func(yield func(remote.Unfinished, error) bool) {
		bucket, prefix, err := parse(rawURL)
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

// Remove drops an upload that is not finished.
func (s *Store) Remove(ctx context.Context, u remote.Unfinished) error {
	bucket, key, err := parseObject(u.URL)
	if err != nil {
		return err
	}
	return asStatus(s.write.AbortMultipartUpload(ctx, bucket, key, u.ID))
}
