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
	aim       tune.Aim  // aim of Auto; 0 if chunk is used as given
	keep      tune.Keep // the fields of chunk that were given and do not change
	typeSize  bool      // TypeSize, Items or ItemSize was given
	itemSize  int       // size of an item, from Items, ItemSize or the first WriteSlice; 0 without these
	records   bool      // ItemSize was given, so the typesize may be that of records of several items
	chunkSize int
	given     bool // chunkSize is that of an existing frame
	checks    bool
	selfCheck bool
	checked   bool // Checks was given
	variable  bool
	threads   [2]int
	layers    []meta.Layer
	spool     int64 // bytes of a spool to hold in memory; -1 means no spool
	layout    header.Generation
	legacy    bool  // allow codecs that C-Blosc2 has dropped
	dropTail  bool  // see DropTail
	dropHurt  bool  // see DropDamaged
	rows      bool  // see GrowRows
	bad       error // the error of an invalid option
	frameMax  int64 // chunks of a frame before the next frame begins; 0 means the format's limit
	lockWait  time.Duration

	// These are for a Conn.
	lent    bool // memory is borrowed, as much as needed
	flushed bool // every Write is followed by a Flush before its data are changed
	search  bool // try several parameters for small chunks
	way     bool // an option sets how chunks are compressed
}

func defaultWriter() writerConfig {
	c := writerConfig{common: defaultCommon, chunk: chunk.Default(), chunkSize: DefaultChunkSize, checks: true, spool: -1, lockWait: frame.DefaultLockWait}
	c.chunk.PlainZeros = true
	return c
}

// writerOptions applies options to the defaults.
func writerOptions(opts []WriterOption) writerConfig {
	c := defaultWriter()
	for _, o := range opts {
		if o != nil {
			o.toWriter(&c)
		}
	}
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

// Filters sets the filter pipeline; shuffle in the last slot unless given. Do
// not use delta if C-Blosc2 or python-blosc2 will read parts of the data: they
// read these wrongly, without an error. See blosc2.FilterDelta.
func Filters(p filters.Pipeline) WriterOption {
	return writerOption(func(c *writerConfig) {
		c.chunk.Filters, c.way = p, true
		c.keep |= tune.KeepFilters
	})
}

// TypeSize sets the number of bytes of an item; 8 unless given, or that of the
// first WriteSlice. Auto keeps it; with ItemSize it may choose another one.
func TypeSize(n int) WriterOption {
	return writerOption(func(c *writerConfig) {
		if c.itemSize > 0 && n != c.itemSize {
			c.bad = errItemSize(n, c.itemSize)
		}
		c.chunk.TypeSize, c.typeSize = n, true
		c.keep |= tune.KeepTypeSize
	})
}

// ItemSize says that items have n bytes. Without Auto it is the same as TypeSize. Auto may
// choose a typesize of several items, up to 255 bytes, for data that become smaller in records,
// such as the rows of a table: see there when it decides. C-Blosc2 and python-blosc2 then count
// records instead of items. ItemSize does not record the type of the items. With it, Items and
// WriteSlice do, and leave the typesize to Auto.
func ItemSize(n int) WriterOption {
	return writerOption(func(c *writerConfig) {
		c.setItemSize(n)
		c.records = true
	})
}

// fixItems keeps the typesize from being chosen if only Items or WriteSlice set it.
func (c *writerConfig) fixItems() {
	if c.itemSize > 0 && !c.records {
		c.keep |= tune.KeepTypeSize
	}
}

func (c *writerConfig) setItemSize(n int) {
	if c.typeSize && c.chunk.TypeSize != n {
		c.bad = errItemSize(c.chunk.TypeSize, n)
	}
	c.chunk.TypeSize, c.typeSize, c.itemSize = n, true, n
}

func errItemSize(typeSize, itemSize int) error {
	return &blosc2.OptionError{Option: "typesize", Value: typeSize, Range: fmt.Sprintf("%d, or left out, with items of that size", itemSize)}
}

// Split sets when blocks are cut into a stream for each byte of an item.
func Split(m blosc2.SplitMode) WriterOption {
	return writerOption(func(c *writerConfig) {
		c.chunk.Split, c.way = m, true
		c.keep |= tune.KeepSplit
	})
}

// ChunkSize sets the bytes of a chunk before compression, from one item to 2 GiB
// minus 33 bytes, rounded down to whole items; 1 MiB unless given.
func ChunkSize(n int) WriterOption { return writerOption(func(c *writerConfig) { c.chunkSize = n }) }

// BlockSize sets the bytes of a block, rounded down to whole items; 0, the
// default, chooses as C-Blosc2 does. A chunk of at most n bytes is one block.
func BlockSize(n int) WriterOption {
	return writerOption(func(c *writerConfig) {
		if c.chunk.BlockSize = n; n != 0 {
			c.keep |= tune.KeepBlockSize
		}
	})
}

// Dict trains a dictionary for each chunk that is large enough (zstd only).
func Dict() WriterOption {
	return writerOption(func(c *writerConfig) { c.chunk.Dict = true })
}

// Checks sets whether a digest of 16 bytes follows each chunk and the header.
// The default is true, but false for a Conn with Delay or Compact, and in the
// layout of 2019, where it must not be true. C-Blosc2 treats digests as unused space.
func Checks(on bool) WriterOption {
	return writerOption(func(c *writerConfig) { c.checks, c.checked = on, true })
}

// SelfCheck decodes each chunk after encoding it, and compares the result with the
// input; off unless given. A chunk that differs is not written, and the method that
// would have written it returns an error that wraps blosc2.ErrCorrupt. A fault of
// the codec, the kernels, the memory or the processor is missed only if it occurs
// twice in the same way: another library decodes the chunk if one supports the
// codec; see chunk.Verifier. For lossy codecs and filters only the length is
// checked.
//
// The workers check their chunks. As BenchmarkSelfCheck measures, lz4 then takes
// 6.5 times as long as without, zlib 2.6 times and zstd twice.
func SelfCheck(on bool) WriterOption {
	return writerOption(func(c *writerConfig) { c.selfCheck = on })
}

// Threads sets the thread counts that the header records for compression and
// decompression; 0, none, unless given. Unless Workers is given, the first is
// also the number of workers of this Writer, and the second that of its
// readers.
func Threads(compress, decompress int) WriterOption {
	return writerOption(func(c *writerConfig) { c.threads = [2]int{compress, decompress} })
}

// Metalayer adds a named value to the header. Names have 1 to 31 bytes. There
// may be 15, or 16 if the sink can be patched: with 16 there is no room for the
// mark and the check records, the frame cannot be read front to back, and
// flushed data can be read only after a Checkpoint or Close. The value of "b2nd" or
// "caterva" must describe an array, as package b2nd does. The value must not be
// changed until NewWriter returns.
func Metalayer(name string, value []byte) WriterOption {
	return writerOption(func(c *writerConfig) { c.layers = append(c.layers, meta.Layer{Name: name, Value: value}) })
}

// VariableChunks makes Flush end the current chunk, so that the frame has a
// variable chunk size (frame version 3). C-Blosc2 2.x treats such a file as
// empty, 3.3 reads it only by chunk, and python-blosc2 crashes on a slice of
// it; frame.CompactFile converts it to a file that they read.
func VariableChunks() WriterOption { return writerOption(func(c *writerConfig) { c.variable = true }) }

// Spool holds the frame back until Close, so that it is sealed on any sink. The first
// memory bytes are held in memory, the others in a temporary file. Flush and Checkpoint
// then do nothing. memory must be 0 or more.
func Spool(memory int64) WriterOption {
	return writerOption(func(c *writerConfig) {
		if c.spool = memory; memory < 0 {
			c.bad = &blosc2.OptionError{Option: "spool", Value: memory, Range: "0 or more"}
		}
	})
}

// Legacy allows snappy and lizard in the current layout, which C-Blosc2 since
// 2.0 cannot read. The layout of 2019 allows them without it.
func Legacy() WriterOption { return writerOption(func(c *writerConfig) { c.legacy = true }) }

// Layout2019 writes the frame layout of August 2019, as the frame format
// document of that month describes it: chunks without check records or mark, an
// index, and no trailer. It is for readers of that time. The frame is always
// sealed, spooled if necessary, and Flush and Checkpoint do nothing.
// Vlmetalayers, VariableChunks and dictionaries are not available.
func Layout2019() WriterOption {
	return writerOption(func(c *writerConfig) {
		c.layout, c.chunk.Format = header.Layout2019, chunk.Beta
	})
}

// check returns an error for invalid options, and rounds the sizes.
func (c *writerConfig) check() error {
	if c.bad != nil {
		return c.bad
	}
	if err := c.common.check(); err != nil {
		return err
	}
	c.fixItems()
	if c.chunk.TypeSize < 1 || c.chunk.TypeSize > chunk.MaxBlockSize {
		return &blosc2.OptionError{Option: "typesize", Value: c.chunk.TypeSize, Range: fmt.Sprintf("1 to %d", chunk.MaxBlockSize)}
	}
	if c.chunkSize == DefaultChunkSize { // let the default chunk size hold at least one large item
		c.chunkSize = max(c.chunkSize, c.chunk.TypeSize)
	}
	if c.chunkSize < c.chunk.TypeSize && !c.given || c.chunkSize > chunk.MaxBytes {
		return &blosc2.OptionError{Option: "chunk size", Value: c.chunkSize, Range: fmt.Sprintf("%d (one item) to %d", c.chunk.TypeSize, chunk.MaxBytes)}
	}
	if !c.given {
		c.roundChunk()
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
		if c.checked && c.checks {
			return &blosc2.OptionError{Option: "checks", Value: true, Range: "false in the layout of 2019"}
		}
		c.checks = false // the layout has no place for check records
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

// roundChunk rounds the chunk size down to whole items, of each width that may be chosen
// first if that is left to Auto.
func (c *writerConfig) roundChunk() {
	if c.aim == 0 || c.keep&tune.KeepTypeSize != 0 || c.itemSize > 0 {
		c.chunkSize -= c.chunkSize % max(c.chunk.TypeSize, 1)
		return
	}
	c.chunkSize -= c.chunkSize % chunk.Default().TypeSize
	if c.chunkSize >= tune.MaxWidth {
		c.chunkSize -= c.chunkSize % tune.MaxWidth
	}
}

// dimensions returns the least and most dimensions of a block for a codec of
// arrays; 0 and 0 for other codecs.
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
			return &blosc2.OptionError{Option: "metalayer name", Value: fmt.Sprintf("%.40q", l.Name), Range: fmt.Sprintf("1 to %d bytes without NUL", meta.MaxName)}
		}
		if seen[l.Name] {
			return &blosc2.OptionError{Option: "metalayer name", Value: l.Name, Range: "given once, and not " + meta.StreamName}
		}
		seen[l.Name] = true
		if err := describesArray(l); err != nil && !c.given {
			return &blosc2.OptionError{Option: "metalayer " + l.Name, Value: fmt.Sprintf("%.40q", l.Value), Range: "the description of an array"}
		}
	}
	return nil
}

// describesArray returns an error if readers would take a frame with the metalayer for an
// array, and could not read it.
func describesArray(l meta.Layer) (err error) {
	switch l.Name {
	case meta.B2NDName:
		_, err = meta.ParseB2ND(l.Value)
	case meta.CatervaName:
		_, err = meta.ParseCaterva(l.Value)
	}
	return err
}

// DropTail makes Append drop the data that the frame's last writer flushed but did
// not commit. A Writer that must reuse space in the file commits more than
// Checkpoint requested; these data are kept. DropTail has no effect on NewWriter,
// or on a frame that was never committed.
func DropTail() WriterOption { return writerOption(func(c *writerConfig) { c.dropTail = true }) }

// DropDamaged makes Append continue before damaged bytes that the last writer
// flushed but did not commit, even if data flushed after them are intact; these are
// lost. Without it such a file is an error. It is for a logger that must restart
// unattended, even after a power failure. To lose nothing, copy the file first, for
// Repair.
func DropDamaged() WriterOption { return writerOption(func(c *writerConfig) { c.dropHurt = true }) }
