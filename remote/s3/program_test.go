package s3_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/driver"
	"github.com/seed03b80dae/blosc2/remote"
	"github.com/seed03b80dae/blosc2/stream"
)

// The program blosc2-remote-s3 writes and reads objects. It leaves no upload when the
// program that started it ends.
func TestProgram(t *testing.T) {
	options := gateway(t)
	dir := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", filepath.Join(dir, "blosc2-remote-s3"), "./blosc2-remote-s3").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	t.Setenv("AWS_ACCESS_KEY_ID", options.AccessKey)
	t.Setenv("AWS_SECRET_ACCESS_KEY", options.SecretKey)
	start := func() *driver.Client {
		t.Helper()
		c, err := driver.Start("s3", options.Endpoint)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	c := start()
	defer c.Close()
	const url = "s3://bucket/by a driver"
	object, err := c.Put(url)
	if err != nil {
		t.Fatal(err)
	}
	w, err := remote.Create(t.Context(), object, []remote.UploadOption{remote.PartSize(5 << 20)})
	if err != nil {
		t.Fatal(err)
	}
	data := noise(12 << 20)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	o, err := c.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	r, err := stream.NewReader(o)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, data) {
		t.Errorf("other data, or %v", err)
	}
	if _, err := c.Open(t.Context(), "s3://bucket/none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no object: %v", err)
	}

	another := start()
	if object, err = another.Put("s3://bucket/left"); err != nil {
		t.Fatal(err)
	}
	if _, err := object.Put(t.Context(), 2, bytes.NewReader(data[:5<<20]), 5<<20); err != nil {
		t.Fatal(err)
	}
	uploads := func() (n int) {
		for _, err := range c.Unfinished(t.Context(), "s3://bucket") {
			if err != nil {
				t.Fatal(err)
			}
			n++
		}
		return n
	}
	if n := uploads(); n != 1 {
		t.Errorf("%d uploads are under way", n)
	}
	if err := another.Close(); err != nil {
		t.Error(err)
	}
	if n := uploads(); n != 0 {
		t.Errorf("%d uploads are left", n)
	}
}
