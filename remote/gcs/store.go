package gcs

import (
	"net/http"
	"strings"

	"cloud.google.com/go/storage"

	"github.com/seed03b80dae/blosc2"
)

// A Store is Google's store. It is safe for use by several goroutines.
type Store struct {
	client *storage.Client
}

// New returns the Store that client reads and writes, with the caller's
// credentials.
func New(client *storage.Client) *Store { return &Store{client} }

// newTransport returns one that keeps as many connections as are used at a time.
func newTransport() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConnsPerHost = 64
	t.DisableCompression = true
	return t
}

// Close closes the connections.
func (s *Store) Close() error { return s.client.Close() }

// parse takes a URL gs://bucket/key apart.
func parse(rawURL string) (bucket, key string, err error) {
	rest, ok := strings.CutPrefix(rawURL, "gs://")
	bucket, key, _ = strings.Cut(rest, "/")
	if !ok || bucket == "" {
		return "", "", &blosc2.OptionError{Option: "URL", Value: rawURL, Range: "gs://BUCKET/KEY"}
	}
	return bucket, key, nil
}

// parseObject does so where there must be a key.
func parseObject(rawURL string) (bucket, key string, err error) {
	bucket, key, err = parse(rawURL)
	if err == nil && key == "" {
		err = &blosc2.OptionError{Option: "URL", Value: rawURL, Range: "gs://BUCKET/KEY"}
	}
	return bucket, key, err
}
