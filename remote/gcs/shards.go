package gcs

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"cloud.google.com/go/storage"
	"google.golang.org/api/iterator"

	"github.com/seed03b80dae/blosc2/internal/stores"
	"github.com/seed03b80dae/blosc2/parts"
	"github.com/seed03b80dae/blosc2/remote"
)

// Shared returns the object of a URL gs://bucket/key that several processes write
// together by passing the same id: see remote.WriteShard. Its parts are temporary
// objects, which Complete composes and deletes. Unfinished yields them until then.
func (s *Store) Shared(_ context.Context, rawURL, id string) (parts.Object, error) {
	bucket, key, err := stores.ParseObject(form, rawURL)
	if err != nil {
		return nil, err
	}
	return &shared{s.client.Bucket(bucket).Retryer(storage.WithPolicy(storage.RetryAlways)), key, temporary(key, id)}, nil
}

// Delete deletes the object of a URL gs://bucket/key; a missing one is not an
// error.
func (s *Store) Delete(ctx context.Context, rawURL string) error {
	bucket, key, err := stores.ParseObject(form, rawURL)
	if err != nil {
		return err
	}
	return remove(ctx, s.client.Bucket(bucket).Object(key))
}

// The store composes up to 32 objects at once, here in three steps.
const (
	composeMost = 32
	partsMost   = composeMost * composeMost * composeMost
)

// The temporary objects of a shared object are .blosc2-uploads/KEY/ID/part-NNNNN,
// and …/group-STEP-NNNN, which are composed of up to 32 parts or groups.
const (
	partName  = "part-"
	groupName = "group-"
)

func isShared(kind string) bool {
	return strings.HasPrefix(kind, partName) || strings.HasPrefix(kind, groupName)
}

// A shared writes an object together with other processes.
type shared struct {
	bucket    *storage.BucketHandle
	key       string
	temporary string
}

func (u *shared) Rules() parts.Rules {
	return parts.Rules{Count: partsMost, Grow: true, Shared: true}
}

func (u *shared) part(n int) *storage.ObjectHandle {
	return u.bucket.Object(fmt.Sprintf("%s%s%05d", u.temporary, partName, n))
}

// Put puts a temporary object.
func (u *shared) Put(ctx context.Context, n int, body io.ReadSeeker, size int64) (tag string, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // an incomplete object must not appear
	w := u.part(n).NewWriter(ctx)
	w.ChunkSize = chunkSize(size)
	w.ContentType = contentType
	if _, err := io.Copy(w, body); err != nil {
		return "", asStatus(err)
	}
	return "", asStatus(w.Close())
}

// Complete composes the object, and deletes the temporary ones. Unfinished yields those
// that could not be deleted.
func (u *shared) Complete(ctx context.Context, list []parts.Part) error {
	if err := u.there(ctx, list); err != nil {
		return err
	}
	var all []*storage.ObjectHandle
	for _, part := range list {
		all = append(all, u.part(part.Number))
	}
	for step := 1; len(all) > composeMost; step++ {
		var groups []*storage.ObjectHandle
		for sources := range slices.Chunk(all, composeMost) {
			group := u.bucket.Object(fmt.Sprintf("%s%s%d-%04d", u.temporary, groupName, step, len(groups)))
			if err := compose(ctx, group, sources); err != nil {
				return err
			}
			groups = append(groups, group)
		}
		all = groups
	}
	if err := compose(ctx, u.bucket.Object(u.key), all); err != nil {
		return err
	}
	u.Abort(ctx)
	return nil
}

// there returns an error unless all parts of the list exist in the store.
func (u *shared) there(ctx context.Context, list []parts.Part) error {
	sizes := map[string]int64{}
	for objects := u.bucket.Objects(ctx, &storage.Query{Prefix: u.temporary + partName}); ; {
		o, err := objects.Next()
		if err == iterator.Done {
			break
		}
		if err != nil {
			return asStatus(err)
		}
		sizes[o.Name] = o.Size
	}
	for _, part := range list {
		name := u.part(part.Number).ObjectName()
		if size, ok := sizes[name]; !ok || size != part.Size {
			return remote.NewStatusError(http.StatusNotFound, fmt.Sprintf("part %d of %d bytes is missing", part.Number, part.Size), nil)
		}
	}
	return nil
}

// compose makes an object from others.
func compose(ctx context.Context, o *storage.ObjectHandle, sources []*storage.ObjectHandle) error {
	c := o.ComposerFrom(sources...)
	c.ContentType = contentType
	_, err := c.Run(ctx)
	return asStatus(err)
}

// Abort deletes the temporary objects, of all processes.
func (u *shared) Abort(ctx context.Context) error { return removeAll(ctx, u.bucket, u.temporary) }
