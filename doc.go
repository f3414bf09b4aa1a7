// Package blosc2 holds the codec and filter numbers and the errors of this
// module, which reads and writes the Blosc2 formats in pure Go. Most programs
// need only package stream, which writes a frame through an io.Writer and reads
// it through an io.Reader. C-Blosc2 opens a frame once it is sealed; a file is
// sealed at Close.
//
// # Data flow
//
//	stream    Write collects bytes until a chunk is full and hands it to a worker
//	tune      with Auto, chooses codec, level, filters, split, block size and width
//	          of items from the data, and again when the data change
//	chunk     the worker cuts the chunk into blocks that fit into the cache
//	filters   each block goes through the pipeline, usually a shuffle that
//	          puts the first bytes of all items together, then the second ones …
//	shuffle   … with kernels in assembly where there are any
//	codecs    each block, or each of its typesize streams, is compressed; a
//	          stream of one repeated byte becomes a token, one that does not
//	          shrink is stored
//	chunk     header, offsets of the blocks, blocks: a chunk
//	workpool  workers finish in any order, but chunks are returned in that of Write
//	frame     header, chunk, chunk, …, end mark, index of the chunks, trailer;
//	          with checks, a digest after header, chunks and trailer
//	          in a file that is flushed, a log keeps an incomplete chunk in an open
//	          chunk, which the finished one replaces (docs/logs.md)
//	header    the header's fields, in msgpack of fixed width, among them
//	          the sizes that Close writes into it: it seals the frame
//	meta      named metalayers in the header; b2nd, the shape of an array,
//	          is one of them
//
// A Reader reverses these steps. It reads a pipe or a socket front to back, and
// a file by its index. Package frame reads any chunk or range of bytes and
// decodes only the blocks that hold them. Package b2nd does the same for
// windows of arrays, and package npy reads and writes NumPy's files. A package
// imports only packages that are below it in a table that a test enforces. The
// same test names the packages that start goroutines: workpool, ranges, stream,
// remote, and internal/watch for the end of a context.
//
// # Defaults
//
//	chunk size          1 MiB, rounded down to whole items
//	block size          automatic, as C-Blosc2 chooses it
//	codec               lz4
//	level               5
//	filters             shuffle
//	typesize            8 (the command determines it from the data)
//	split               default: as C-Blosc2; shuffled blocks of zstd and lz4hc always
//	checks              on
//	workers             0: as many as GOMAXPROCS
//	header threads      0, 0
//	largest chunk read  256 MiB
//	memory in flight    512 MiB
//	spool in memory     64 MiB
//
// # Errors
//
// An error in the data is a *FormatError that says where it was found and wraps
// ErrCorrupt, ErrChecksum, ErrUnsupported or ErrTooLarge, or
// io.ErrUnexpectedEOF if the data end early. Bytes returned before an error are
// valid. Input never causes a panic, and every size in it is checked against
// the input's length and a limit before memory is allocated for it. An invalid
// option is an *OptionError.
package blosc2
