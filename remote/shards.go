package remote

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/xxh3"
	"github.com/seed03b80dae/blosc2/parts"
	"github.com/seed03b80dae/blosc2/shard"
	"github.com/seed03b80dae/blosc2/stream"
)

// A ShardStore is a store in which many processes can write one object together:
// s3.Store, gcs.Store, azure.Store. It is safe for use by several goroutines.
type ShardStore interface {
	// Open opens an object.
	Open(ctx context.Context, rawURL string, opts ...Option) (*Object, error)
	// Put begins an object that only this process writes.
	Put(rawURL string) (parts.Object, error)
	// Shared returns an object that several processes write together by passing
	// the same URL and id; the first one begins it. Its Rules are Shared. It
	// may keep state in an object URL.shards/ID/upload, which RemoveShards
	// deletes.
	Shared(ctx context.Context, rawURL, id string) (parts.Object, error)
	// Delete deletes an object; a missing one is not an error.
	Delete(ctx context.Context, rawURL string) error
}

// ShardStall returns store with the limit d in place of DefaultPutStall, for
// WriteShard and AssembleShards: see PutStall.
func ShardStall(store ShardStore, d time.Duration) ShardStore { return stallStore{store, d} }

type stallStore struct {
	ShardStore
	stall time.Duration
}

// stallOf returns the limit that ShardStall has set.
func stallOf(store ShardStore) time.Duration {
	if s, ok := store.(stallStore); ok {
		return s.stall
	}
	return DefaultPutStall
}

// These are the objects next to an unfinished object: URL.shards/plan is the plan, and
// URL.shards/ID/K is the note of shard K with its held bytes.
func shardsURL(rawURL string) string          { return rawURL + ".shards/" }
func planURL(rawURL string) string            { return shardsURL(rawURL) + "plan" }
func noteURL(rawURL, id string, k int) string { return shardsURL(rawURL) + id + "/" + strconv.Itoa(k) }

// idOf returns an id for a plan. Parts of objects with the same id have the same bytes,
// whichever process put them.
func idOf(plan []byte) string { return fmt.Sprintf("%016x", xxh3.Sum64(plan)) }

// WriteShard makes shard k of the plan and puts it into the object at a URL:
// see shard.Plan.UploadShard. The object is not visible before AssembleShards.
// A shard may be written again, and by several processes concurrently. Small
// objects below URL.shards/ remain until RemoveShards. A part is put again,
// twice, if the store stalls for DefaultPutStall, or the time set by ShardStall, and
// then the error is ErrStalled.
func WriteShard(ctx context.Context, store ShardStore, rawURL string, p *shard.Plan, k int, fill shard.Fill, opts ...stream.Option) error {
	plan, err := p.MarshalJSON()
	if err != nil {
		return err
	}
	id := idOf(plan)
	up, err := store.Shared(ctx, rawURL, id)
	if err != nil {
		return err
	}
	var held bytes.Buffer
	held.Grow(int(up.Rules().Min))
	n, err := p.UploadShard(ctx, steady{up, stallOf(store)}, &held, k, fill, opts...)
	if err != nil {
		return err
	}
	note, err := appendNote(held.Bytes(), n)
	if err != nil {
		return err
	}
	if err := putSmall(ctx, store, noteURL(rawURL, id, k), note); err != nil {
		return err
	}
	return putSmall(ctx, store, planURL(rawURL), plan)
}

// AssembleShards completes the object at a URL once all shards are written.
// If shards are missing, the error is a *shard.Error. It is not an error if the object is
// already complete. If shards of several plans were written, the plan is that
// of the last shard.
func AssembleShards(ctx context.Context, store ShardStore, rawURL string, vlmeta ...shard.VLMeta) error {
	p, id, err := readPlan(ctx, store, rawURL)
	if err != nil {
		return err
	}
	notes, err := readNotes(ctx, store, rawURL, id, p.Shards())
	if err != nil {
		return err
	}
	if len(notes) == 0 {
		return fmt.Errorf("%s: shards: %w", rawURL, shard.ErrMissing)
	}
	up, err := store.Shared(ctx, rawURL, id)
	if err != nil {
		return err
	}
	err = shard.CompleteParts(ctx, steady{up, stallOf(store)}, notes, vlmeta...)
	if errors.Is(err, fs.ErrNotExist) && isComplete(ctx, store, rawURL, notes, vlmeta) {
		return nil // an earlier attempt succeeded, but its answer was lost
	}
	return err
}

// isComplete reports whether the object has the size, header and trailer of the
// complete frame.
func isComplete(ctx context.Context, store ShardStore, rawURL string, notes []shard.NotedShard, vlmeta []shard.VLMeta) bool {
	var manifests []*shard.Manifest
	size := int64(0)
	for _, n := range notes {
		manifests = append(manifests, n.Manifest)
		size += n.Len()
	}
	head, tail, err := shard.Ends(manifests, vlmeta...)
	if err != nil {
		return false
	}
	o, err := store.Open(ctx, rawURL)
	if err != nil {
		return false
	}
	defer o.Close()
	if o.Size() != size+int64(len(head)+len(tail)) {
		return false
	}
	for off, want := range map[int64][]byte{0: head, o.Size() - int64(len(tail)): tail} {
		got := make([]byte, len(want))
		if _, err := o.ReadAt(got, off); err != nil && err != io.EOF || !bytes.Equal(got, want) {
			return false
		}
	}
	return true
}

// RemoveShards deletes the small objects of WriteShard at a URL. If the object
// is incomplete it drops all parts.
func RemoveShards(ctx context.Context, store ShardStore, rawURL string) error {
	p, id, err := readPlan(ctx, store, rawURL)
	if errors.Is(err, shard.ErrMissing) {
		return nil
	}
	if err != nil {
		return err
	}
	up, err := store.Shared(ctx, rawURL, id)
	if err != nil {
		return err
	}
	if err := up.Abort(ctx); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := store.Delete(ctx, planURL(rawURL)); err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for k := range p.Shards() {
		group.Go(func() error { return store.Delete(ctx, noteURL(rawURL, id, k)) })
	}
	group.Go(func() error { return store.Delete(ctx, shardsURL(rawURL)+id+"/upload") })
	return group.Wait()
}

// readPlan returns the plan of the shards that were written, and its id.
func readPlan(ctx context.Context, store ShardStore, rawURL string) (*shard.Plan, string, error) {
	plan, err := readAll(ctx, store, planURL(rawURL))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, "", fmt.Errorf("%s: shards: %w", rawURL, shard.ErrMissing)
	}
	if err != nil {
		return nil, "", err
	}
	p := new(shard.Plan)
	if err := json.Unmarshal(plan, p); err != nil {
		return nil, "", fmt.Errorf("%s: %w", planURL(rawURL), err)
	}
	return p, idOf(plan), nil
}

// atOnce is the number of small objects to read or delete concurrently. A request
// mostly waits for its answer, and stores accept far more requests at a time.
const atOnce = 16

// heldRead is the number of held bytes of a shard to read at once: enough that the
// latency of a request matters little.
const heldRead = 1 << 20

// readNotes returns the existing notes.
func readNotes(ctx context.Context, store ShardStore, rawURL, id string, shards int) ([]shard.NotedShard, error) {
	notes := make([]shard.NotedShard, shards)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for k := range notes {
		group.Go(func() (err error) {
			name := noteURL(rawURL, id, k)
			n, err := readNote(ctx, store, name)
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			notes[k] = shard.NotedShard{Note: n, Name: name}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	notes = slices.DeleteFunc(notes, func(n shard.NotedShard) bool { return n.Note == nil })
	for i := range notes {
		n := &notes[i]
		n.Open = func() (io.ReadCloser, error) {
			o, err := store.Open(context.WithoutCancel(ctx), n.Name)
			if err != nil {
				return nil, err
			}
			return struct {
				io.Reader
				io.Closer
			}{bufio.NewReaderSize(io.NewSectionReader(o, 0, n.Held), heldRead), o}, nil
		}
	}
	return notes, nil
}

// The object of a note consists of the held bytes, the note as JSON, the length of
// that JSON in 8 bytes, little-endian, and the magic.
const (
	noteMagic = "B2NOTE01"
	noteEnd   = 8 + len(noteMagic)
	maxNote   = 1 << 30 // far beyond any real one; a corrupt length must not exhaust memory
)

func appendNote(dst []byte, n *shard.Note) ([]byte, error) {
	text, err := json.Marshal(n)
	if err != nil {
		return nil, err
	}
	dst = append(dst, text...)
	dst = binary.LittleEndian.AppendUint64(dst, uint64(len(text)))
	return append(dst, noteMagic...), nil
}

func readNote(ctx context.Context, store ShardStore, name string) (*shard.Note, error) {
	o, err := store.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	defer o.Close()
	damaged := &fs.PathError{Op: "read", Path: o.Name(), Err: fmt.Errorf("%w: invalid note of a shard", shard.ErrDamaged)}
	var end [noteEnd]byte
	if o.Size() < int64(noteEnd) {
		return nil, damaged
	}
	if _, err := o.ReadAt(end[:], o.Size()-int64(noteEnd)); err != nil {
		return nil, err
	}
	size := binary.LittleEndian.Uint64(end[:])
	if string(end[8:]) != noteMagic || size > uint64(o.Size()-int64(noteEnd)) || size > maxNote {
		return nil, damaged
	}
	text := make([]byte, size)
	if _, err := o.ReadAt(text, o.Size()-int64(noteEnd)-int64(size)); err != nil {
		return nil, err
	}
	n := new(shard.Note)
	if err := json.Unmarshal(text, n); err != nil {
		return nil, fmt.Errorf("%s: %w", o.Name(), err)
	}
	if n.Held != o.Size()-int64(noteEnd)-int64(size) {
		return nil, damaged
	}
	return n, nil
}

// maxPlan is the largest plan that is read, in bytes: far beyond any real one, so
// that a foreign object does not exhaust memory.
const maxPlan = 64 << 20

// readAll returns a small object.
func readAll(ctx context.Context, store ShardStore, name string) ([]byte, error) {
	o, err := store.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	defer o.Close()
	if o.Size() > maxPlan {
		return nil, &fs.PathError{Op: "read", Path: o.Name(), Err: blosc2.ErrTooLarge}
	}
	b := make([]byte, o.Size())
	if _, err := o.ReadAt(b, 0); err != nil && err != io.EOF {
		return nil, err
	}
	return b, nil
}

// putTries is how often to try to put a small object that other workers may put at the
// same time, because a store may reject all but one of concurrent requests. After a
// rejected request the object of another worker is usually found, so the second try
// suffices; the limit is that of DefaultRetries.
const putTries = 5

// putSmall puts an object, unless it exists.
func putSmall(ctx context.Context, store ShardStore, name string, b []byte) (err error) {
	for range putTries {
		if there, err := readAll(ctx, store, name); err == nil && bytes.Equal(there, b) {
			return nil
		}
		if err = putOnce(ctx, store, name, b); err == nil || ctx.Err() != nil {
			return err
		}
	}
	return err
}

// putOnce puts an object of one part.
func putOnce(ctx context.Context, store ShardStore, name string, b []byte) error {
	up, err := store.Put(name)
	if err != nil {
		return err
	}
	up = steady{up, stallOf(store)}
	tag, err := up.Put(ctx, 1, bytes.NewReader(b), int64(len(b)))
	if err == nil {
		err = up.Complete(ctx, []parts.Part{{Number: 1, Size: int64(len(b)), Tag: tag}})
	}
	if err != nil {
		return dropParts(ctx, up, err)
	}
	return nil
}
