package tree

import (
	"context"
	"io"
	"sync"

	"github.com/seed03b80dae/blosc2/ranges"
)

const (
	zipTail     = 256 << 10 // the end of a zip: its directory and usually embed.b2e
	memberHead  = 1 << 10   // the local header of most members
	memberFront = 64 << 10  // the first read of a member by frame.Open
	memberTail  = 64 << 10  // the end of a member: index and trailer of most frames
	memberWhole = 512 << 10 // a member of up to this size is read in one request, together with small ones that follow
)

// A farZip is a remote zip. Package archive/zip reads it in small pieces: each
// request also fetches and keeps the bytes that will be read next.
type farZip struct {
	*ranges.Ahead
	size int64

	mu     sync.Mutex
	last   ranges.Span // the bytes fetched last
	member int64       // bytes of the member whose local header is read next; 0 for the directory
}

// newFarZip fetches the end of a zip of size bytes.
func newFarZip(src ranges.ReaderAt, size int64) (*farZip, error) {
	z := &farZip{Ahead: ranges.NewAhead(src), size: size}
	z.last = z.span(size-zipTail, zipTail)
	return z, z.bring(z.last)
}

// span returns the span of n bytes from off, up to the end of the zip.
func (z *farZip) span(off, n int64) ranges.Span {
	from, to := max(off, 0), min(off+n, z.size)
	return ranges.Span{Off: from, Len: to - from}
}

// bring fetches spans concurrently and keeps their bytes.
func (z *farZip) bring(spans ...ranges.Span) error {
	held, err := z.Fetch(context.Background(), spans...)
	if err == nil {
		held.Keep()
		held.Release()
	}
	return err
}

// ReadAt implements io.ReaderAt for package archive/zip.
func (z *farZip) ReadAt(p []byte, off int64) (int, error) {
	var err error
	switch n := int64(len(p)); {
	case n >= zipTail || off >= z.size-zipTail:
	case off >= z.last.Off && off+max(n, z.member) <= z.last.End():
	case z.member == 0:
		z.last = z.span(off, zipTail)
		err = z.bring(z.last)
	case z.member <= memberWhole:
		z.last = z.span(off, max(memberHead+z.member, memberFront))
		err = z.bring(z.last)
	default:
		err = z.bring(z.span(off, memberHead+memberFront), z.span(off+z.member-memberTail, memberTail+memberHead))
	}
	if err != nil {
		return 0, err
	}
	return z.Ahead.ReadAt(p, off)
}

// locate calls find, which reads the local header of a member of n bytes.
func (z *farZip) locate(n int64, find func() (int64, error)) (int64, error) {
	z.mu.Lock()
	defer z.mu.Unlock()
	z.member = n
	return find()
}

var _ io.ReaderAt = (*farZip)(nil)
