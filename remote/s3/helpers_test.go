package s3_test

import (
	"io"
	"math/rand/v2"
	"net/http"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/storetest"
	"github.com/seed03b80dae/blosc2/remote/s3"
)

// gateway starts a server with the S3 protocol and one bucket.
func gateway(t testing.TB) s3.Options {
	t.Helper()
	return s3.Options{Endpoint: storetest.Gateway(t), AccessKey: accessKey, SecretKey: secretKey}
}

func newStore(t testing.TB, o s3.Options) *s3.Store {
	t.Helper()
	s, err := s3.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func noise(n int) []byte {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{6}).Read(b)
	return b
}

// object reads an object of the bucket.
func object(t *testing.T, store *s3.Store) []byte {
	t.Helper()
	o, err := store.Open(t.Context(), shardURL)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	got := make([]byte, o.Size())
	if _, err := o.ReadAt(got, 0); err != nil && err != io.EOF {
		t.Fatal(err)
	}
	return got
}

const accessKey, secretKey = storetest.AccessKey, storetest.SecretKey

var tested = storetest.Driver{
	Base:  "s3://bucket",
	Start: func(t testing.TB, _ string) string { return gateway(t).Endpoint },
	Connect: func(t testing.TB, address string) storetest.Store {
		t.Setenv("AWS_ENDPOINT_URL", address)
		t.Setenv("AWS_ACCESS_KEY_ID", accessKey)
		t.Setenv("AWS_SECRET_ACCESS_KEY", secretKey)
		store, err := s3.FromEnv()
		if err != nil {
			t.Fatal(err)
		}
		return store
	},
	Denied: func(t testing.TB, address string) map[string]storetest.Store {
		return map[string]storetest.Store{
			"a wrong key":    newStore(t, s3.Options{Endpoint: address, AccessKey: accessKey, SecretKey: "wrong"}),
			"no credentials": newStore(t, s3.Options{Endpoint: address}),
		}
	},
	Reads: func(r *http.Request) bool {
		return r.Method == http.MethodGet && r.Header.Get("Range") != ""
	},
	Puts:      func(r *http.Request) bool { return r.Method == http.MethodPut && r.URL.Query().Has("partNumber") },
	Completes: func(r *http.Request) bool { return r.Method == http.MethodPost && r.URL.Query().Has("uploadId") },
	Version:   "ETag",
}

const shardURL = "s3://bucket/shards.b2frame"
