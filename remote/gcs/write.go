package gcs

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"iter"
	"path"
	"strings"
	"sync"
	"time"

	"cloud.google.com/go/storage"
	"google.golang.org/api/iterator"

	"github.com/seed03b80dae/blosc2/internal/stores"
	"github.com/seed03b80dae/blosc2/parts"
	"github.com/seed03b80dae/blosc2/remote"
)

// Put begins the object that a URL gs://bucket/key names, for remote.Create,
// remote.CreateArray or remote.NewUpload. It makes no request.
func (s *Store) Put(rawURL string) (parts.Object, error) {
	bucket, key, err := stores.ParseObject(form, rawURL)
	if err != nil {
		return nil, err
	}
	u := &upload{bucket: s.client.Bucket(bucket).Retryer(storage.WithPolicy(storage.RetryAlways)), key: key, next: 2}
	u.turn = sync.NewCond(&u.mu)
	u.temporary = temporary(key, rand.Text())
	return u, nil
}

// temporaries is the prefix of temporary objects: .blosc2-uploads/KEY/ID/header and
// …/body, or those of Shared.
const temporaries = ".blosc2-uploads/"

// temporary returns the prefix of the temporary objects of an upload.
func temporary(key, id string) string { return temporaries + key + "/" + id + "/" }

// An upload writes two temporary objects. One is the header, which is part 1. The other
// one is the body: all further parts, in order, in one resumable upload.
type upload struct {
	bucket    *storage.BucketHandle
	key       string
	temporary string

	mu     sync.Mutex
	turn   *sync.Cond // signals that next or err has changed
	next   int        // number of the part of the body whose turn it is
	err    error      // error of the body
	body   *storage.Writer
	size   int64              // bytes of the body so far
	cancel context.CancelFunc // ends the upload of the body
	closed bool               // the body is complete
}

// Rules returns that the header is a separate part and that parts may grow.
func (u *upload) Rules() parts.Rules { return parts.Rules{Head: true, Grow: true} }

func (u *upload) header() *storage.ObjectHandle { return u.bucket.Object(u.temporary + "header") }
func (u *upload) rest() *storage.ObjectHandle   { return u.bucket.Object(u.temporary + "body") }

// chunkTime is how long a request for a piece of the body may take before the client
// repeats it. It is less than remote.DefaultPutStall, after which the upload ends,
// because earlier parts cannot be put again.
const chunkTime = 25 * time.Second

const contentType = "application/octet-stream"

// chunkSize returns the number of bytes that the client buffers and sends in one
// request.
func chunkSize(size int64) int { return int(min(size, 8<<20)) }

func (u *upload) Put(ctx context.Context, n int, body io.ReadSeeker, size int64) (tag string, err error) {
	if n == 1 {
		return "", u.putHeader(ctx, body, size)
	}
	stop := context.AfterFunc(ctx, func() {
		u.mu.Lock()
		defer u.mu.Unlock()
		u.turn.Broadcast()
	})
	defer stop()
	u.mu.Lock()
	defer u.mu.Unlock()
	for u.next != n && u.err == nil && ctx.Err() == nil {
		u.turn.Wait()
	}
	if u.err != nil {
		return "", u.err
	}
	if err := context.Cause(ctx); err != nil {
		return "", err
	}
	w := u.begin(ctx, size)
	u.mu.Unlock() // no other part is sent until next changes
	defer context.AfterFunc(ctx, u.cancel)()
	k, err := io.Copy(w, body)
	u.mu.Lock()
	u.size += k
	if cause := context.Cause(ctx); err != nil && cause != nil {
		err = cause
	}
	u.next, u.err = n+1, asStatus(err)
	u.turn.Broadcast()
	return "", u.err
}

// begin returns the resumable upload, to which the parts are written one after another.
// Cancelling ctx does not end it. mu must be held.
func (u *upload) begin(ctx context.Context, part int64) *storage.Writer {
	if u.body == nil {
		ctx, u.cancel = context.WithCancel(context.WithoutCancel(ctx))
		u.body = u.rest().NewWriter(ctx)
		u.body.ChunkSize = chunkSize(part)
		u.body.ChunkTransferTimeout = chunkTime
		u.body.ContentType = contentType
	}
	return u.body
}

// putHeader ends the body and puts the header.
func (u *upload) putHeader(ctx context.Context, body io.Reader, size int64) error {
	if u.body != nil && !u.closed {
		defer context.AfterFunc(ctx, u.cancel)()
		if err := u.body.Close(); err != nil {
			return fmt.Errorf("earlier parts: %w", asStatus(err))
		}
		// The client repeats a request if its answer was lost. Check the size, because
		// a server might then have stored the bytes twice.
		if size := u.body.Attrs().Size; size != u.size {
			return fmt.Errorf("earlier parts: the store has %d of %d bytes", size, u.size)
		}
		u.closed = true
	}
	w := u.header().NewWriter(ctx)
	w.ChunkSize = chunkSize(size)
	w.ContentType = contentType
	if _, err := io.Copy(w, body); err != nil {
		return asStatus(err)
	}
	return asStatus(w.Close())
}

// Complete composes the object. It is not an error if temporary objects cannot be
// deleted, because the object exists; Unfinished yields them.
func (u *upload) Complete(ctx context.Context, list []parts.Part) error {
	if len(list) != u.next-1 {
		return fmt.Errorf("gcs: %d of %d parts were put", u.next-1, len(list))
	}
	sources := []*storage.ObjectHandle{u.header()}
	if u.body != nil {
		sources = append(sources, u.rest())
	}
	c := u.bucket.Object(u.key).ComposerFrom(sources...)
	c.ContentType = contentType
	if _, err := c.Run(ctx); err != nil {
		return asStatus(err)
	}
	u.remove(ctx)
	return nil
}

// Abort ends the body and deletes the temporary objects.
func (u *upload) Abort(ctx context.Context) error { return u.remove(ctx) }

func (u *upload) remove(ctx context.Context) error {
	if u.cancel != nil {
		u.cancel()
		u.body.Close() // waits for the goroutines of the upload
	}
	return errors.Join(remove(ctx, u.header()), remove(ctx, u.rest()))
}

// remove deletes an object, if there is one.
func remove(ctx context.Context, o *storage.ObjectHandle) error {
	err := o.Delete(ctx)
	if errors.Is(err, storage.ErrObjectNotExist) {
		return nil
	}
	return asStatus(err)
}

// Unfinished yields the unfinished uploads below a URL gs://bucket or
// gs://bucket/prefix that have temporary objects.
func (s *Store) Unfinished(ctx context.Context, rawURL string) iter.Seq2[remote.Unfinished, error] {
	return func(yield func(remote.Unfinished, error) bool) {
		bucket, prefix, err := stores.Parse(form, rawURL)
		if err != nil {
			yield(remote.Unfinished{}, err)
			return
		}
		var last remote.Unfinished
		for list := s.client.Bucket(bucket).Objects(ctx, &storage.Query{Prefix: temporaries + prefix}); ; {
			o, err := list.Next()
			if err == iterator.Done {
				return
			}
			if err != nil {
				yield(remote.Unfinished{}, asStatus(err))
				return
			}
			key, id, ok := parseTemporary(o.Name)
			u := remote.Unfinished{URL: "gs://" + bucket + "/" + key, ID: id, Begun: o.Created}
			if !ok || u.URL == last.URL && u.ID == last.ID {
				continue
			}
			if last = u; !yield(u, nil) {
				return
			}
		}
	}
}

// parseTemporary parses the name of a temporary object.
func parseTemporary(name string) (key, id string, ok bool) {
	rest, ok := strings.CutPrefix(name, temporaries)
	dir, kind := path.Split(rest)
	dir = strings.TrimSuffix(dir, "/")
	i := strings.LastIndexByte(dir, '/')
	if !ok || i < 1 || kind != "header" && kind != "body" && !isShared(kind) {
		return "", "", false
	}
	return dir[:i], dir[i+1:], true
}

// Remove deletes the temporary objects of an unfinished upload.
func (s *Store) Remove(ctx context.Context, u remote.Unfinished) error {
	bucket, key, err := stores.ParseObject(form, u.URL)
	if err != nil {
		return err
	}
	b := s.client.Bucket(bucket)
	return removeAll(ctx, b, temporary(key, u.ID))
}

// removeAll deletes the objects with a prefix.
func removeAll(ctx context.Context, b *storage.BucketHandle, prefix string) (err error) {
	for list := b.Objects(ctx, &storage.Query{Prefix: prefix}); ; {
		o, e := list.Next()
		if e == iterator.Done {
			return err
		}
		if e != nil {
			return errors.Join(err, asStatus(e))
		}
		err = errors.Join(err, remove(ctx, b.Object(o.Name)))
	}
}
