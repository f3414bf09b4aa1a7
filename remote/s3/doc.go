// Package s3 reads and writes frames and arrays in stores that speak S3: Amazon's,
// and any other.
//
//	store, err := s3.FromEnv()
//	…
//	o, err := store.Open(ctx, "s3://bucket/data.b2nd")
//	…
//	a, err := b2nd.Open(o, o.Size())
//
// See package remote for what is read when, and what an upload needs. A multipart
// upload of which the process was killed leaves parts that cost money and cannot
// be seen among the objects: Unfinished finds them and Remove drops them. A rule
// of the bucket that drops such uploads after some days is a good idea as well.
package s3
