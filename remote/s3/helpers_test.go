package s3_test

import (
	"io"
	"math/rand/v2"
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
