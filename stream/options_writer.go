package stream

import (
	"fmt"
	"strings"
	"time"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/tune"
)

type writerConfig struct {
	common
	chunk     chunk.Params
	aim       tune.Aim  // chunk is chosen by the data; 0: it is as given
	keep      tune.Keep // what of chunk is given, and stays
	typeSize  bool      // TypeSize was given
	itemSize  int       // that of Items; 0 without
	chunkSize int
	given     bool // chunkSize is that of a frame which goes on
	checks    bool
	selfCheck bool
	checked   bool // Checks was given
	variable  bool
	threads   [2]int
	layers    []meta.Layer
	spool     int64 // bytes of a spool held in memory; -1: no spool
	layout    header.Generation
	legacy    bool  // codecs that C-Blosc2 has given up are wanted
	dropTail  bool  // see DropTail
	rows      bool  // see GrowRows
	bad       error // of an option that cannot be
	frameMax  int64 // chunks of a frame before the next begins; 0: no limit but the format's
	lockWait  time.Duration

	// Of a Conn.
	lent    bool // memory is borrowed, and as much as is needed
	flushed bool // every Write is followed by a Flush before its data are changed
	search  bool // small chunks are made in several ways, and the shortest is taken
	way     bool // an option says how chunks are made
}

func defaultWriter() writerConfig {
	c := writerConfig{common: defaultCommon, chunk: chunk.Default(), chunkSize: DefaultChunkSize, checks: true, spool: -1, lockWait: frame.DefaultLockWait}
	c.chunk.PlainZeros = true
	return c
}

type writerOption func(*writerConfig)

func (o writerOption) toWriter(c *writerConfig) { o(c) }
func (o writerOption) toConn(c *connConfig)     { o(&c.writer) }

// Codec sets the codec; lz4 unless given. meta is the codec's own byte, which a few
// plugin codecs use.
func Codec(id blosc2.CodecID, meta ...uint8) WriterOption {
	return writerOption(func(c *writerConfig) {
		c.chunk.Codec, c.chunk.CodecMeta, c.way = id, 0, true
		if len(meta) > 0 {
			c.chunk.CodecMeta = meta[0]
		}
		c.keep |= tune.KeepCodec
	})
}

// Level sets the compression level from 0 (store) to 9; 5 unless given.
func Level(n int) WriterOption {
	return writerOption(func(c *writerConfig) {
		c.chunk.Level, c.way = n, true
		c.keep |= tune.KeepLevel
	})
}

// Filters sets the filter pipeline; shuffle in the last slot unless given.
// Where C-Blosc2 or python-blosc2 are to read parts of the data, leave delta out:
// they read these wrongly, without an error. See blosc2.FilterDelta.
func Filters(p filters.Pipeline) WriterOption {
	return writerOption(func(c *writerConfig) {
		c.chunk.Filters, c.way = p, true
		c.keep |= tune.KeepFilters
	})
}

// TypeSize sets the number of bytes of an item; 8 unless given, or what the
// first WriteSlice says.
func TypeSize(n int) WriterOption {
	return writerOption(func(c *writerConfig) {
		if c.itemSize > 0 && n != c.itemSize {
			c.bad = errItemSize(n, c.itemSize)
		}
		c.chunk.TypeSize, c.typeSize = n, true
		c.keep |= tune.KeepTypeSize
	})
}

func errItemSize(typeSize, itemSize int) error {
	return &blosc2.OptionError{Option: "typesize", Value: typeSize, Range: fmt.Sprintf("%d, or left out, with Items of that size", itemSize)}
}

// Split sets when blocks are cut into a stream for each byte of an item.
func Split(m blosc2.SplitMode) WriterOption {
	return writerOption(func(c *writerConfig) {
		c.chunk.Split, c.way = m, true
		c.keep |= tune.KeepSplit
	})
}

// ChunkSize sets the bytes of a chunk before compression, from one item to
// 2 GiB less 33 bytes, rounded down to whole items; 1 MiB unless given.
func ChunkSize(n int) WriterOption { return writerOption(func(c *writerConfig) { c.chunkSize = n }) }

// BlockSize sets the bytes of a block, rounded down to whole items; 0, the
// default, chooses as C-Blosc2 does.
func BlockSize(n int) WriterOption {
	return writerOption(func(c *writerConfig) {
		if c.chunk.BlockSize = n; n != 0 {
			c.keep |= tune.KeepBlockSize
		}
	})
}

// Dict has a dictionary trained for each chunk that is large enough (zstd).
func Dict() WriterOption {
	return writerOption(func(c *writerConfig) { c.chunk.Dict = true })
}

// Checks says whether a digest follows each chunk and the header, 16 bytes
// each. The default is true, but false for a Conn with Delay or Compact.
// C-Blosc2 treats digests as unused space.
func Checks(on bool) WriterOption {
	return writerOption(func(c *writerConfig) { c.checks, c.checked = on, true })
}

// SelfCheck has each chunk decoded after it was made, and compared with what
// was written; off unless given. A chunk that differs is not written, and the
// method that would have written it returns an error that wraps
// blosc2.ErrCorrupt. Codecs, kernels, memory and processor would have to fail
// twice in the same way for damage to pass: where another library decodes the
// codec, it does; see chunk.Verifier. Lossy codecs and filters are checked for the
// length alone.
//
// The workers check what they made. It takes several times as long as
// compressing with a fast codec.
func SelfCheck(on bool) WriterOption {
	return writerOption(func(c *writerConfig) { c.selfCheck = on })
}

// Threads sets the thread counts that the header records for compression and
// decompression; 0, none, unless given. Where Workers does not say otherwise
// the first is the number of workers of this Writer, and the second that of its
// readers.
func Threads(compress, decompress int) WriterOption {
	return writerOption(func(c *writerConfig) { c.threads = [2]int{compress, decompress} })
}

// Metalayer adds a named value to the header. Names have 1 to 31 bytes. There
// may be 15, or 16 where the sink can be patched: then there is no room for the
// mark and the check records, the frame is not read front to back, and what was
// flushed can be read only after a Checkpoint or Close. The value must not be
// changed until NewWriter returns.
func Metalayer(name string, value []byte) WriterOption {
	return writerOption(func(c *writerConfig) { c.layers = append(c.layers, meta.Layer{Name: name, Value: value}) })
}

// VariableChunks makes Flush end the current chunk, so that the frame is one
// of variable chunk size (frame version 3). C-Blosc2 2.x takes a file of that
// kind for an empty one, 3.3 reads it chunk by chunk only, and python-blosc2
// crashes on a slice of it; frame.CompactFile makes a file for these of it.
func VariableChunks() WriterOption { return writerOption(func(c *writerConfig) { c.variable = true }) }

// Spool holds the frame back until Close, the first memory bytes of it in
// memory and the rest in a temporary file, so that it is sealed on any sink.
// Flush and Checkpoint then do nothing.
func Spool(memory int64) WriterOption {
	return writerOption(func(c *writerConfig) { c.spool = max(memory, 0) })
}

// Legacy allows snappy and lizard in the current layout, which C-Blosc2 since
// 2.0 cannot read; in the layout of 2019 they need no leave.
func Legacy() WriterOption { return writerOption(func(c *writerConfig) { c.legacy = true }) }

// Layout2019 writes the frame layout of August 2019, as the frame format
// document of that month has it: chunks without check records or mark, an
// index, and no trailer. It exists for readers of that time, is always sealed,
// spooling if it must, and Flush and Checkpoint do nothing. Vlmetalayers,
// VariableChunks and dictionaries are not to be had.
func Layout2019() WriterOption {
	return writerOption(func(c *writerConfig) {
		c.layout, c.chunk.Format = header.Layout2019, chunk.Beta
	})
}

// check refuses what cannot be, and rounds the sizes.
func (c *writerConfig) check() error {
	if c.bad != nil {
		return c.bad
	}
	if err := c.common.check(); err != nil {
		return err
	}
	if c.chunk.TypeSize < 1 || c.chunk.TypeSize > chunk.MaxBlockSize {
		return &blosc2.OptionError{Option: "typesize", Value: c.chunk.TypeSize, Range: fmt.Sprintf("1 to %d", chunk.MaxBlockSize)}
	}
	if c.chunkSize == DefaultChunkSize { // a default never excludes a large item
		c.chunkSize = max(c.chunkSize, c.chunk.TypeSize)
	}
	if c.chunkSize < c.chunk.TypeSize && !c.given || c.chunkSize > chunk.MaxBytes {
		return &blosc2.OptionError{Option: "chunk size", Value: c.chunkSize, Range: fmt.Sprintf("one item (%d) to %d", c.chunk.TypeSize, chunk.MaxBytes)}
	}
	if !c.given {
		c.chunkSize -= c.chunkSize % c.chunk.TypeSize
		if c.aim != 0 && c.keep&tune.KeepTypeSize == 0 && c.chunkSize >= tune.MaxWidth {
			c.chunkSize -= c.chunkSize % tune.MaxWidth
		}
	}
	for i, what := range []string{"threads for compression", "threads for decompression"} {
		if n := c.threads[i]; n < 0 || n > 1<<15-1 {
			return &blosc2.OptionError{Option: what, Value: n, Range: "0 to 32767"}
		}
	}
	if c.layout == header.Layout2019 {
		if c.variable {
			return &blosc2.OptionError{Option: "chunks of variable size", Value: true, Range: "false in the layout of 2019"}
		}
		c.checks = false // there is no place for them
	}
	givenUp := c.chunk.Codec == blosc2.CodecSnappy || c.chunk.Codec == blosc2.CodecLizard
	if givenUp && c.layout != header.Layout2019 && !c.legacy && !c.given && c.aim == 0 {
		return &blosc2.OptionError{Option: "codec", Value: c.chunk.Codec, Range: "one that C-Blosc2 since 2.0 reads, unless Legacy or Layout2019 is given"}
	}
	if least, most := dimensions(c.chunk.Codec); most > 0 && c.aim == 0 && (len(c.chunk.BlockShape) < least || len(c.chunk.BlockShape) > most) {
		return &blosc2.OptionError{Option: "block shape for " + c.chunk.Codec.String(), Value: c.chunk.BlockShape, Range: fmt.Sprintf("of %d to %d dimensions", least, most)}
	}
	if c.aim != 0 {
		if err := c.aim.Check(); err != nil {
			return err
		}
	}
	if err := c.checkLayers(); err != nil {
		return err
	}
	return c.chunk.Validate()
}

// dimensions returns how many a block must have for a codec of arrays; 0 and 0
// for other codecs.
func dimensions(id blosc2.CodecID) (least, most int) {
	switch id {
	case blosc2.CodecNDLZ:
		return 2, 2
	case blosc2.CodecZFPAcc, blosc2.CodecZFPPrec, blosc2.CodecZFPRate:
		return 1, 4
	}
	return 0, 0
}

func (c *writerConfig) checkLayers() error {
	if n := len(c.layers); n > meta.MaxLayers {
		return &blosc2.OptionError{Option: "metalayers", Value: n, Range: fmt.Sprintf("at most %d", meta.MaxLayers)}
	}
	seen := map[string]bool{meta.StreamName: true}
	for _, l := range c.layers {
		if n := len(l.Name); n < 1 || n > meta.MaxName || strings.IndexByte(l.Name, 0) >= 0 {
			return &blosc2.OptionError{Option: "metalayer name", Value: fmt.Sprintf("%.40q", l.Name), Range: fmt.Sprintf("1 to %d bytes without a zero", meta.MaxName)}
		}
		if seen[l.Name] {
			return &blosc2.OptionError{Option: "metalayer name", Value: l.Name, Range: "given once, and not " + meta.StreamName}
		}
		seen[l.Name] = true
	}
	return nil
}

// DropTail makes Append drop what the frame's last writer flushed but did not
// commit, which is kept otherwise. A Writer commits more than Checkpoint asked for
// where it must use a place of the file again; that stays. DropTail has no meaning
// for NewWriter, nor for a frame that was never committed.
func DropTail() WriterOption { return writerOption(func(c *writerConfig) { c.dropTail = true }) }
