package stream

import (
	"context"
	"runtime"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/internal/workpool"
)

// A WriterOption changes what NewWriter and NewConn make. Nil options are ignored.
type WriterOption interface {
	ConnOption
	toWriter(*writerConfig)
}

// A ReaderOption changes what NewReader and NewConn make. Nil options are ignored.
type ReaderOption interface {
	ConnOption
	toReader(*readerConfig)
}

// An Option is both a WriterOption and a ReaderOption.
type Option interface {
	WriterOption
	ReaderOption
}

// A ConnOption changes what NewConn makes. Every WriterOption and ReaderOption
// is a ConnOption for its direction.
type ConnOption interface {
	toConn(*connConfig)
}

// A common holds the options of both writers and readers.
type common struct {
	ctx      context.Context
	workers  int   // 0 means not given
	inFlight int64 // limit of Memory in bytes
	progress func(Stats)
}

// These are the default sizes, and those of ForStores, in bytes. Those of ForStores
// follow from the costs of a request: see docs/remote.md.
const (
	DefaultChunkSize = 1 << 20   // size of a chunk, before it is rounded down to whole items
	DefaultMemory    = 512 << 20 // size of chunks in flight: see Memory
	DefaultSpool     = 64 << 20  // size of a spool in memory: see SpoolLimit
	StoreChunkSize   = 8 << 20
	StoreBlockSize   = 256 << 10
)

var defaultCommon = common{ctx: context.Background(), inFlight: DefaultMemory}

// check returns an error for invalid options.
func (c *common) check() error {
	if err := framing.Need(c.ctx != nil, "context", "a context.Context"); err != nil {
		return err
	}
	if c.workers < 0 {
		return &blosc2.OptionError{Option: "workers", Value: c.workers, Range: "0 (automatic) or more"}
	}
	if c.inFlight < 1 {
		return &blosc2.OptionError{Option: "memory", Value: c.inFlight, Range: "1 byte or more"}
	}
	return nil
}

// parallelism determines the number of workers: that of the option, or of the header,
// or GOMAXPROCS, which is also the maximum. jobs is the number of chunks of chunkSize
// bytes, with their compressed forms, in flight at the same time: enough to keep the
// workers busy, as far as the memory limit allows.
func (c *common) parallelism(header int, chunkSize int64) (workers, jobs int) {
	workers = runtime.GOMAXPROCS(0)
	if c.workers > 0 {
		workers = min(workers, c.workers)
	} else if header > 0 {
		workers = min(workers, header)
	}
	fit := max(1, c.inFlight/(2*max(chunkSize, 1)))
	return workers, int(min(int64(workers+workpool.Spare), fit))
}

type option func(*common)

func (o option) toWriter(c *writerConfig) { o(&c.common) }
func (o option) toReader(c *readerConfig) { o(&c.common) }
func (o option) toConn(c *connConfig)     { o(&c.writer.common); o(&c.reader.common) }

// Workers sets how many goroutines compress or decompress. Each works on a different
// chunk, or, if there are fewer chunks, on blocks of the same one. The goroutine that
// calls a Writer or Reader is one of them while it waits for a chunk; with 1 no other
// goroutine is started. 0, the default, means the number that Threads recorded in the
// header, or GOMAXPROCS. There are never more than GOMAXPROCS.
//
// All Writers and Readers of a process share the processors: while these are
// busy with chunks, no more workers are woken, and each caller does its own
// work.
//
// # Goroutines
//
// With one worker no goroutine is started. Otherwise several goroutines
// compress or decompress, the caller among them while it waits for a chunk, and
// one more reads a source that may block. After Close, an error or the end no
// goroutine remains, except one that is blocked in the source's Read, which
// ends when that returns. If the source has a SetReadDeadline method, Close and
// a cancelled context interrupt it. With several workers, the methods of a
// Reader return immediately in any case, even while they wait for the first
// header.
func Workers(n int) Option { return option(func(c *common) { c.workers = n }) }

// Context makes the Writer or Reader end with context.Cause(ctx) when ctx is
// cancelled. It applies to the first stream: see ResetContext for later ones. A
// blocked Read of the source can be interrupted only if the source has a
// SetReadDeadline method, or by closing it; a blocked Write of the sink by
// closing that. With several workers the methods of a Reader do not wait for
// it.
func Context(ctx context.Context) Option { return option(func(c *common) { c.ctx = ctx }) }

// Memory limits the bytes of chunks in flight, raw and compressed together;
// 512 MiB unless given. One chunk is always allowed.
//
// # What is held
//
// A Writer or Reader holds at most
//
//	workers + 2   chunks with their compressed forms (chunk size + 32 bytes), within the limit of Memory;
//	              a Writer begins with one for each worker
//	workers       times the scratch memory below; where a chunk is shared, its compressed form once more
//	              4 MiB that are not written yet, in at most 8 MiB, or the spool's share of memory
//	              8 bytes for each chunk of the frame
//
// The scratch memory is two blocks (usually 32 KiB to 1 MiB, by level and
// typesize) and what the codec needs:
//
//	           compress   decompress
//	blosclz    130 KiB    -
//	lz4         32 KiB    -
//	lz4hc      900 KiB    -
//	zlib       750 KiB    50 KiB
//	zstd         1 MiB    200 KiB; from level 6 on 1.5 MiB, and 4 bytes (6: 6 bytes) for each byte of a block, to compress
//
// Without a filter that moves bytes, lz4hc and zstd search for repeated whole
// values. To compress blocks of 32 KiB, 256 KiB and 1 MiB they need
//
//	lz4hc      0.3, 1.2 and 3.5 MiB; from level 4 on 0.7, 3.6 and 5.5 MiB
//	zstd       1.1, 2 and 3 MiB; from level 3 on 1.3, 5 and 9.3 MiB, from 7 on 2, 7 and 14 MiB
//
// A Conn holds much less: see [Conn].
func Memory(bytes int64) Option { return option(func(c *common) { c.inFlight = bytes }) }

// Progress calls f after every chunk, in the goroutine that calls Write or
// Read, with the statistics so far.
func Progress(f func(Stats)) Option { return option(func(c *common) { c.progress = f }) }
