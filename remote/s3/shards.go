package s3

import (
	"context"
	"io"

	"github.com/minio/minio-go/v7"

	"github.com/seed03b80dae/blosc2/shard"
)

// BeginShards begins an object that many workers make in shards, and returns the
// id that all of them need: see Shards. It is called once for an object. Unfinished
// yields it until it is complete, and Remove aborts it.
func (s *Store) BeginShards(ctx context.Context, rawURL string) (id string, err error) {
	bucket, key, err := parseObject(rawURL)
	if err != nil {
		return "", err
	}
	id, err = s.write.NewMultipartUpload(ctx, bucket, key, minio.PutObjectOptions{ContentType: "application/octet-stream"})
	return id, asStatus(err)
}

// Shards returns the parts of an object that BeginShards has begun, for
// shard.Plan.UploadShard and shard.CompleteParts with shard.RuleS3(). It may be used by
// several goroutines, and by as many processes as there are.
func (s *Store) Shards(rawURL, id string) (shard.Parts, error) {
	bucket, key, err := parseObject(rawURL)
	if err != nil {
		return nil, err
	}
	return &shardParts{s, bucket, key, id}, nil
}

type shardParts struct {
	store           *Store
	bucket, key, id string
}

// PutPart puts a part; its tag is the ETag.
func (p *shardParts) PutPart(ctx context.Context, n int, body io.Reader, size int64) (string, error) {
	part, err := p.store.write.PutObjectPart(ctx, p.bucket, p.key, p.id, n, body, size, minio.PutObjectPartOptions{})
	return part.ETag, asStatus(err)
}

// Complete makes the object.
func (p *shardParts) Complete(ctx context.Context, parts []shard.Part) error {
	done := make([]minio.CompletePart, len(parts))
	for i, part := range parts {
		done[i] = minio.CompletePart{PartNumber: part.Number, ETag: part.Tag}
	}
	_, err := p.store.write.CompleteMultipartUpload(ctx, p.bucket, p.key, p.id, done, minio.PutObjectOptions{})
	return asStatus(err)
}
