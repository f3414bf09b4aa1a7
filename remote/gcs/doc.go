// Package gcs reads and writes frames and arrays in Google Cloud Storage.
//
//	store, err := gcs.FromEnv()
//	…
//	o, err := store.Open(ctx, "gs://bucket/data.b2nd")
//	…
//	a, err := b2nd.Open(o, o.Size())
//
// See package remote for reading and uploads.
//
// An object is written as two temporary ones: its header, and the rest, which
// is one resumable upload. Close makes the store compose the object of both,
// and deletes them. Their names begin with .blosc2-uploads/, so the caller must
// be allowed to create, read and delete objects there. A process that is killed
// before its upload is complete leaves at most these two: Unfinished finds them
// and Remove deletes them. A lifecycle rule for that prefix is also
// recommended. The store keeps an interrupted resumable upload for a week, at
// no cost.
package gcs
