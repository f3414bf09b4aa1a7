package frame

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"strings"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/framing"
)

// indexName is the name of the file of a sparse frame that holds header, index and
// trailer (docs/format/frame.md §6).
const indexName = "chunks.b2frame"

// chunkName returns the name of the file with chunk id of a sparse frame.
func chunkName(id int64) string { return fmt.Sprintf("%08X.chunk", id) }

// OpenFS opens a sparse frame in the root directory of fsys. The directory holds a file
// for the index and one for each chunk. If a chunk file is missing, or is not in the
// index, the error names it and wraps blosc2.ErrCorrupt.
func OpenFS(fsys fs.FS, opts ...Option) (*Reader, error) {
	if err := framing.Need(fsys != nil, "directory", "an fs.FS"); err != nil {
		return nil, err
	}
	b, err := fs.ReadFile(fsys, indexName)
	if err != nil {
		return nil, missing(indexName, err)
	}
	f := NewReader(opts...)
	f.src, f.size, f.end = strings.NewReader(string(b)), int64(len(b)), io.EOF
	if err := f.readHeader(); err != nil {
		return nil, err
	}
	if f.h.Type != header.Directory {
		return nil, blosc2.Errorf(blosc2.PartHeader, blosc2.ErrUnsupported, "the index of a sparse frame must not be a contiguous frame")
	}
	f.chunks = sparse{fsys}
	if err := f.readEnds(); err != nil {
		return nil, err
	}
	return f, f.checkFiles(fsys)
}

// checkFiles compares the files of the directory with the index.
func (f *Reader) checkFiles(fsys fs.FS) error {
	files, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return err
	}
	have := make(map[int64]bool, len(files))
	for _, file := range files {
		hex, ok := strings.CutSuffix(file.Name(), ".chunk")
		if id, err := strconv.ParseInt(hex, 16, 64); ok && err == nil && chunkName(id) == file.Name() {
			have[id] = true
		}
	}
	for n, id := range f.index {
		if id >= 0 && !have[id] {
			return blosc2.At(missing(chunkName(id), fs.ErrNotExist), int64(n), -1)
		}
		delete(have, id)
	}
	return f.surplus(fsys, have)
}

// surplus returns an error for chunk files that are not in the index. With AllowTorn it
// returns none, because an append may be in progress, or have been interrupted. C-Blosc2
// leaves a file of 0 bytes for a chunk that became a special one.
func (f *Reader) surplus(fsys fs.FS, ids map[int64]bool) error {
	for id := range ids {
		info, err := fs.Stat(fsys, chunkName(id))
		if err != nil {
			return err
		}
		switch {
		case f.cfg.surplus != nil:
			if err := f.cfg.surplus(chunkName(id)); err != nil {
				return err
			}
		case info.Size() > 0 && !f.cfg.partial:
			return blosc2.Errorf(blosc2.PartDirectory, blosc2.ErrCorrupt, "%s is in the directory but not in the index", chunkName(id))
		}
	}
	return nil
}

// surplusOf returns the number of bytes that follow chunk n, of size bytes, in its file.
// It returns 0 if the frame is a single file.
func (f *Reader) surplusOf(n, size int64) int64 {
	dir, ok := f.chunks.(sparse)
	if !ok || f.index[n] < 0 {
		return 0
	}
	info, err := fs.Stat(dir.fsys, chunkName(f.index[n]))
	if err != nil {
		return 0
	}
	return max(info.Size()-size, 0)
}

func missing(name string, err error) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("blosc2: %w", err)
	}
	return blosc2.Errorf(blosc2.PartDirectory, blosc2.ErrCorrupt, "%s is missing", name)
}

// A sparse is the store of a sparse frame.
type sparse struct{ fsys fs.FS }

func (sparse) place(int64) int64 { return 0 }

func (s sparse) readChunk(b []byte, entry, off int64) (int, error) {
	file, err := s.fsys.Open(chunkName(entry))
	if err != nil {
		return 0, missing(chunkName(entry), err)
	}
	defer file.Close()
	if r, ok := file.(io.ReaderAt); ok {
		n, err := r.ReadAt(b, off)
		if n == len(b) || err == io.EOF {
			err = nil
		}
		return n, err
	}
	if _, err := io.CopyN(io.Discard, file, off); err != nil && err != io.EOF {
		return 0, err
	}
	n, err := io.ReadFull(file, b)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil
	}
	return n, err
}
