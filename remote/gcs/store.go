package gcs

import (
	"context"
	"net/http"
	"net/url"
	"os"
	"strings"

	"cloud.google.com/go/storage"
	"golang.org/x/oauth2/google"
	"google.golang.org/api/option"

	"github.com/seed03b80dae/blosc2"
)

// A Store is Google's store. It is safe for use by several goroutines.
type Store struct {
	client *storage.Client
}

// New returns the Store that client reads and writes, with the caller's
// credentials.
func New(client *storage.Client) *Store { return &Store{client} }

// FromEnv returns the Store that the environment describes: STORAGE_EMULATOR_HOST
// is the host of another server, for tests. Credentials are Google's default ones:
// those of the file GOOGLE_APPLICATION_CREDENTIALS, of the gcloud command, or of
// the machine. If there are none, requests are not signed, and only public objects
// can be read.
func FromEnv() (*Store, error) { return FromEnvAt("") }

// FromEnvAt is FromEnv for a store whose URL is given, unless that is empty.
func FromEnvAt(endpoint string) (*Store, error) {
	ctx := context.Background()
	opts := []option.ClientOption{storage.WithJSONReads()}
	if endpoint != "" {
		u, err := url.Parse(endpoint)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || strings.Trim(u.Path, "/") != "" {
			return nil, &blosc2.OptionError{Option: "endpoint", Value: endpoint, Range: "https://HOST or http://HOST"}
		}
		opts = append(opts, option.WithEndpoint(u.Scheme+"://"+u.Host+"/storage/v1/"))
	}
	if os.Getenv("STORAGE_EMULATOR_HOST") != "" || !haveCredentials(ctx) {
		opts = append(opts, option.WithHTTPClient(&http.Client{Transport: newTransport()}))
	}
	client, err := storage.NewClient(ctx, opts...)
	if err != nil {
		return nil, err
	}
	return New(client), nil
}

// haveCredentials reports whether there are default credentials. Those that are
// asked for by the environment must be there.
func haveCredentials(ctx context.Context) bool {
	if os.Getenv("GOOGLE_APPLICATION_CREDENTIALS") != "" {
		return true
	}
	_, err := google.FindDefaultCredentials(ctx, storage.ScopeReadWrite)
	return err == nil
}

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
