package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/stream"
)

const ourName = "this library"

// A streamSetting is a way to use this library that takes part against the Go
// streams. All are lossless.
type streamSetting struct {
	codec    blosc2.CodecID
	level    int
	filter   string
	typesize int // 0 for that of the data
	chunk    int // KiB; 0 for 256
	block    int // KiB; 0 for what the library chooses
}

// String gives what differs from the usual.
func (s streamSetting) String() string {
	name := fmt.Sprintf("%s %d %s", s.codec, s.level, s.filter)
	if s.typesize > 0 {
		name += fmt.Sprintf(", typesize %d", s.typesize)
	}
	switch {
	case s.block == 0 && s.chunk > 0:
		name += fmt.Sprintf(", chunks of %d KiB", s.chunk)
	case s.block > 0:
		name += fmt.Sprintf(", blocks of %d KiB", s.block)
	}
	return name
}

var streamSettings = []streamSetting{
	// Numbers that differ little from their neighbours, the fastest first.
	{blosc2.CodecLZ4, 5, "bitshuffle", 0, 0, 0},
	{blosc2.CodecLZ4, 1, "shuffle", 0, 0, 0},
	{blosc2.CodecLZ4, 1, "shuffle", 2, 256, 256}, // no more than to tell numbers from noise
	{blosc2.CodecLZ4, 5, "shuffle", 0, 0, 0},     // the default
	{blosc2.CodecLZ4, 5, "delta,shuffle", 0, 0, 0},
	{blosc2.CodecLZ4HC, 5, "shuffle", 0, 0, 0},
	{blosc2.CodecZstd, 1, "bitshuffle", 0, 0, 0},
	{blosc2.CodecZstd, 1, "delta,bitshuffle", 0, 256, 256},
	{blosc2.CodecZstd, 1, "shuffle", 0, 0, 0},
	{blosc2.CodecZstd, 1, "shuffle", 0, 0, 32},
	{blosc2.CodecZstd, 3, "shuffle", 0, 0, 0},
	{blosc2.CodecZstd, 5, "shuffle", 0, 0, 0},
	// Series and fields that go on smoothly.
	{blosc2.CodecLZ4, 1, "shuffle,bytedelta", 0, 0, 0},
	{blosc2.CodecLZ4, 1, "shuffle,bytedelta", 0, 448, 448},
	{blosc2.CodecLZ4, 1, "shuffle,bytedelta", 0, 512, 512},
	{blosc2.CodecLZ4, 9, "shuffle,bytedelta", 0, 0, 0},
	{blosc2.CodecZstd, 1, "shuffle,bytedelta", 0, 0, 0},
	{blosc2.CodecZstd, 1, "shuffle,bytedelta", 0, 1024, 1024},
	{blosc2.CodecZstd, 5, "shuffle,bytedelta", 0, 0, 0},
	// Values that come again as they are. The farther a codec sees the more of
	// them it finds: blocks of 904 KiB instead of the 32 to 256 KiB that suit the
	// filters, or half of the largest file, one for each of two workers; smaller
	// ones keep both busy to the end.
	{blosc2.CodecLZ4, 5, "none", 0, 0, 0},
	{blosc2.CodecLZ4, 5, "none", 0, 512, 512},
	{blosc2.CodecLZ4HC, 1, "none", 0, 256, 256},
	{blosc2.CodecLZ4HC, 1, "none", 0, 302, 302},
	{blosc2.CodecLZ4HC, 5, "none", 0, 0, 0},
	{blosc2.CodecLZ4HC, 9, "none", 0, 2712, 2712},
	{blosc2.CodecZstd, 1, "none", 0, 0, 0},
	{blosc2.CodecZstd, 2, "none", 0, 0, 0},
	{blosc2.CodecZstd, 3, "none", 0, 0, 0},
	{blosc2.CodecZstd, 1, "none", 0, 256, 256},
	{blosc2.CodecZstd, 1, "none", 0, 512, 512},
	{blosc2.CodecZstd, 1, "none", 0, 904, 904},
	{blosc2.CodecZstd, 1, "none", 0, 1356, 1356},
	{blosc2.CodecZstd, 2, "none", 0, 904, 904},
}

// ours makes contestants of the settings.
func ours(typesize, workers int) ([]contestant, error) {
	var list []contestant
	for _, s := range streamSettings {
		f, err := filters.Parse(s.filter)
		if err != nil {
			return nil, err
		}
		w, err := stream.NewWriter(io.Discard, stream.Codec(s.codec), stream.Level(s.level), stream.Filters(f),
			stream.TypeSize(cmp.Or(s.typesize, typesize)), stream.Workers(workers), stream.ChunkSize(cmp.Or(s.chunk, 256)<<10), stream.BlockSize(s.block<<10))
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

// fixed takes what is decompressed into a buffer that is there already, as a
// program does that wants the data in memory.
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

// benchStreams runs all Go streams over each dataset in turns.
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
						return nil, fmt.Errorf("%s %s on %s: the data did not survive: %v", c.name, c.setting, d.name, err)
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
