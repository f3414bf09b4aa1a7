package tree

import (
	"context"
	"io"
	"slices"
	"sync"

	"github.com/seed03b80dae/blosc2/ranges"
)

const (
	zipTail     = 256 << 10 // the end of a zip: its directory and usually embed.b2e
	memberHead  = 1 << 10   // the local header of most members
	memberWhole = 512 << 10 // a member of up to this size is read with one request
	neighbours  = 64 << 10  // the least size of that request: it includes more small members
	memberFront = 4 << 10   // the first read of a longer member by frame.Open
	keptMost    = 1 << 20   // bytes that are kept, without the end of the zip
)

// memberTail returns how many bytes at the end of a member of n bytes to read with its
// front: the index and the trailer of most frames, 8 bytes for each chunk.
func memberTail(n int64) int64 { return min(8<<10+n/2048, 64<<10) }

// A farZip is a remote zip. Package archive/zip reads it in small pieces: each
// request also fetches and keeps the bytes that will be read next.
type farZip struct {
	*ranges.Ahead
	size int64

	mu     sync.Mutex
	kept   []wave // the end of the zip, then the others, the oldest first
	bytes  int64  // number of bytes in kept
	member int64  // bytes of the member whose local header is read next; 0 for the directory
}

// A wave holds the bytes that one wave of requests has read.
type wave struct {
	spans []ranges.Span
	held  *ranges.Held
}

// size returns how many bytes are kept of w.
func (w wave) size() (n int64) {
	for _, s := range w.spans {
		n += s.Len
	}
	return n
}

// newFarZip fetches the end of a zip of size bytes.
func newFarZip(src ranges.ReaderAt, size int64) (*farZip, error) {
	z := &farZip{Ahead: ranges.NewAhead(src), size: size}
	return z, z.bring(z.span(size-zipTail, zipTail))
}

// span returns the span of n bytes from off, limited to the end of the zip.
func (z *farZip) span(off, n int64) ranges.Span {
	from, to := max(off, 0), min(off+n, z.size)
	return ranges.Span{Off: from, Len: to - from}
}

// has reports whether the bytes of spans are kept.
func (z *farZip) has(spans []ranges.Span) bool {
	return !slices.ContainsFunc(spans, func(s ranges.Span) bool {
		return !slices.ContainsFunc(z.kept, func(w wave) bool {
			return slices.ContainsFunc(w.spans, func(k ranges.Span) bool { return k.Off <= s.Off && s.End() <= k.End() })
		})
	})
}

// bring fetches spans concurrently and keeps their bytes. It drops the oldest ones that
// are kept, except the end of the zip.
func (z *farZip) bring(spans ...ranges.Span) error {
	held, err := z.Fetch(context.Background(), slices.Clone(spans)...)
	if err != nil {
		return err
	}
	w := wave{spans, held}
	z.kept = append(z.kept, w)
	for z.bytes += w.size(); z.bytes > zipTail+keptMost && len(z.kept) > 2; {
		z.bytes -= z.kept[1].size()
		z.kept[1].held.Release()
		z.kept = slices.Delete(z.kept, 1, 2)
	}
	return nil
}

// ReadAt implements io.ReaderAt for package archive/zip.
func (z *farZip) ReadAt(p []byte, off int64) (int, error) {
	n := int64(len(p))
	next, more := []ranges.Span{z.span(off, n)}, int64(zipTail)
	switch tail := memberTail(z.member); {
	case z.member > memberWhole:
		next = []ranges.Span{z.span(off, memberHead+memberFront), z.span(off+z.member-tail, tail+memberHead)}
		more = 0
	case z.member > 0:
		next[0], more = z.span(off, memberHead+z.member), neighbours
	}
	if n < zipTail && !z.has(next) {
		next[0] = z.span(off, max(next[0].Len, more))
		if err := z.bring(next...); err != nil {
			return 0, err
		}
	}
	return z.Ahead.ReadAt(p, off)
}

// locate calls find, which reads the local header of a member of n bytes. It sets
// member, so that ReadAt also fetches what is read next.
func (z *farZip) locate(n int64, find func() (int64, error)) (int64, error) {
	z.mu.Lock()
	defer z.mu.Unlock()
	z.member = n
	return find()
}

var _ io.ReaderAt = (*farZip)(nil)
