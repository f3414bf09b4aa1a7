package framing

import (
	"context"
	"io"
	"iter"
)

// These variables and types are the parts of packages frame and stream that are for
// packages of this module only. This package cannot name the types of those packages,
// because they import it: a hook takes them as any, or has the type in its comment. An
// interface instead of any would need exported methods of the public types, which a
// user would see, and types that are moved to an internal package would leave aliases
// of them. So each package sets its hooks when it is initialized, and packages that use
// them assert their types then: a mismatch fails every program at once.
var (
	// NewLog continues a frame that a Builder has begun: header and chunks up to
	// Builder.Pos are in the file, starting at base, without a tail. It is a func(b
	// *frame.Builder, file LogFile, base int64) Log.
	NewLog any
	// AppendLog opens a frame of size bytes to continue it. It is a func(file
	// frame.File, size int64, rows bool, opts ...frame.Option) (Log,
	// *frame.Builder, *frame.Reader, error). rows allows an array that grows row by row.
	AppendLog any
	// ReadAhead begins to fetch wants of a *frame.Reader, in waves that take
	// about 16 MiB and in the order given. wants is called in another
	// goroutine, until Close returns. If the source is not remote, the
	// Lookahead does nothing, and Next must not be called.
	ReadAhead func(ctx context.Context, reader any, wants iter.Seq[Want]) Lookahead
	// ReadChunksAhead is like ReadAhead, for chunk n and all later ones.
	ReadChunksAhead func(ctx context.Context, reader any, n int64) Lookahead
	// HoldChunk reads chunk n of a *frame.Reader and compares it with its digest, so that
	// several goroutines can decode its blocks.
	HoldChunk func(reader any, n int64) (HeldChunk, error)
	// FirstChunk makes a *frame.Reader read what it needs of the first chunk with one
	// request, even if two would read fewer bytes. It is for a caller that has already
	// made requests to find the frame.
	FirstChunk func(reader any)
	// HeaderChanged reports whether the header in the source of a *frame.Reader is no longer
	// the one that it has read.
	HeaderChanged func(reader any) bool
	// InMemory makes a *frame.Reader return stored chunks as parts of b, which its
	// source reads and nobody may change, instead of copies. It is for the frame that
	// is open.
	InMemory func(reader any, b []byte)
	// LendTo makes a *frame.Walker call f for memory of at least n bytes for a chunk
	// that does not fit the caller's. n is at most 4 MiB: larger chunks get memory step
	// by step, as their bytes arrive.
	LendTo func(walker any, f func(n int) []byte)
	// ParamsOf returns how a Writer with these options compresses its chunks. The
	// header of a frame does not contain all of it. It is a
	// func(...stream.WriterOption) (chunk.Params, error).
	ParamsOf any
	// GrowRowsOption allows stream.Append to continue an array. It is a
	// stream.WriterOption.
	GrowRowsOption any
	// BlockShapeOption sets the shape of a block, for the filters and codecs that need it.
	// It is a func([]int32) stream.WriterOption.
	BlockShapeOption any
	// Rows returns the RowWriter of a *stream.Writer.
	Rows func(writer any) RowWriter
)

// A HeldChunk is a chunk that was read whole.
type HeldChunk interface {
	// ReadBlocks is like ReadBlocks of a *frame.Reader. It may be called by several
	// goroutines concurrently.
	ReadBlocks(blocks []int, each func(block int, data []byte) error) error
	// Release ends the use of the chunk.
	Release()
}

// A Want names what is read next of a chunk: the given blocks, or else the decoded
// bytes from From up to To, or, if both are 0, the whole chunk.
type Want struct {
	Chunk    int64
	Blocks   []int
	From, To int64
}

// A Lookahead fetches the next chunks while the caller processes the current
// ones. It belongs to one goroutine.
type Lookahead interface {
	// Next drops the current wave, and returns the number of wants in the next one
	// when that has been fetched. After the last one the error is io.EOF.
	Next() (wants int, err error)
	// Step waits until the next want is fetched. After the last it does
	// nothing.
	Step() error
	// Close ends fetching, and drops all that was fetched.
	Close()
}

// A LogFile is a file that a Log can write. *os.File implements it.
type LogFile interface {
	io.WriterAt
	Truncate(size int64) error
	Sync() error
}

// A Log writes a frame that is flushed and committed repeatedly. Package frame
// implements it and describes its methods.
type Log interface {
	Put(c []byte, cbytes, nbytes int) error
	Flush(data []byte) error
	Commit() error
	Close() error
	Touch()
	Keep() error

	GrowRows() error
	FlushRows(n int64, rows func(from int64) []byte, last bool) error
	Rows() bool
	NumRows() (n, pending int64)

	Dirty() bool
	Committed() bool
	Empty() bool
	Unfinished() bool
	Pending() int
	Recovered() int64
	Lost() error
	Len() int64
	End() int64
}

// A RowWriter is what package b2nd needs of a stream.Writer besides its methods.
type RowWriter interface {
	// Flush writes the first n rows of the current slab, which they need not fill.
	// rows returns the rows beginning with the given one, and last says that no
	// more follow. The chunks of all earlier slabs must have been written. ok is
	// false if the sink is not a file; no rows are written then.
	Flush(n int64, rows func(from int64) []byte, last bool) (ok bool, err error)
	// Count returns the number of rows of the array that Append continues, how many of
	// them are in the current slab, and the size of the file in bytes.
	Count() (rows, pending, size int64)
	// UpdateMetalayer replaces the value of a metalayer of the header by one of
	// the same length. ok is false if the header is already written and cannot
	// be patched; nothing has changed then.
	UpdateMetalayer(name string, value []byte) (ok bool, err error)
	// Choosing reports whether there is Auto, and nothing is written.
	Choosing() bool
	// Columns reports whether a table suits the aim of Auto better column by column: see
	// tune.Search.Columns.
	Columns(rows []byte, items int, columns func() []byte) (bool, error)
	// Divide changes the sizes of chunks and blocks, in bytes, and the shape of blocks. Nothing
	// must have been written.
	Divide(chunk, block int, shape []int32)
}
