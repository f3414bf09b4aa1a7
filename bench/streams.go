package main

import (
	"bytes"
	"fmt"
	"io"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/stream"
	"github.com/seed03b80dae/blosc2/tune"
)

const ourName = "this library"

// A streamSetting is a way to use this library that is compared with the Go
// streams: an aim, for which settings are chosen automatically, or fixed settings,
// none of them meant for a single file. All are lossless.
type streamSetting struct {
	aim    tune.Aim
	codec  blosc2.CodecID
	level  int
	filter string
	block  int // block size in KiB; 0 means that of C-Blosc2
}

// String returns the settings that differ from the defaults.
func (s streamSetting) String() string {
	if s.aim != 0 {
		return fmt.Sprintf("Auto(%v)", s.aim)
	}
	name := fmt.Sprintf("%s %d %s", s.codec, s.level, s.filter)
	if s.block > 0 {
		name += fmt.Sprintf(", blocks of %d KiB", s.block)
	}
	return name
}

// options returns the options of a Writer for the setting.
func (s streamSetting) options(typesize int) ([]stream.WriterOption, error) {
	options := []stream.WriterOption{stream.ItemSize(typesize)}
	if s.aim != 0 {
		return append(options, stream.Auto(s.aim)), nil
	}
	f, err := filters.Parse(s.filter)
	return append(options, stream.Codec(s.codec), stream.Level(s.level), stream.Filters(f), stream.ChunkSize(max(s.block, 256)<<10), stream.BlockSize(s.block<<10)), err
}

var streamSettings = []streamSetting{
	{aim: tune.Balanced}, {aim: tune.Memory}, {aim: tune.Disk}, {aim: tune.Network}, {aim: tune.WAN}, {aim: tune.Archive},
	{codec: blosc2.CodecLZ4, level: 5, filter: "shuffle"}, // the default settings
	{codec: blosc2.CodecLZ4, level: 1, filter: "shuffle"},
	{codec: blosc2.CodecLZ4, level: 5, filter: "bitshuffle"},
	{codec: blosc2.CodecLZ4, level: 1, filter: "shuffle,bytedelta"},
	{codec: blosc2.CodecLZ4, level: 5, filter: "none"},
	{codec: blosc2.CodecLZ4HC, level: 5, filter: "shuffle"},
	{codec: blosc2.CodecLZ4HC, level: 1, filter: "none", block: 1024},
	{codec: blosc2.CodecZstd, level: 1, filter: "shuffle"},
	{codec: blosc2.CodecZstd, level: 1, filter: "bitshuffle"},
	{codec: blosc2.CodecZstd, level: 1, filter: "shuffle,bytedelta"},
	{codec: blosc2.CodecZstd, level: 5, filter: "shuffle,bytedelta"},
	{codec: blosc2.CodecZstd, level: 1, filter: "none", block: 256},
	{codec: blosc2.CodecZstd, level: 1, filter: "none", block: 1024},
}

// ours returns a contestant for each setting.
func ours(typesize, workers int) ([]contestant, error) {
	var list []contestant
	for _, s := range streamSettings {
		options, err := s.options(typesize)
		if err != nil {
			return nil, err
		}
		w, err := stream.NewWriter(io.Discard, append(options, stream.Workers(workers))...)
		if err != nil {
			return nil, err
		}
		var r *stream.Reader
		list = append(list, contestant{
			name: ourName, setting: s.String(), workers: workers,
			compress: func(dst *bytes.Buffer, src []byte) error {
				if err := w.Reset(dst); err != nil {
					return err
				}
				if _, err := io.Copy(w, struct{ io.Reader }{bytes.NewReader(src)}); err != nil {
					return err
				}
				return w.Close()
			},
			decompress: func(dst io.Writer, src *bytes.Reader) (err error) {
				if r == nil {
					r, err = stream.NewReader(src, stream.Workers(workers))
				} else {
					err = r.Reset(src)
				}
				if err != nil {
					return err
				}
				_, err = r.WriteTo(dst)
				return err
			},
		})
	}
	return list, nil
}

// A fixed is a Writer into an existing buffer, for decompressed data that a program
// needs in memory.
type fixed struct {
	buf []byte
	n   int
}

func (f *fixed) Write(p []byte) (int, error) {
	n := copy(f.buf[f.n:], p)
	f.n += n
	if n < len(p) {
		return n, io.ErrShortWrite
	}
	return n, nil
}

// benchStreams runs all Go streams over each dataset in turn.
func benchStreams(data []dataset, workers, rounds, reps int, progress func(string)) ([]*result, error) {
	var all []*result
	for _, d := range data {
		list, err := ours(d.typesize, workers)
		if err != nil {
			return nil, err
		}
		others, err := peers(workers)
		if err != nil {
			return nil, err
		}
		list = append(list, others...)
		rs := make([]*result, len(list))
		bufs := make([]bytes.Buffer, len(list))
		back := &fixed{buf: make([]byte, len(d.bytes))}
		for round := range rounds {
			progress(fmt.Sprintf("stream: %s, %d workers, round %d of %d", d.name, workers, round+1, rounds))
			for i, c := range list {
				compress := func() error { bufs[i].Reset(); return c.compress(&bufs[i], d.bytes) }
				expand := func() error { back.n = 0; return c.decompress(back, bytes.NewReader(bufs[i].Bytes())) }
				if rs[i] == nil {
					if err := compress(); err != nil {
						return nil, fmt.Errorf("%s %s on %s: %w", c.name, c.setting, d.name, err)
					}
					if err := expand(); err != nil || !bytes.Equal(back.buf, d.bytes) {
						return nil, fmt.Errorf("%s %s on %s: the data do not round-trip: %v", c.name, c.setting, d.name, err)
					}
					rs[i] = &result{Section: "stream", Data: d.name, Name: c.name, Setting: c.setting, Workers: workers,
						Bytes: len(d.bytes), Stored: bufs[i].Len(), Real: d.real, AllocsC: allocs(compress), AllocsD: allocs(expand)}
				}
				for _, run := range []struct {
					f   func() error
					dst *[]float64
				}{{compress, &rs[i].Compress}, {expand, &rs[i].Expand}} {
					t, err := timed(reps, run.f)
					if err != nil {
						return nil, err
					}
					*run.dst = append(*run.dst, t)
				}
			}
		}
		all = append(all, rs...)
	}
	return all, nil
}
