package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/stream"
	"github.com/seed03b80dae/blosc2/tune"
)

// A bench measures ways to compress a sample of a file, with all workers.
type bench struct {
	data     *io.SectionReader // all data, of which bench measures a sample
	sample   []byte
	typeSize int        // 0 if it is not known
	items    bool       // typeSize is that of a known type, so records of several items may be chosen
	array    *b2nd.Spec // the sample as an array; nil if the data are none
	workers  int
	aim      tune.Aim
	out      bytes.Buffer // the last output

	measured map[[sha256.Size]byte]benchRow // the rows by the digests of their outputs
}

// A benchWay describes a way to compress the sample.
type benchWay struct {
	what    string // name of the row; "" if aim names it
	setting string // description of the settings; "" if aim determines them
	aim     tune.Aim
	options []stream.WriterOption
	blocks  []int64 // the shape of blocks that was chosen for an array
	// Run compresses src, and is used instead of options.
	run func(src []byte) (stored []byte, expand func() ([]byte, error), err error)
}

// A benchRow is the result of a way. Speeds are in bytes per second.
type benchRow struct {
	what, setting           string
	aim                     tune.Aim
	ratio, compress, expand float64
	choose                  float64 // seconds to choose the settings
}

// total returns the seconds to compress 10^9 bytes, transfer them twice through
// the link of an aim, and decompress them.
func (r *benchRow) total(aim tune.Aim) float64 {
	return 1e9/r.compress + 1e9/r.expand + 2e9/(r.ratio*linkOf(aim))
}

// ways lists the ways that are always measured: the default of the library, the choices
// for the aims, then zstd and gzip, and last the choice for archive. Aims for fast
// links precede those for slow ones.
func (b *bench) ways() []benchWay {
	off := benchWay{what: "-", setting: "lz4 5, shuffle (--auto off)", options: []stream.WriterOption{stream.TypeSize(max(b.typeSize, 1))}}
	if b.typeSize == 0 {
		off.options = nil // use the default typesize of the library
	}
	aims := []tune.Aim{tune.Memory, tune.Disk, tune.Balanced, tune.Network, tune.WAN}
	if b.aim != tune.Archive && !slices.Contains(aims, b.aim) {
		aims = append(aims, b.aim)
		slices.SortStableFunc(aims, func(x, y tune.Aim) int { return cmp.Compare(linkOf(y), linkOf(x)) })
	}
	list := []benchWay{off}
	for _, a := range aims {
		list = append(list, benchWay{aim: a})
	}
	return append(list, benchWay{what: "-", setting: "zstd -3", run: zstd3}, benchWay{what: "-", setting: "gzip -6", run: gzip6}, benchWay{aim: tune.Archive})
}

// every lists further settings, each of which is best for some data. C-Blosc2 can read
// the output of all of them.
func (b *bench) every() (list []benchWay) {
	for _, name := range []string{"none", "bytedelta:1", "shuffle", "bitshuffle", "shuffle,bytedelta"} {
		f, err := filters.Parse(name)
		if err != nil || b.typeSize == 1 && f.Has(blosc2.FilterShuffle) {
			continue
		}
		for _, c := range []struct {
			id    blosc2.CodecID
			level int
		}{{blosc2.CodecLZ4, 1}, {blosc2.CodecLZ4, 5}, {blosc2.CodecLZ4HC, 1}, {blosc2.CodecBloscLZ, 5}, {blosc2.CodecZstd, 1}, {blosc2.CodecZstd, 2},
			{blosc2.CodecZstd, 3}, {blosc2.CodecZstd, 5}, {blosc2.CodecZlib, 1}, {blosc2.CodecZlib, 5}, {blosc2.CodecZstd, 7}} {
			list = append(list, benchWay{what: "-", options: []stream.WriterOption{stream.Auto(b.aim), stream.Codec(c.id), stream.Level(c.level), stream.Filters(f)}})
		}
	}
	return list
}

// A sampledFile reads the sample, and is also an io.ReaderAt of all data, as a file is.
// Auto can therefore examine the data before they are written.
type sampledFile struct {
	io.Reader
	*io.SectionReader
}

func (f sampledFile) Read(p []byte) (int, error) { return f.Reader.Read(p) }

// row measures a way, and checks that the data round-trips. Ways with equal outputs get the
// speeds of the first, because those of another run would differ by chance.
func (b *bench) row(w benchWay) (r benchRow, err error) {
	r = benchRow{what: w.what, setting: w.setting, aim: w.aim}
	run := w.run
	runs := 0
	if run == nil {
		run = func(src []byte) ([]byte, func() ([]byte, error), error) {
			stored, pick, changes, err := b.stream(w, src)
			if runs++; runs == choosing && err == nil && pick.Ratio > 0 && changes == 0 { // later runs do not choose again
				w.aim, w.options = 0, append(w.options, fixed(&pick.Params)...)
				w.blocks = b.blocks()
			}
			if r.setting == "" {
				pick.Ratio = 0 // without the speeds
				text := pick.String()
				r.setting = strings.TrimSuffix(strings.TrimSuffix(text, "s"), " byte")
			}
			return stored, func() ([]byte, error) { return b.expand(stored) }, err
		}
	}
	n := float64(len(b.sample))
	var stored []byte
	var expand func() ([]byte, error)
	var chosen time.Duration
	r.compress, chosen, err = speed(n, func() error {
		stored, expand, err = run(b.sample)
		return err
	})
	if err != nil {
		return r, err
	}
	r.choose = max(chosen.Seconds()-n/r.compress, 0)
	r.ratio = n / float64(len(stored))
	sum := sha256.Sum256(stored)
	if same, ok := b.measured[sum]; ok {
		r.compress, r.expand, r.choose = same.compress, same.expand, same.choose
		return r, nil
	}
	var back []byte
	r.expand, _, err = speed(n, func() error {
		back, err = expand()
		return err
	})
	if err == nil && !bytes.Equal(back, b.sample) {
		err = fmt.Errorf("%s: decompressed to different bytes", r.setting)
	}
	b.measured[sum] = r
	return r, err
}

// fixed returns the options for settings that were chosen.
func fixed(p *chunk.Params) []stream.WriterOption {
	return []stream.WriterOption{
		stream.Codec(p.Codec), stream.Level(p.Level), stream.Filters(p.Filters), stream.Split(p.Split), stream.BlockSize(p.BlockSize),
		stream.TypeSize(p.TypeSize), stream.ChunkSize(benchChunk - benchChunk%max(p.TypeSize, 1)),
	}
}

// stream compresses the sample as compress would compress the file, and returns how often the
// settings were changed.
func (b *bench) stream(w benchWay, src []byte) (stored []byte, pick tune.Pick, changes int64, err error) {
	options := []stream.WriterOption{stream.Workers(b.workers), stream.ChunkSize(benchChunk)}
	if w.aim != 0 {
		options = append(options, stream.Auto(w.aim))
	}
	switch {
	case b.typeSize != 0 && b.items && w.aim != 0:
		options = append(options, stream.ItemSize(b.typeSize))
	case b.typeSize != 0:
		options = append(options, stream.TypeSize(b.typeSize))
	}
	options = append(options, w.options...)
	b.out.Reset()
	if b.array != nil {
		return b.arrayOf(w, src, options)
	}
	zw, err := stream.NewWriter(&b.out, options...)
	if err != nil {
		return nil, pick, 0, err
	}
	_, err = zw.ReadFrom(sampledFile{bytes.NewReader(src), b.data})
	err = cmp.Or(err, zw.Close())
	return b.out.Bytes(), zw.Chosen(), zw.Stats().Changes, err
}

// arrayOf does the work of stream if the sample is an array.
func (b *bench) arrayOf(w benchWay, src []byte, options []stream.WriterOption) (stored []byte, pick tune.Pick, changes int64, err error) {
	spec := *b.array
	spec.BlockShape = w.blocks
	aw, err := b2nd.NewWriter(&b.out, spec, options...)
	if err != nil {
		return nil, pick, 0, err
	}
	_, err = aw.Write(src)
	err = cmp.Or(err, aw.Close())
	return b.out.Bytes(), aw.Chosen(), aw.Stats().Changes, err
}

// blocks returns the shape of blocks of the last output, if that is an array.
func (b *bench) blocks() []int64 {
	if b.array == nil {
		return nil
	}
	a, err := b2nd.Open(bytes.NewReader(b.out.Bytes()), int64(b.out.Len()))
	if err != nil {
		return nil
	}
	return a.BlockShape()
}

// expand decompresses an output of stream.
func (b *bench) expand(stored []byte) ([]byte, error) {
	if b.array == nil {
		return stream.Decompress(nil, stored, stream.Workers(b.workers))
	}
	r, err := b2nd.NewReader(bytes.NewReader(stored), b2nd.Workers(b.workers))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	items := make([]byte, len(b.sample))
	_, err = io.ReadFull(r, items)
	return items, err
}

// choosing is the number of runs that choose settings. The first one is slow, as its memory
// is new.
const choosing = 2

// speed calls a function several times, and returns the speed of the fastest call in
// bytes per second, and the least time of the first calls, as many as choosing.
func speed(n float64, run func() error) (best float64, chosen time.Duration, err error) {
	total := time.Duration(0)
	for runs := 0; total < benchTime || runs == 1 && total < benchAgain; runs++ {
		begun := time.Now()
		if err := run(); err != nil {
			return 0, 0, err
		}
		elapsed := max(time.Since(begun), time.Microsecond)
		if runs == 0 || runs < choosing && elapsed < chosen {
			chosen = elapsed
		}
		total += elapsed
		best = max(best, n/elapsed.Seconds())
	}
	return best, chosen, nil
}

// zstd3 and gzip6 compress with klauspost's zstd and the standard library's gzip,
// for comparison.
func zstd3(src []byte) ([]byte, func() ([]byte, error), error) {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.EncoderLevelFromZstd(3)))
	if err != nil {
		return nil, nil, err
	}
	stored := enc.EncodeAll(src, nil)
	expand := func() ([]byte, error) {
		dec, err := zstd.NewReader(nil)
		if err != nil {
			return nil, err
		}
		defer dec.Close()
		return dec.DecodeAll(stored, nil)
	}
	return stored, expand, enc.Close()
}

func gzip6(src []byte) ([]byte, func() ([]byte, error), error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, 6)
	if err != nil {
		return nil, nil, err
	}
	if _, err := w.Write(src); err != nil {
		return nil, nil, err
	}
	if err := w.Close(); err != nil { // it writes the last bytes
		return nil, nil, err
	}
	expand := func() ([]byte, error) {
		r, err := gzip.NewReader(bytes.NewReader(out.Bytes()))
		if err != nil {
			return nil, err
		}
		return io.ReadAll(r)
	}
	return out.Bytes(), expand, nil
}
