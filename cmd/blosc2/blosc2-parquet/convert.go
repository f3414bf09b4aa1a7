package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/arrow"
	"github.com/seed03b80dae/blosc2/table"
	"github.com/seed03b80dae/blosc2/tree"
)

// splitStore splits STORE:/KEY.
func splitStore(name string) (store, key string, ok bool) {
	for _, suffix := range []string{".b2z", ".b2d", ".b2e"} {
		if i := strings.Index(name, suffix+":"); i >= 0 {
			i += len(suffix)
			return name[:i], "/" + strings.Trim(name[i+1:], "/"), true
		}
	}
	return name, "/", false
}

// table opens a table.
func (in *input) table() (*table.Table, func() error, error) {
	var s *tree.Store
	var err error
	key := "/"
	if in.file != nil {
		s, err = tree.Open(in.file, in.size)
	} else {
		name := in.name
		if in.name != "-" {
			name, key, _ = splitStore(name)
		}
		s, err = tree.OpenFile(name)
	}
	if err != nil {
		return nil, nil, err
	}
	t, err := table.Open(s, key)
	if err != nil {
		return nil, nil, errors.Join(err, s.Close())
	}
	return t, s.Close, nil
}

// export writes a table as a Parquet file.
func (in *input) export(to io.Writer) error {
	t, done, err := in.table()
	if err != nil {
		return err
	}
	defer done()
	r, err := arrow.NewReader(t, memory.DefaultAllocator)
	if err != nil {
		return err
	}
	defer r.Release()
	props := parquet.NewWriterProperties(parquet.WithCompression(compress.Codecs.Zstd))
	// The wrapper hides the Close method of to, so that the writer cannot call it.
	w, err := pqarrow.NewFileWriter(r.Schema(), struct{ io.Writer }{to}, props, pqarrow.NewArrowWriterProperties(pqarrow.WithStoreSchema()))
	if err != nil {
		return err
	}
	for r.Next() {
		if err := w.WriteBuffered(r.RecordBatch()); err != nil {
			w.Close()
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return r.Err()
}

// read reads a Parquet file and writes it as a table.
func (in *input) read(to io.Writer) (err error) {
	defer func() { // the parquet package panics on some damaged files
		if p := recover(); p != nil {
			err = fmt.Errorf("the Parquet file is damaged: %v: %w", p, blosc2.ErrCorrupt)
		}
	}()
	f, err := file.NewParquetReader(io.NewSectionReader(in.file, 0, in.size))
	if err != nil {
		return err
	}
	defer f.Close()
	pf, err := pqarrow.NewFileReader(f, pqarrow.ArrowReadProperties{BatchSize: 1 << 16}, memory.DefaultAllocator)
	if err != nil {
		return err
	}
	r, err := pf.GetRecordReader(context.Background(), nil, nil)
	if err != nil {
		return err
	}
	defer r.Release()
	specs, err := arrow.Specs(r.Schema())
	if err != nil {
		return err
	}
	b, err := table.NewBuilder(specs...)
	if err != nil {
		return err
	}
	defer b.Close()
	if _, err := arrow.Append(b, r); err != nil {
		return err
	}
	return b.Write(to)
}
