package s3_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/seed03b80dae/blosc2/internal/storetest"
	"github.com/seed03b80dae/blosc2/parts"
	"github.com/seed03b80dae/blosc2/remote"
)

func TestStore(t *testing.T) { storetest.Run(t, tested) }

func BenchmarkStore(b *testing.B) { storetest.Benchmark(b, tested) }

func TestCommand(t *testing.T) { storetest.RunCommand(t, tested) }

// The SHA-256 of a part is computed and signed only over http, because over https the
// connection protects the bytes.
func TestSums(t *testing.T) {
	options := gateway(t)
	target, err := url.Parse(options.Endpoint)
	if err != nil {
		t.Fatal(err)
	}
	var signed sync.Map // the values of X-Amz-Content-Sha256 that parts were sent with
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target)
		r.Out.Host = r.In.Host // the signature covers the host
		if tested.Puts(r.In) {
			signed.Store(r.In.Header.Get("X-Amz-Content-Sha256"), true)
		}
	}}
	for _, secure := range []bool{false, true} {
		start := httptest.NewServer
		if secure {
			start = httptest.NewTLSServer
		}
		srv := start(proxy)
		defer srv.Close()
		options.Endpoint, options.Transport = srv.URL, srv.Client().Transport
		store := newStore(t, options)
		object, err := store.Put("s3://bucket/sums")
		if err != nil {
			t.Fatal(err)
		}
		if object.Rules().Sums == secure {
			t.Errorf("https %t: the rules are %+v", secure, object.Rules())
		}
		data := noise(1000)
		want := "UNSIGNED-PAYLOAD"
		if !secure {
			want = fmt.Sprintf("%x", sha256.Sum256(data))
		}
		signed.Clear()
		tag, err := object.Put(t.Context(), 1, bytes.NewReader(data), int64(len(data)))
		if err == nil {
			err = object.Complete(t.Context(), []parts.Part{{Number: 1, Size: int64(len(data)), Tag: tag}})
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := signed.Load(want); !ok {
			t.Errorf("https %t: the part is not signed by %s", secure, want)
		}
		o, err := store.Open(t.Context(), "s3://bucket/sums")
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(o); err != nil || !bytes.Equal(got, data) {
			t.Errorf("https %t: other bytes, or %v", secure, err)
		}
		o.Close()
	}
}

// A presigned URL is read without credentials, until it expires: then the error is
// one clear line, without the signature.
func TestPresigned(t *testing.T) {
	options := gateway(t)
	store := newStore(t, options)
	object, err := store.Put("s3://bucket/presigned")
	if err != nil {
		t.Fatal(err)
	}
	w, err := remote.Create(t.Context(), object, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	client, err := minio.New(strings.TrimPrefix(options.Endpoint, "http://"), &minio.Options{Creds: credentials.NewStaticV4(options.AccessKey, options.SecretKey, ""), Region: "us-east-1"})
	if err != nil {
		t.Fatal(err)
	}
	u, err := client.PresignedGetObject(t.Context(), "bucket", "presigned", 2*time.Second, nil)
	if err != nil {
		t.Fatal(err)
	}
	o, err := remote.Open(t.Context(), u.String())
	if err != nil {
		t.Fatal(err)
	}
	o.Close()
	for began := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		o, err := remote.Open(t.Context(), u.String())
		if err == nil {
			if o.Close(); time.Since(began) > 20*time.Second {
				t.Fatal("it does not expire")
			}
			continue
		}
		text := err.Error()
		if !errors.Is(err, fs.ErrPermission) || !strings.Contains(text, "expired") || strings.Contains(text, "\n") || strings.Contains(text, "Signature=") {
			t.Errorf("expired: %v", err)
		}
		return
	}
}
