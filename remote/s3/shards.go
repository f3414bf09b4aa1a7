package s3

import (
	"context"

	"github.com/minio/minio-go/v7"

	"github.com/seed03b80dae/blosc2/parts"
)

// BeginShards begins an object that many workers make in shards, and returns the
// id that all of them need: see Shards. It is called once for an object. Unfinished
// yields it until it is complete, and Remove aborts it.
func (s *Store) BeginShards(ctx context.Context, rawURL string) (id string, err error) {
	bucket, key, err := parseObject(rawURL)
	if err != nil {
		return "", err
	}
	return s.beginUpload(ctx, bucket, key)
}

func (s *Store) beginUpload(ctx context.Context, bucket, key string) (id string, err error) {
	id, err = s.write.NewMultipartUpload(ctx, bucket, key, minio.PutObjectOptions{ContentType: "application/octet-stream"})
	return id, asStatus(err)
}

// Shards returns the object that BeginShards has begun, for shard.Plan.UploadShard
// and shard.CompleteParts. It may be used by as many processes as there are. Abort
// drops the parts of all of them.
func (s *Store) Shards(rawURL, id string) (parts.Object, error) {
	bucket, key, err := parseObject(rawURL)
	if err != nil {
		return nil, err
	}
	return &upload{store: s, bucket: bucket, key: key, shared: true, id: id}, nil
}
