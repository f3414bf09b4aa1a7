package gcs

import "cloud.google.com/go/storage"

// A Store is Google's store. It is safe for use by several goroutines.
type Store struct {
	client *storage.Client
}

// New returns the Store that client reads and writes, with the caller's
// credentials.
func New(client *storage.Client) *Store { return &Store{client} }

// Close closes the connections to the store.
func (s *Store) Close() error { return s.client.Close() }

// form is the form of an object's URL, for errors.
const form = "gs://BUCKET/KEY"
