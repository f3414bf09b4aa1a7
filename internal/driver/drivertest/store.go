// Package drivertest provides a store for tests of drivers and their users.
package drivertest

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/parts"
	"github.com/seed03b80dae/blosc2/remote"
)

// A Store is a folder. The object SCHEME://NAME is the file NAME; the parts of
// uploads are below ".uploads".
type Store struct{ Dir string }

func (s Store) path(rawURL string) (string, error) {
	_, name, ok := strings.Cut(rawURL, "://")
	if !ok || !filepath.IsLocal(name) {
		return "", &blosc2.OptionError{Option: "URL", Value: rawURL, Range: "SCHEME://NAME"}
	}
	return filepath.Join(s.Dir, name), nil
}

// Object returns an object. Its version is its digest.
func (s Store) Object(rawURL string) (remote.Backend, error) {
	path, err := s.path(rawURL)
	return object(path), err
}

type object string

func (o object) Open(_ context.Context, off, n int64, version string) (io.ReadCloser, remote.Info, error) {
	b, err := os.ReadFile(string(o))
	if err != nil {
		return nil, remote.Info{}, &remote.StatusError{Code: 404, Reason: "no such object"}
	}
	info := remote.Info{Size: int64(len(b)), Version: fmt.Sprintf("%x", sha256.Sum256(b))}
	if version != "" && version != info.Version {
		return nil, info, fmt.Errorf("the object was replaced: %w", blosc2.ErrChanged)
	}
	off = min(off, info.Size)
	b = b[off:min(off+n, info.Size)]
	return io.NopCloser(strings.NewReader(string(b))), info, nil
}

// Put begins an object.
func (s Store) Put(rawURL string) (parts.Object, error) {
	path, err := s.path(rawURL)
	if err != nil {
		return nil, err
	}
	return &upload{path, filepath.Join(s.Dir, ".uploads", strings.ReplaceAll(rawURL, "/", "|")), false}, nil
}

// Shared returns an object that many processes put.
func (s Store) Shared(_ context.Context, rawURL, id string) (parts.Object, error) {
	path, err := s.path(rawURL)
	if err != nil {
		return nil, err
	}
	return &upload{path, filepath.Join(s.Dir, ".uploads", strings.ReplaceAll(rawURL, "/", "|")+"|"+id), true}, nil
}

// Delete deletes an object.
func (s Store) Delete(_ context.Context, rawURL string) error {
	path, err := s.path(rawURL)
	if err != nil {
		return err
	}
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
		return err
	}
	return nil
}

type upload struct {
	path, dir string
	shared    bool
}

// Rules returns the rules of a store that accepts up to 1000 parts.
func (u *upload) Rules() parts.Rules { return parts.Rules{Count: 1000, Grow: true, Shared: u.shared} }

func (u *upload) Put(ctx context.Context, n int, body io.ReadSeeker, size int64) (tag string, err error) {
	if err := os.MkdirAll(u.dir, 0o777); err != nil {
		return "", err
	}
	b, err := io.ReadAll(body)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%d:%d", n, size), os.WriteFile(filepath.Join(u.dir, strconv.Itoa(n)), b, 0o666)
}

func (u *upload) Complete(ctx context.Context, list []parts.Part) error {
	var b []byte
	for _, p := range list {
		part, err := os.ReadFile(filepath.Join(u.dir, strconv.Itoa(p.Number)))
		if err != nil {
			return err
		}
		if want := fmt.Sprintf("%d:%d", p.Number, len(part)); p.Tag != want {
			return fmt.Errorf("part %d has the tag %q, not %q", p.Number, p.Tag, want)
		}
		b = append(b, part...)
	}
	if err := os.MkdirAll(filepath.Dir(u.path), 0o777); err != nil {
		return err
	}
	if err := os.WriteFile(u.path, b, 0o666); err != nil {
		return err
	}
	return u.Abort(ctx)
}

func (u *upload) Abort(context.Context) error { return os.RemoveAll(u.dir) }

// Unfinished yields the uploads below a URL.
func (s Store) Unfinished(_ context.Context, rawURL string) iter.Seq2[remote.Unfinished, error] {
	return func(yield func(remote.Unfinished, error) bool) {
		list, err := os.ReadDir(filepath.Join(s.Dir, ".uploads"))
		if err != nil && !os.IsNotExist(err) {
			yield(remote.Unfinished{}, err)
		}
		for _, entry := range list {
			url := strings.ReplaceAll(entry.Name(), "|", "/")
			if strings.HasPrefix(url, rawURL) && !yield(remote.Unfinished{URL: url, ID: entry.Name(), Begun: time.Unix(1e9, 0)}, nil) {
				return
			}
		}
	}
}

// Remove drops an upload.
func (s Store) Remove(_ context.Context, u remote.Unfinished) error {
	return os.RemoveAll(filepath.Join(s.Dir, ".uploads", u.ID))
}
