package framing

import (
	"context"
	"io"
	"iter"
)

// What packages frame and stream have for the packages above them, and not for
// programs. Their types cannot be named here, since they import this package: a hook
// takes them as any, or is of the type that its comment has. Each package sets its
// hooks when it is initialized.
var (
	// NewLog goes on with a frame that a Builder has begun: header and chunks up to
	// Builder.Pos are in the file already, from base on, and no tail. It is a
	// func(b *frame.Builder, file LogFile, base int64) Log.
	NewLog any
	// AppendLog opens a frame of size bytes to go on with it. It is a
	// func(file frame.File, size int64, rows bool, opts ...frame.Option) (Log, *frame.Builder, *frame.Reader, error).
	// rows says that the frame may be an array that grows row by row.
	AppendLog any
	// ReadAhead begins to fetch wants of a *frame.Reader, in waves that take about
	// 16 MiB and in the order given. wants is called in another goroutine, until Close
	// returns. Where the source is not far away, the Lookahead does nothing, and Next
	// must not be called.
	ReadAhead func(ctx context.Context, reader any, wants iter.Seq[Want]) Lookahead
	// ReadChunksAhead is ReadAhead for all chunks from n on.
	ReadChunksAhead func(ctx context.Context, reader any, n int64) Lookahead
	// LendTo has a *frame.Walker call f for memory of at least n bytes for a chunk
	// that the caller's does not hold. f is not asked for more than 4 MiB: larger
	// chunks get memory step by step, as their bytes arrive.
	LendTo func(walker any, f func(n int) []byte)
	// ParamsOf returns how a Writer with these options compresses its chunks. The header
	// of a frame does not say all of it. It is a
	// func(...stream.WriterOption) (chunk.Params, error).
	ParamsOf any
	// GrowRowsOption makes stream.Append go on with an array. It is a stream.WriterOption.
	GrowRowsOption any
	// BlockShapeOption sets the shape of a block, for the filters and codecs that need it.
	// It is a func([]int32) stream.WriterOption.
	BlockShapeOption any
	// Rows returns what a *stream.Writer does with the rows of an array.
	Rows func(writer any) RowWriter
)

// A Want names what is read next of a chunk: the given blocks, or else the
// decoded bytes from From up to To, or, where both are 0, all of it.
type Want struct {
	Chunk    int64
	Blocks   []int
	From, To int64
}

// A Lookahead fetches what is read next while the caller is busy with what it has.
// It belongs to one goroutine.
type Lookahead interface {
	// Next drops the current wave, and returns the number of wants in the next one
	// when that has been fetched. After the last one the error is io.EOF.
	Next() (wants int, err error)
	// Step waits until the next want is there, one after the other. After the last
	// it does nothing.
	Step() error
	// Close ends fetching, and drops all that was fetched.
	Close()
}

// A LogFile is what a Log writes into. *os.File is one.
type LogFile interface {
	io.WriterAt
	Truncate(size int64) error
	Sync() error
}

// A Log writes a frame that is flushed and committed again and again. Package frame
// has it, and describes its methods.
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
	Len() int64
	End() int64
}

// A RowWriter writes rows of an array that may go on.
type RowWriter interface {
	// Flush writes the first n rows of the slab that is due, which they need not
	// fill. rows returns those from one on, and last says that no more follow. The
	// chunks of every whole slab before must have been written. ok is false where the
	// sink is no file; nothing of the rows is written then.
	Flush(n int64, rows func(from int64) []byte, last bool) (ok bool, err error)
	// Count returns how many rows the array has that Append goes on with, how many
	// of them are of the slab that is due, and how many bytes the file takes.
	Count() (rows, pending, size int64)
	// UpdateMetalayer replaces the value of a metalayer of the header by one of the
	// same length. ok is false where the header is out already and cannot be
	// patched; nothing has changed then.
	UpdateMetalayer(name string, value []byte) (ok bool, err error)
}
