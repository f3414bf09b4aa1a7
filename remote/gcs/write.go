package gcs

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"iter"
	"path"
	"strings"
	"sync"

	"cloud.google.com/go/storage"
	"google.golang.org/api/iterator"

	"github.com/seed03b80dae/blosc2/remote"
)

// Put begins the object that a URL gs://bucket/key names, for remote.Create,
// remote.CreateArray or remote.NewUpload. It asks the store for nothing yet.
func (s *Store) Put(rawURL string) (remote.Parts, error) {
	bucket, key, err := parseObject(rawURL)
	if err != nil {
		return nil, err
	}
	p := &parts{bucket: s.client.Bucket(bucket).Retryer(storage.WithPolicy(storage.RetryAlways)), key: key, next: 2}
	p.turn = sync.NewCond(&p.mu)
	p.temporary = temporary(key, rand.Text())
	return p, nil
}

// Temporary objects are .blosc2-uploads/KEY/ID/header and …/body.
const temporaries = ".blosc2-uploads/"

// temporary begins the names of the temporary objects of an upload.
func temporary(key, id string) string { return temporaries + key + "/" + id + "/" }

// parts is two temporary objects: part 1 is the header, and all others, in their
// order, are one resumable upload, the body.
type parts struct {
	bucket    *storage.BucketHandle
	key       string
	temporary string

	mu     sync.Mutex
	turn   *sync.Cond // next or err has changed
	next   int        // the part of the body whose turn it is
	err    error      // of the body
	body   *storage.Writer
	cancel context.CancelFunc // of the body
}

// Rules says that the header is a part of its own.
func (p *parts) Rules() remote.PartRules { return remote.PartRules{Header: true, Grow: true} }

func (p *parts) header() *storage.ObjectHandle { return p.bucket.Object(p.temporary + "header") }
func (p *parts) rest() *storage.ObjectHandle   { return p.bucket.Object(p.temporary + "body") }

const contentType = "application/octet-stream"

func (p *parts) Put(ctx context.Context, n int, b []byte) error {
	if n == 1 {
		return p.putHeader(ctx, b)
	}
	stop := context.AfterFunc(ctx, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.turn.Broadcast()
	})
	defer stop()
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.next != n && p.err == nil && ctx.Err() == nil {
		p.turn.Wait()
	}
	if p.err != nil {
		return p.err
	}
	if err := context.Cause(ctx); err != nil {
		return err
	}
	w := p.begin(ctx, len(b))
	p.mu.Unlock() // it is this part's turn until next changes
	defer context.AfterFunc(ctx, p.cancel)()
	_, err := w.Write(b)
	p.mu.Lock()
	if cause := context.Cause(ctx); err != nil && cause != nil {
		err = cause
	}
	p.next, p.err = n+1, asStatus(err)
	p.turn.Broadcast()
	return p.err
}

// begin returns the resumable upload, which sends part after part, and outlives
// ctx. mu is held.
func (p *parts) begin(ctx context.Context, part int) *storage.Writer {
	if p.body == nil {
		ctx, p.cancel = context.WithCancel(context.WithoutCancel(ctx))
		p.body = p.rest().NewWriter(ctx)
		p.body.ChunkSize = part
		p.body.ContentType = contentType
	}
	return p.body
}

// putHeader ends the body and puts the header.
func (p *parts) putHeader(ctx context.Context, b []byte) error {
	if p.body != nil {
		defer context.AfterFunc(ctx, p.cancel)()
		if err := p.body.Close(); err != nil {
			return fmt.Errorf("the parts before: %w", asStatus(err))
		}
	}
	w := p.header().NewWriter(ctx)
	w.ChunkSize = min(len(b), 16<<20)
	w.ContentType = contentType
	if _, err := w.Write(b); err != nil {
		return asStatus(err)
	}
	return asStatus(w.Close())
}

// Complete composes the object. Temporary objects that then cannot be deleted are
// left to Unfinished: the object is there.
func (p *parts) Complete(ctx context.Context, n int) error {
	if n != p.next-1 {
		return fmt.Errorf("gcs: %d of %d parts were put", p.next-1, n)
	}
	sources := []*storage.ObjectHandle{p.header()}
	if p.body != nil {
		sources = append(sources, p.rest())
	}
	c := p.bucket.Object(p.key).ComposerFrom(sources...)
	c.ContentType = contentType
	if _, err := c.Run(ctx); err != nil {
		return asStatus(err)
	}
	p.remove(ctx)
	return nil
}

// Abort ends the body and deletes what there is.
func (p *parts) Abort(ctx context.Context) error { return p.remove(ctx) }

func (p *parts) remove(ctx context.Context) error {
	if p.cancel != nil {
		p.cancel()
		p.body.Close() // waits for the goroutines of the upload
	}
	return errors.Join(remove(ctx, p.header()), remove(ctx, p.rest()))
}

// remove deletes an object, if there is one.
func remove(ctx context.Context, o *storage.ObjectHandle) error {
	err := o.Delete(ctx)
	if errors.Is(err, storage.ErrObjectNotExist) {
		return nil
	}
	return asStatus(err)
}

// Unfinished yields the uploads that are not finished below a URL gs://bucket or
// gs://bucket/prefix, as far as temporary objects show them.
func (s *Store) Unfinished(ctx context.Context, rawURL string) iter.Seq2[remote.Unfinished, error] {
	return func(yield func(remote.Unfinished, error) bool) {
		bucket, prefix, err := parse(rawURL)
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

// parseTemporary takes the name of a temporary object apart.
func parseTemporary(name string) (key, id string, ok bool) {
	rest, ok := strings.CutPrefix(name, temporaries)
	dir, kind := path.Split(rest)
	dir = strings.TrimSuffix(dir, "/")
	i := strings.LastIndexByte(dir, '/')
	if !ok || i < 1 || kind != "header" && kind != "body" {
		return "", "", false
	}
	return dir[:i], dir[i+1:], true
}

// Remove deletes the temporary objects of an upload that is not finished.
func (s *Store) Remove(ctx context.Context, u remote.Unfinished) error {
	bucket, key, err := parseObject(u.URL)
	if err != nil {
		return err
	}
	b := s.client.Bucket(bucket)
	name := temporary(key, u.ID)
	return errors.Join(remove(ctx, b.Object(name+"header")), remove(ctx, b.Object(name+"body")))
}
