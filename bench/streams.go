package main

import (
	"bytes"
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
	name   string
	codec  blosc2.CodecID
	level  int
	filter string
	block  int // KiB; 0 for chunks of 256 KiB and blocks as the library chooses them, else both are so large
}

var streamSettings = []streamSetting{
	// Numbers that differ little from their neighbours, the fastest first.
	{"lz4 5 bitshuffle", blosc2.CodecLZ4, 5, "bitshuffle", 0},
	{"lz4 1 shuffle", blosc2.CodecLZ4, 1, "shuffle", 0},
	{"lz4 5 shuffle (default)", blosc2.CodecLZ4, 5, "shuffle", 0},
	{"lz4 5 delta,shuffle", blosc2.CodecLZ4, 5, "delta,shuffle", 0},
	{"lz4hc 5 shuffle", blosc2.CodecLZ4HC, 5, "shuffle", 0},
	{"zstd 1 bitshuffle", blosc2.CodecZstd, 1, "bitshuffle", 0},
	{"zstd 1 delta,bitshuffle, blocks of 256 KiB", blosc2.CodecZstd, 1, "delta,bitshuffle", 256},
	{"zstd 1 shuffle", blosc2.CodecZstd, 1, "shuffle", 0},
	{"zstd 3 shuffle", blosc2.CodecZstd, 3, "shuffle", 0},
	{"zstd 5 shuffle", blosc2.CodecZstd, 5, "shuffle", 0},
	// Series and fields that go on smoothly.
	{"lz4 1 shuffle,bytedelta", blosc2.CodecLZ4, 1, "shuffle,bytedelta", 0},
	{"lz4 1 shuffle,bytedelta, blocks of 512 KiB", blosc2.CodecLZ4, 1, "shuffle,bytedelta", 512},
	{"lz4 9 shuffle,bytedelta", blosc2.CodecLZ4, 9, "shuffle,bytedelta", 0},
	{"zstd 1 shuffle,bytedelta", blosc2.CodecZstd, 1, "shuffle,bytedelta", 0},
	{"zstd 1 shuffle,bytedelta, blocks of 1 MiB", blosc2.CodecZstd, 1, "shuffle,bytedelta", 1024},
	{"zstd 5 shuffle,bytedelta", blosc2.CodecZstd, 5, "shuffle,bytedelta", 0},
	// Values that come again as they are. The farther a codec sees the more of
	// them it finds: blocks of 1 MiB instead of the 32 to 256 KiB that suit the
	// filters, or half of the largest file, one for each of two workers; smaller
	// ones keep both busy to the end.
	{"lz4 5 none", blosc2.CodecLZ4, 5, "none", 0},
	{"lz4hc 1 none, blocks of 256 KiB", blosc2.CodecLZ4HC, 1, "none", 256},
	{"lz4hc 1 none, blocks of 512 KiB", blosc2.CodecLZ4HC, 1, "none", 512},
	{"lz4hc 5 none", blosc2.CodecLZ4HC, 5, "none", 0},
	{"lz4hc 9 none, blocks of 2712 KiB", blosc2.CodecLZ4HC, 9, "none", 2712},
	{"zstd 1 none", blosc2.CodecZstd, 1, "none", 0},
	{"zstd 2 none", blosc2.CodecZstd, 2, "none", 0},
	{"zstd 3 none", blosc2.CodecZstd, 3, "none", 0},
	{"zstd 1 none, blocks of 256 KiB", blosc2.CodecZstd, 1, "none", 256},
	{"zstd 1 none, blocks of 512 KiB", blosc2.CodecZstd, 1, "none", 512},
	{"zstd 1 none, blocks of 1 MiB", blosc2.CodecZstd, 1, "none", 1024},
	{"zstd 2 none, blocks of 1 MiB", blosc2.CodecZstd, 2, "none", 1024},
}

// ours makes contestants of the settings.
func ours(typesize, workers int) ([]contestant, error) {
	var list []contestant
	for _, s := range streamSettings {
		chunk := 256 << 10
		if s.block > 0 {
			chunk = s.block << 10
		}
		f, err := filters.Parse(s.filter)
		if err != nil {
			return nil, err
		}
		w, err := stream.NewWriter(io.Discard, stream.Codec(s.codec), stream.Level(s.level), stream.Filters(f),
			stream.TypeSize(typesize), stream.Workers(workers), stream.ChunkSize(chunk), stream.BlockSize(s.block<<10))
		if err != nil {
			return nil, err
		}
		var r *stream.Reader
		list = append(list, contestant{
			name: ourName, setting: s.name, workers: workers,
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
