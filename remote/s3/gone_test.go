package s3_test

import (
	"errors"
	"io"
	"io/fs"
	"log"
	"net"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2/remote"
	"github.com/seed03b80dae/blosc2/stream"
)

// If the server is gone in the middle of an upload, the error is one line that names the
// object and the part, and says that parts remain. They are listed and removed when the
// server is back. Nothing appears under the name.
func TestServerGone(t *testing.T) {
	options := gateway(t)
	direct := newStore(t, options)
	target, err := url.Parse(options.Endpoint)
	if err != nil {
		t.Fatal(err)
	}
	sent := make(chan bool, 100)
	proxy := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Host = r.In.Host // the signature covers the host
			if tested.Puts(r.In) {
				sent <- true
			}
		},
		ErrorLog: quiet,
	})
	defer proxy.Close()
	options.Endpoint = proxy.URL
	const name = "s3://bucket/some/gone.b2frame"
	object, err := newStore(t, options).Put(name)
	if err != nil {
		t.Fatal(err)
	}
	w, err := remote.Create(t.Context(), object, []remote.UploadOption{remote.PartSize(5 << 20)}, stream.TypeSize(1))
	if err != nil {
		t.Fatal(err)
	}
	data := noise(1 << 20)
	for begun, n := false, 0; !begun; n++ { // how much is sent after a Write depends on the workers
		if n > 200 {
			t.Fatal("no part was sent of 200 MiB")
		}
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
		select {
		case begun = <-sent: // part 2 is on its way, so the upload has begun
		default:
		}
	}
	proxy.CloseClientConnections()
	proxy.Listener.Close()
	w.Write(data) // Close returns its error
	err = w.Close()
	var refused *net.OpError
	if !errors.Is(err, remote.ErrPartsRemain) || !errors.As(err, &refused) || refused.Op != "dial" {
		t.Errorf("the error is of another kind: %v", err)
	}
	if text := err.Error(); strings.Contains(text, "\n") || !strings.Contains(text, "part ") || !strings.Contains(text, "/bucket/some/gone.b2frame") {
		t.Errorf("%q", text)
	}
	left := 0
	for u, err := range direct.Unfinished(t.Context(), "s3://bucket") {
		if err != nil {
			t.Fatal(err)
		}
		if u.URL != name {
			t.Errorf("left: %v", u)
		}
		if err := direct.Remove(t.Context(), u); err != nil {
			t.Error(err)
		}
		left++
	}
	if left != 1 {
		t.Errorf("%d uploads are left, want 1", left)
	}
	for u, err := range direct.Unfinished(t.Context(), "s3://bucket") {
		t.Errorf("after Remove: %v, %v", u, err)
	}
	if _, err := direct.Open(t.Context(), name); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the object: %v", err)
	}
}

// quiet discards what a proxy logs about broken connections.
var quiet = log.New(io.Discard, "", 0)
