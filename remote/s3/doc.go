// Package s3 reads and writes frames and arrays in stores with the S3 protocol:
// Amazon's, and any other.
//
//	store, err := s3.FromEnv()
//	…
//	o, err := store.Open(ctx, "s3://bucket/data.b2nd")
//	…
//	a, err := b2nd.Open(o, o.Size())
//
// See package remote for reading and uploads. The multipart upload of a killed
// process leaves parts that cost money and are not listed among the objects:
// Unfinished finds them and Remove drops them. A rule of the bucket that drops
// such uploads after some days is also recommended.
package s3
