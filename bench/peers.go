package main

import (
	"bytes"
	"io"
	"strconv"

	"github.com/golang/snappy"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
	"github.com/klauspost/pgzip"
	"github.com/pierrec/lz4/v4"
)

// A contestant compresses a file to a stream and back. Both functions keep their
// state between calls and reset it, as a program that handles many files does.
type contestant struct {
	name, setting string
	workers       int
	compress      func(dst *bytes.Buffer, src []byte) error
	decompress    func(dst io.Writer, src *bytes.Reader) error
}

// A resetWriter is the interface that all Go compressors implement.
type resetWriter interface {
	io.WriteCloser
	Reset(io.Writer)
}

func compressWith(w resetWriter) func(*bytes.Buffer, []byte) error {
	return func(dst *bytes.Buffer, src []byte) error {
		w.Reset(dst)
		// The struct hides all methods of the bytes.Reader but Read, so io.Copy calls
		// ReadFrom of w, as it does for a file.
		if _, err := io.Copy(w, struct{ io.Reader }{bytes.NewReader(src)}); err != nil {
			return err
		}
		return w.Close()
	}
}

// peers lists the streams that Go programs use, each with the settings that
// compress.
func peers(workers int) ([]contestant, error) {
	var list []contestant
	add := func(name, setting string, w resetWriter, dec func(io.Writer, *bytes.Reader) error) {
		list = append(list, contestant{name, setting, workers, compressWith(w), dec})
	}

	zr, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(workers))
	if err != nil {
		return nil, err
	}
	for _, level := range []zstd.EncoderLevel{zstd.SpeedFastest, zstd.SpeedDefault, zstd.SpeedBetterCompression} {
		zw, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(level), zstd.WithEncoderConcurrency(workers))
		if err != nil {
			return nil, err
		}
		add("klauspost zstd", level.String(), zw, func(dst io.Writer, src *bytes.Reader) error {
			if err := zr.Reset(src); err != nil {
				return err
			}
			_, err := zr.WriteTo(dst)
			return err
		})
	}

	sr := s2.NewReader(nil)
	for _, s := range []struct {
		name string
		opt  s2.WriterOption
	}{{"default", nil}, {"better", s2.WriterBetterCompression()}, {"best", s2.WriterBestCompression()}} {
		opts := []s2.WriterOption{s2.WriterConcurrency(workers)}
		if s.opt != nil {
			opts = append(opts, s.opt)
		}
		add("klauspost s2", s.name, s2.NewWriter(nil, opts...), func(dst io.Writer, src *bytes.Reader) error {
			sr.Reset(src)
			if workers > 1 {
				_, err := sr.DecodeConcurrent(dst, workers)
				return err
			}
			_, err := io.Copy(dst, sr)
			return err
		})
	}

	gr := new(gzip.Reader)
	for _, level := range []int{1, 5} {
		gw, err := gzip.NewWriterLevel(nil, level)
		if err != nil {
			return nil, err
		}
		add("klauspost gzip", strconv.Itoa(level), gw, func(dst io.Writer, src *bytes.Reader) error {
			if err := gr.Reset(src); err != nil {
				return err
			}
			_, err := gr.WriteTo(dst)
			return err
		})
		pw, err := pgzip.NewWriterLevel(nil, level)
		if err != nil {
			return nil, err
		}
		if err := pw.SetConcurrency(1<<20, max(workers, 1)); err != nil {
			return nil, err
		}
		add("pgzip", strconv.Itoa(level), pw, func(dst io.Writer, src *bytes.Reader) error {
			pr, err := pgzip.NewReader(src)
			if err != nil {
				return err
			}
			defer pr.Close()
			_, err = pr.WriteTo(dst)
			return err
		})
	}

	lr := lz4.NewReader(nil)
	if err := lr.Apply(lz4.ConcurrencyOption(workers)); err != nil {
		return nil, err
	}
	for _, level := range []lz4.CompressionLevel{lz4.Fast, lz4.Level5} {
		lw := lz4.NewWriter(nil)
		if err := lw.Apply(lz4.CompressionLevelOption(level), lz4.ConcurrencyOption(workers)); err != nil {
			return nil, err
		}
		add("pierrec lz4", level.String(), lw, func(dst io.Writer, src *bytes.Reader) error {
			lr.Reset(src)
			_, err := lr.WriteTo(dst)
			return err
		})
	}

	nr := snappy.NewReader(nil)
	add("golang snappy", "", snappy.NewBufferedWriter(nil), func(dst io.Writer, src *bytes.Reader) error {
		nr.Reset(src)
		_, err := io.Copy(dst, nr)
		return err
	})
	return list, nil
}
