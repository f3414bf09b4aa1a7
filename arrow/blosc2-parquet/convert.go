package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"github.com/seed03b80dae/blosc2/arrow"
	"github.com/seed03b80dae/blosc2/internal/fsio"
	"github.com/seed03b80dae/blosc2/table"
	"github.com/seed03b80dae/blosc2/tree"
)

// openTable opens a table by its path, or as STORE:/KEY.
func openTable(name string) (*table.Table, func() error, error) {
	key := "/"
	if _, err := os.Lstat(name); err != nil {
		for _, suffix := range []string{".b2z", ".b2d", ".b2e"} {
			if i := strings.Index(name, suffix+":"); i >= 0 {
				name, key = name[:i+len(suffix)], "/"+strings.Trim(name[i+len(suffix)+1:], "/")
				break
			}
		}
	}
	s, err := tree.OpenFile(name)
	if err != nil {
		return nil, nil, err
	}
	t, err := table.Open(s, key)
	if err != nil {
		s.Close()
		return nil, nil, err
	}
	return t, s.Close, nil
}

// export writes a table as a Parquet file.
func export(from, to string) (err error) {
	t, done, err := openTable(from)
	if err != nil {
		return err
	}
	defer done()
	r, err := arrow.NewReader(t, memory.DefaultAllocator)
	if err != nil {
		return err
	}
	defer r.Release()
	return fsio.Replace(to, func(f *os.File) error {
		props := parquet.NewWriterProperties(parquet.WithCompression(compress.Codecs.Zstd))
		w, err := pqarrow.NewFileWriter(r.Schema(), keepOpen{f}, props, pqarrow.NewArrowWriterProperties(pqarrow.WithStoreSchema()))
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
	})
}

// keepOpen wraps a file so that its writer cannot close it.
type keepOpen struct{ f *os.File }

func (k keepOpen) Write(p []byte) (int, error) { return k.f.Write(p) }

// read writes a Parquet file as a table.
func read(from, to string) error {
	f, err := file.OpenParquetFile(filepath.Clean(from), false)
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
	return b.WriteFile(to)
}
