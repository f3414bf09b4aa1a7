package main

import (
	"cmp"
	"fmt"
	"io/fs"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/codecs"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/stream"
	"github.com/seed03b80dae/blosc2/tune"
)

// encodingFlags are the flags that set how data is compressed.
type encodingFlags struct {
	Codec    string // "" if the flag is not given; likewise for the other flags
	Level    int
	TypeSize *int
	Filters  *string
	Chunk    size
	Block    size
	Auto     string
	Split    string
	ForStore bool
}

// defaults holds the settings that neither flags, nor the environment, nor the data
// determine.
func (f *encodingFlags) defaults() {
	f.Level, f.Split, f.Chunk, f.Auto = levelUnset, splitUnset, defaultChunk, ""
}

// levelUnset and splitUnset are the values of flags that are not given. Those settings
// are then chosen automatically, unless --auto is autoOff.
const (
	levelUnset = math.MinInt32
	splitUnset = "default"
	autoOff    = "off"
)

// forHoles returns the settings for a file that is mostly holes, where each chunk
// and block takes more space than its contents.
func (f encodingFlags) forHoles() *encodingFlags {
	if f.Chunk == defaultChunk && f.Block == 0 {
		f.Chunk, f.Block = 4<<20, 2<<20
	}
	return &f
}

// forStore returns the settings for an object that is read by ranges.
func (f encodingFlags) forStore() *encodingFlags {
	if f.Chunk == defaultChunk && f.Block == 0 {
		f.Chunk, f.Block = stream.StoreChunkSize, stream.StoreBlockSize
	}
	return &f
}

const defaultChunk = 1 << 20

// minBlock is the size of the smallest block, in bytes. It is that of C-Blosc2
// (BLOSC_MIN_BUFFERSIZE).
const minBlock = 32

// fit sets the chunk and block sizes for an input that is mostly holes, and for an
// output in a store.
func (e *encoding) fit(in fs.FileInfo, out string) {
	if mostlyHoles(in) {
		e.flags = e.flags.forHoles()
	}
	if e.flags.ForStore || isURL(out) {
		e.flags = e.flags.forStore()
	}
	e.block = int(e.flags.Block)
}

func (f *encodingFlags) define(g *grammar) {
	f.defaults()
	g.StringVarP(&f.Codec, "codec", g.letter("c"), "", "Compress with `CODEC[:META]`: {codecs}; default: chosen from the data. META is the cell size of ndlz, the tolerance exponent of zfp_acc, the bits of precision of zfp_prec, or the percentage of zfp_rate.")
	g.whole(&f.Level, "level", g.letter("l"), "Compression level `0..9`: 0 stores, 9 is smallest; default: chosen from the data.")
	g.levels(&f.Level)
	g.number(&f.TypeSize, "typesize", g.letter("t"), typeSizeHelp)
	g.text(&f.Filters, "filters", "", "Apply `FILTER[:META],...` before the codec: {filters}; default: chosen from the data, none for zfp and ndlz. C-Blosc2 misreads parts of data filtered with delta.")
	g.bytes(&f.Chunk, "chunk", "Chunk `SIZE` in bytes, such as 64K; default: 1M, or 8M for an array.")
	g.Func("block", "Block `SIZE` in bytes, at least 32; default: chosen from the data, or 256K for an array.", func(text string) error {
		err := f.Block.UnmarshalText([]byte(text))
		if err == nil && f.Block > 0 && f.Block < minBlock {
			err = fmt.Errorf("must be at least %d bytes", minBlock)
		}
		return err
	})
	g.BoolVar(&f.ForStore, "for-store", false, "Use chunks of 8M and blocks of 256K, which suit reading over a network; default for outputs in stores (s3://, gs:// and az://).")
	g.StringVar(&f.Auto, "auto", "", "Choose the settings that no other flag sets for `AIM`, a link speed: memory (5G bytes per second), disk (500M), network (100M), wan (20M), or a number such as 20M. The least total time to compress, transfer twice and decompress wins. balanced is network, but not larger than zstd at level 2 without filters. archive chooses the smallest output; off uses lz4 at level 5 after shuffle. Default: balanced; archive with a level.")
	g.choice(&f.Split, "split", "Split blocks by the bytes of the items; `MODE` is default, always, never, auto or forward.", "default", "always", "never", "auto", "forward")
}

// An encoding holds the settings that the flags describe.
type encoding struct {
	codec    blosc2.CodecID
	meta     uint8 // META of the codec
	filters  filters.Pipeline
	split    blosc2.SplitMode
	level    int
	block    int
	aim      tune.Aim  // 0 if no settings are chosen automatically
	keep     tune.Keep // the parameters that flags set, which are not chosen
	typeSize int       // 0 if it is not known yet
	items    bool      // typeSize is that of a known type, so records of several items may be chosen
	flags    *encodingFlags
}

func (f *encodingFlags) parse() (*encoding, error) {
	enc := &encoding{flags: f}
	if f.TypeSize != nil {
		if enc.typeSize = *f.TypeSize; enc.typeSize < 1 {
			return nil, misusef("--typesize %d: must be at least 1", enc.typeSize)
		}
	}
	var err error
	if enc.codec, enc.meta, err = parseCodec(cmp.Or(f.Codec, "lz4")); err != nil {
		return nil, err
	}
	enc.block = int(f.Block)
	if enc.level = f.Level; f.Level == levelUnset {
		enc.level = chunk.Default().Level
	}
	named := "shuffle"
	ofArrays := enc.codec >= blosc2.CodecNDLZ && enc.codec <= blosc2.CodecZFPRate
	if ofArrays {
		named = "none" // zfp and ndlz need items that are not shuffled
	}
	if f.Filters != nil {
		named = *f.Filters
	}
	if enc.filters, err = filters.Parse(named); err != nil {
		return nil, misusef("--filters %s: %s", named, plain(err))
	}
	if err := checkLossy(named); err != nil {
		return nil, err
	}
	if f.Auto != autoOff {
		if enc.aim, err = tune.ParseAim(f.auto()); err != nil {
			return nil, misusef("--auto %s: must be balanced, memory, disk, network, wan, archive, off, or bytes per second, at least 1K, such as 20M or 1.5G", f.Auto)
		}
	}
	if err := enc.split.UnmarshalText([]byte(f.Split)); err != nil {
		return nil, misusef("--split %s: %s", f.Split, plain(err))
	}
	if ofArrays || enc.filters.Lossy() {
		enc.aim = 0 // with a lossy codec or filter, no settings are chosen automatically
	}
	enc.keep = f.orders()
	if f.Chunk > chunk.MaxBytes {
		return nil, misusef("--chunk %d: must be at most %d", f.Chunk, chunk.MaxBytes)
	}
	if f.Block > f.Chunk {
		return nil, misusef("--block %d: must not be larger than the chunk", f.Block)
	}
	return enc, nil
}

// auto returns the value of --auto, or its default. A level means the smallest output
// at that level, so -9 is the smallest of all.
func (f *encodingFlags) auto() string {
	switch {
	case f.Auto != "":
		return f.Auto
	case f.Level > 0:
		return tune.Archive.String()
	}
	return tune.Balanced.String()
}

// orders returns the parameters that the flags set.
func (f *encodingFlags) orders() (k tune.Keep) {
	for _, o := range []struct {
		given bool
		keep  tune.Keep
	}{
		{f.Codec != "", tune.KeepCodec}, {f.Level != levelUnset, tune.KeepLevel}, {f.Filters != nil, tune.KeepFilters},
		{f.Split != splitUnset, tune.KeepSplit}, {f.Block != 0, tune.KeepBlockSize},
	} {
		if o.given {
			k |= o.keep
		}
	}
	return k
}

// parseCodec parses NAME or NAME:META.
func parseCodec(text string) (id blosc2.CodecID, meta uint8, err error) {
	name, number, hasMeta := strings.Cut(text, ":")
	id, ok := codecs.ByName(name)
	if !ok {
		hint := ""
		if _, err := os.Stat(text); err == nil {
			hint = "; -c is --codec here, and --stdout writes to the standard output"
		}
		return 0, 0, misusef("--codec %s: must be one of %s%s", name, join(codecNames()), hint)
	}
	n := 0
	if hasMeta {
		n, err = strconv.Atoi(number)
		if err != nil || n < -128 || n > 255 {
			return 0, 0, misusef("--codec %s: META must be -128 to 255", text)
		}
	}
	return id, uint8(n), checkMeta(id, text, hasMeta)
}

// options returns the parameters for package stream.
func (e *encoding) options() []stream.WriterOption {
	options := []stream.WriterOption{
		stream.ChunkSize(int(e.flags.Chunk)),
		stream.Legacy(), // an old codec is allowed if named; a note names the programs that cannot read it
	}
	if e.aim != 0 {
		options = append(options, stream.Auto(e.aim))
	}
	keep := e.keep
	if e.aim == 0 {
		keep = tune.KeepCodec | tune.KeepLevel | tune.KeepFilters | tune.KeepSplit | tune.KeepBlockSize
	}
	options = append(options, e.given(keep)...)
	switch {
	case e.items:
		options = append(options, stream.ItemSize(e.typeSize))
	case e.typeSize != 0:
		options = append(options, stream.TypeSize(e.typeSize))
	}
	return options
}

// given returns the options for the parameters in keep.
func (e *encoding) given(keep tune.Keep) (options []stream.WriterOption) {
	for _, o := range []struct {
		keep   tune.Keep
		option stream.WriterOption
	}{
		{tune.KeepCodec, stream.Codec(e.codec, e.meta)}, {tune.KeepLevel, stream.Level(e.level)}, {tune.KeepFilters, stream.Filters(e.filters)},
		{tune.KeepSplit, stream.Split(e.split)}, {tune.KeepBlockSize, stream.BlockSize(e.block)},
	} {
		if keep&o.keep != 0 {
			options = append(options, o.option)
		}
	}
	return options
}

// params returns the parameters of a single chunk of data.
func (e *encoding) params(data []byte) (chunk.Params, error) {
	p := chunk.Params{
		Codec:     e.codec,
		CodecMeta: e.meta,
		Level:     e.level,
		TypeSize:  e.typeSize,
		BlockSize: e.block,
		Filters:   e.filters,
		Split:     e.split,
	}
	if e.aim == 0 {
		return p, nil
	}
	keep := e.keep
	if e.typeSize != 0 {
		keep |= tune.KeepTypeSize
	}
	pick, err := tune.Search{Aim: e.aim, Params: p, Keep: keep}.Pick(data[:min(len(data), int(e.flags.Chunk))])
	return pick.Params, err
}

// givenUp reports whether C-Blosc2 no longer supports the codec since version 2.0.
func (e *encoding) givenUp() bool {
	return e.codec == blosc2.CodecSnappy || e.codec == blosc2.CodecLizard
}

func codecNames() []string {
	var names []string
	for _, id := range codecs.IDs() {
		names = append(names, id.String())
	}
	return names
}

func filterNames() []string {
	var names []string
	for _, f := range filters.All() {
		names = append(names, f.Name())
	}
	return names
}

// join formats names as "a, b and c".
func join(names []string) string {
	if n := len(names); n > 1 {
		return fmt.Sprintf("%s and %s", strings.Join(names[:n-1], ", "), names[n-1])
	}
	return strings.Join(names, "")
}
