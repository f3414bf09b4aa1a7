package remote_test

import (
	"bytes"
	"crypto/md5"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/ranges"
	"github.com/seed03b80dae/blosc2/remote"
)

// nginxConf configures a folder that everyone may read, one that no one may read, one
// for signed URLs, and a cache of all, as in docs/remote.md.
const nginxConf = `
daemon off;
master_process off;
pid nginx.pid;
error_log stderr error;
events {}
http {
	access_log off;
	default_type application/octet-stream;
	client_body_temp_path body;
	proxy_temp_path proxy;
	fastcgi_temp_path fastcgi;
	uwsgi_temp_path uwsgi;
	scgi_temp_path scgi;
	gzip on;
	gzip_types application/octet-stream;
	proxy_cache_path cache keys_zone=data:10m max_size=50g inactive=30d;
	server {
		listen %[1]s;
		root files;
		location /private/ { deny all; }
		location /signed/ {
			default_type text/plain;
			secure_link $arg_signature,$arg_expires;
			secure_link_md5 "$secure_link_expires$uri secret";
			if ($secure_link = "") { return 403 "the signature is wrong"; }
			if ($secure_link = "0") { return 403 "the signature has expired"; }
		}
		location /busy/ { return 503; }
		location /few/ { max_ranges 10; }
		location /cached/ {
			slice             1m;
			proxy_cache       data;
			proxy_cache_key   $uri$slice_range;
			proxy_cache_valid 200 206 30d;
			proxy_set_header  Range $slice_range;
			proxy_pass        http://%[1]s/;
		}
	}
}
`

// signed returns the query of a signed URL.
func signed(path string, expires time.Time, secret string) string {
	sum := md5.Sum(fmt.Appendf(nil, "%d%s %s", expires.Unix(), path, secret))
	return fmt.Sprintf("?expires=%d&signature=%s", expires.Unix(), base64.RawURLEncoding.EncodeToString(sum[:]))
}

// nginx starts nginx, which serves files.
func nginx(t *testing.T) (url, files string) {
	t.Helper()
	program, err := exec.LookPath("nginx")
	if err != nil {
		if program, err = exec.LookPath("/usr/sbin/nginx"); err != nil {
			b2test.Missing(t, "nginx is missing: apt-get install nginx-light")
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	dir := t.TempDir()
	files = filepath.Join(dir, "files")
	for _, sub := range []string{"private", "signed", "few"} {
		if err := os.MkdirAll(filepath.Join(files, sub), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	conf := filepath.Join(dir, "nginx.conf")
	if err := os.WriteFile(conf, fmt.Appendf(nil, nginxConf, address), 0o666); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	cmd := exec.Command(program, "-e", "stderr", "-p", dir, "-c", conf)
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
		if t.Failed() {
			t.Log(log.String())
		}
	})
	for range 200 {
		if conn, err := net.Dial("tcp", address); err == nil {
			conn.Close()
			return "http://" + address, files
		}
		time.Sleep(25 * time.Millisecond)
	}
	cmd.Process.Kill()
	cmd.Wait()
	t.Fatalf("nginx does not answer:\n%s", &log)
	return "", ""
}

// Debian's nginx answers requests for several ranges, unless configured otherwise.
func TestNginxSeveral(t *testing.T) {
	url, files := nginx(t)
	client := &http.Client{Transport: http.DefaultTransport.(*http.Transport).Clone()}
	defer client.CloseIdleConnections()
	data := noise(12 << 20)
	for _, tt := range []struct {
		name      string
		few, many int64 // requests for two reads
	}{
		{"object", 1, 1},
		{"few/object", 100 + 1, 10}, // the request for several ranges is refused first
	} {
		if err := os.WriteFile(filepath.Join(files, tt.name), data, 0o666); err != nil {
			t.Fatal(err)
		}
		o, err := remote.Open(t.Context(), url+"/"+tt.name, remote.Client(client), remote.RequestCost(0))
		if err != nil {
			t.Fatal(err)
		}
		defer o.Close()
		for i, want := range []int64{tt.few, tt.many} {
			rs, before := scattered([]int{100, 110}[i]), o.Stats()
			if err := o.ReadRanges(t.Context(), rs); err != nil {
				t.Fatal(err)
			}
			same(t, data, rs)
			if now := o.Stats(); now.Requests-before.Requests != want || now.Retries > 0 {
				t.Errorf("%s: %d requests, want %d, and %d retries", tt.name, now.Requests-before.Requests, want, now.Retries)
			}
		}
		if err := os.WriteFile(filepath.Join(files, tt.name), data[1:], 0o666); err != nil {
			t.Fatal(err)
		}
		rs := scattered(119)[110:]
		if err := o.ReadRanges(t.Context(), rs); !errors.Is(err, blosc2.ErrChanged) {
			t.Errorf("%s, replaced: %v", tt.name, err)
		}
	}
}

// A cache of nginx reads each megabyte of an object once, whatever ranges are
// requested.
func TestNginxCache(t *testing.T) {
	url, files := nginx(t)
	client := &http.Client{Transport: http.DefaultTransport.(*http.Transport).Clone()}
	defer client.CloseIdleConnections()
	data, path := noise(3<<20+99), filepath.Join(files, "object")
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, there := range []bool{true, false} {
		o, err := remote.Open(t.Context(), url+"/cached/object", remote.Client(client))
		if err != nil {
			t.Fatal(err)
		}
		defer o.Close()
		for _, off := range []int{100_000, 2<<20 - 50, 3 << 20} {
			rs := []ranges.Range{{Off: int64(off), Data: make([]byte, 90)}, {Off: 1_500_000, Data: make([]byte, 90)}}
			if err := o.ReadRanges(t.Context(), rs); err != nil {
				t.Fatal(err)
			}
			same(t, data, rs)
		}
		if there { // further reads come from nginx's cache
			os.Remove(path)
		}
	}
}

// Arrays are read from Debian's nginx. If it refuses a request, the error is one clear
// line.
func TestNginx(t *testing.T) {
	url, files := nginx(t)
	client := &http.Client{Transport: http.DefaultTransport.(*http.Transport).Clone()}
	defer client.CloseIdleConnections()
	open := func(name string) (*remote.Object, error) {
		return remote.Open(t.Context(), url+name, remote.Client(client), remote.RetryWait(time.Millisecond), remote.Retries(2))
	}
	put := func(name string, b []byte) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(files, name), b, 0o666); err != nil {
			t.Fatal(err)
		}
	}

	data := noise(1000 * 1000 * 4)
	var array bytes.Buffer
	w, err := b2nd.NewWriter(&array, b2nd.Spec{Shape: []int64{1000, 1000}, DType: "<f4", ChunkShape: []int64{100, 1000}, BlockShape: []int64{10, 1000}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"array", "private/array", "signed/array"} {
		put(name, array.Bytes())
	}
	put("empty", nil)

	future, past := time.Now().Add(time.Hour), time.Now().Add(-time.Hour)
	const path = "/signed/array"
	for _, name := range []string{"/array", path + signed(path, future, "secret")} {
		o, err := open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer o.Close()
		a, err := b2nd.Open(o, o.Size())
		if err != nil {
			t.Fatal(err)
		}
		opened := o.Stats()
		got := make([]byte, 4*1000)
		if err := a.ReadSlice(got, []int64{555, 0}, []int64{556, 1000}); err != nil || !bytes.Equal(got, data[555*4000:556*4000]) {
			t.Errorf("other items, or %v", err)
		}
		if stats := o.Stats(); stats.Requests > 2+2 || stats.Bytes-opened.Bytes > 40_000+64<<10 || o.Version() == "" {
			t.Errorf("opening took %+v, with a block %+v; version %q", opened, stats, o.Version())
		}
		if all, err := a.ReadAll(); err != nil || !bytes.Equal(all, data) {
			t.Errorf("other items, or %v", err)
		}
	}
	if o, err := open("/empty"); err != nil || o.Size() != 0 {
		t.Errorf("an empty file: %v", err)
	} else {
		o.Close()
	}

	for _, tt := range []struct {
		name, say string
		want      error
	}{
		{"/nothing", "404 Not Found", fs.ErrNotExist},
		{"/private/array", "403 Forbidden", fs.ErrPermission},
		{path, "the signature is wrong", fs.ErrPermission},
		{path + signed(path, future, "other"), "the signature is wrong", fs.ErrPermission},
		{path + signed(path, past, "secret"), "the signature has expired", fs.ErrPermission},
		{"/busy/array", "503 Service Unavailable", nil},
	} {
		_, err := open(tt.name)
		if err == nil || tt.want != nil && !errors.Is(err, tt.want) {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		text := err.Error()
		if !strings.Contains(text, tt.say) || strings.Contains(text, "\n") || strings.Contains(text, "signature=") {
			t.Errorf("%s: %q", tt.name, text)
		}
	}

	// The file is replaced while it is read.
	o, err := open("/array")
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	put("array", array.Bytes()[:array.Len()-1])
	if _, err := o.ReadAt(make([]byte, 100), 1<<20); !errors.Is(err, blosc2.ErrChanged) {
		t.Errorf("a file that was replaced: %v", err)
	}
}
