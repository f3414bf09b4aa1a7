package shard

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/internal/fsio"
	"github.com/seed03b80dae/blosc2/internal/workpool"
	"github.com/seed03b80dae/blosc2/stream"
)

// A shard's file holds its chunks, its manifest as JSON, the length of that JSON in 8
// bytes, little-endian, and the magic.
const (
	fileMagic = "B2SHARD1"
	fileEnd   = 8 + len(fileMagic)
	suffix    = ".b2shard"
)

// MaxManifest is the largest manifest of a file that is read, in bytes.
const MaxManifest = 1 << 30

// FileName returns the name of the file of shard k in its folder. The name
// depends on the number of shards.
func (p *Plan) FileName(k int) string {
	digits := len(fmt.Sprint(p.shards - 1))
	return fmt.Sprintf("%0*d-of-%d%s", digits, k, p.shards, suffix)
}

// WriteShardFile writes shard k to a file in the folder, which must exist. The
// file appears under its name when it is complete and synced, and replaces an
// existing one, with the same bytes if that was valid. Several processes may
// write the same shard concurrently.
func WriteShardFile(folder string, p *Plan, k int, fill Fill, opts ...stream.Option) error {
	if err := framing.Need(p != nil, "plan", "a *shard.Plan"); err != nil {
		return err
	}
	if err := framing.Need(fill != nil, "fill", "a function"); err != nil {
		return err
	}
	if err := p.checkShard(k); err != nil {
		return err
	}
	return fsio.Replace(filepath.Join(folder, p.FileName(k)), func(file *os.File) error {
		m, err := p.WriteShard(&fsio.WriteBack{File: file}, k, fill, opts...)
		if err != nil {
			return err
		}
		end, err := appendEnd(nil, m)
		if err != nil {
			return err
		}
		_, err = file.Write(end)
		return err
	})
}

// appendEnd appends the manifest and footer of a shard's file.
func appendEnd(dst []byte, m *Manifest) ([]byte, error) {
	text, err := json.Marshal(m)
	if err != nil {
		return dst, err
	}
	dst = append(dst, text...)
	dst = binary.LittleEndian.AppendUint64(dst, uint64(len(text)))
	return append(dst, fileMagic...), nil
}

// OpenFile reads the manifest of a shard's file. The returned Shard's Open reopens
// the file.
func OpenFile(path string) (Shard, error) {
	s := Shard{Name: path}
	file, err := os.Open(path)
	if err != nil {
		return s, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return s, err
	}
	if s.Manifest, err = ReadManifest(file, info.Size()); err != nil {
		return s, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	s.Open = func() (io.ReadCloser, error) { return os.Open(path) }
	return s, nil
}

// ReadManifest reads the manifest at the end of a shard's file of size bytes.
// Anything that is not a manifest results in ErrDamaged.
func ReadManifest(r io.ReaderAt, size int64) (*Manifest, error) {
	if err := framing.Need(r != nil, "source", "an io.ReaderAt"); err != nil {
		return nil, err
	}
	damaged := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s", ErrDamaged, fmt.Sprintf(format, args...))
	}
	var end [fileEnd]byte
	if size < int64(fileEnd) {
		return nil, damaged("has %d bytes; must have at least %d", size, fileEnd)
	}
	if err := readFull(r, end[:], size-int64(fileEnd)); err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint64(end[:])
	switch {
	case string(end[8:]) != fileMagic:
		return nil, damaged("not a shard, or an incomplete one")
	case n > uint64(size-int64(fileEnd)) || n > math.MaxInt:
		return nil, damaged("manifest of %d bytes does not fit into the file of %d", n, size)
	case n > MaxManifest:
		return nil, fmt.Errorf("%w: manifest of %d bytes; the limit is %d", blosc2.ErrTooLarge, n, MaxManifest)
	}
	text := make([]byte, n)
	if err := readFull(r, text, size-int64(fileEnd)-int64(n)); err != nil {
		return nil, err
	}
	m := new(Manifest)
	if err := json.Unmarshal(text, m); err != nil {
		text := strconv.QuoteToASCII(err.Error()) // err may quote bytes of the manifest, which may be any bytes
		return nil, damaged("%s", strings.ReplaceAll(text[1:len(text)-1], `\"`, `"`))
	}
	if again, err := json.Marshal(m); err != nil || !bytes.Equal(again, text) {
		return nil, damaged("an invalid manifest")
	}
	if m.Len() != size-int64(fileEnd)-int64(n) {
		return nil, &Error{Shards: []int{m.Shard}, Of: m.Plan.shards, Err: ErrDamaged, Msg: fmt.Sprintf("has %d bytes of chunks; its manifest says %d", size-int64(fileEnd)-int64(n), m.Len())}
	}
	return m, nil
}

// OpenFolder reads the manifests of all shards in a folder: the files with names
// that end in ".b2shard" and do not begin with a dot.
func OpenFolder(folder string) ([]Shard, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var shards []Shard
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") || !strings.HasSuffix(e.Name(), suffix) {
			continue
		}
		s, err := OpenFile(filepath.Join(folder, e.Name()))
		if err != nil {
			return nil, err
		}
		shards = append(shards, s)
	}
	if len(shards) == 0 {
		return nil, &fs.PathError{Op: "assemble", Path: folder, Err: noShards{}}
	}
	return shards, nil
}

// A noShards is the ErrMissing of a folder without shards.
type noShards struct{}

func (noShards) Error() string { return "it contains no shards" }

func (noShards) Unwrap() error { return ErrMissing }

// An AssembleOption changes what AssembleFolder does.
type AssembleOption func(*assembling)

type assembling struct {
	progress  func(done, total int64)
	unchecked bool
	vlmeta    []VLMeta
}

// Unchecked omits the comparison of each shard's bytes with its digest, which reads
// the written bytes again. The number of bytes is still compared.
func Unchecked() AssembleOption { return func(a *assembling) { a.unchecked = true } }

// Progress makes AssembleFile and AssembleFolder call f with the number of bytes of
// shards copied so far and their total, in one goroutine at a time.
func Progress(f func(done, total int64)) AssembleOption {
	return func(a *assembling) { a.progress = f }
}

// WithVLMeta sets a vlmetalayer of the frame to raw bytes.
func WithVLMeta(name string, value []byte) AssembleOption {
	return func(a *assembling) { a.vlmeta = append(a.vlmeta, VLMeta{name, value}) }
}

// AssembleFolder makes the file from the shards in a folder, which remain. The file
// appears under its name, and replaces an existing one, when it is complete and
// synced. The system copies the bytes, with copy_file_range on Linux, and shares
// extents if the file system supports that.
func AssembleFolder(out, folder string, opts ...AssembleOption) error {
	shards, err := OpenFolder(folder)
	if err != nil {
		return err
	}
	return AssembleFile(out, shards, opts...)
}

// AssembleFile is like AssembleFolder, for shards with an Open that opens files.
func AssembleFile(out string, shards []Shard, opts ...AssembleOption) error {
	var a assembling
	for _, o := range opts {
		if o != nil {
			o(&a)
		}
	}
	shards, err := inOrder(shards)
	if err != nil {
		return err
	}
	head, tail, err := ends(shards, a.vlmeta)
	if err != nil {
		return err
	}
	return fsio.Replace(out, func(file *os.File) error {
		if _, err := file.Write(head); err != nil {
			return err
		}
		if err := a.copyAll(file, shards); err != nil {
			return err
		}
		_, err := file.Write(tail)
		return err
	})
}

// copyAll copies the shards to a file, at its current offset. Unless unchecked, it
// concurrently reads the written bytes and compares them with the manifests.
func (a *assembling) copyAll(file *os.File, shards []Shard) error {
	back := &fsio.WriteBack{File: file}
	done, total := int64(0), int64(0)
	for _, s := range shards {
		total += s.Len()
	}
	wrote := func(n int64) {
		back.Wrote(n)
		if done += n; a.progress != nil {
			a.progress(done, total)
		}
	}
	if a.unchecked {
		return spliceAll(file, shards, func(n int64) error { wrote(n); return nil })
	}
	start, err := file.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancelCause(context.Background())
	w := &written{file: file, off: start, end: start, more: make(chan int64), ctx: ctx}
	tasks := []func() error{
		func() error { return spliceAll(file, shards, func(n int64) error { wrote(n); return w.add(n) }) },
		func() error { return compareAll(w, shards) },
	}
	workpool.Each(len(tasks), len(tasks), func(_, i int) {
		err := context.Canceled // the error if the task panics
		defer func() {
			if err != nil {
				stop(err)
			}
		}()
		err = tasks[i]()
	})
	err = context.Cause(ctx)
	stop(nil)
	return err
}

// spliceAll copies the bytes of shards without reading them, and calls copied with
// the number of bytes of each piece.
func spliceAll(dst *os.File, shards []Shard, copied func(n int64) error) error {
	for i := range shards {
		if err := shards[i].splice(dst, copied); err != nil {
			return err
		}
	}
	return nil
}

// compareAll compares the bytes of r with the manifests of shards.
func compareAll(r io.Reader, shards []Shard) error {
	buf := make([]byte, copyBuf)
	for i := range shards {
		if err := shards[i].copy(io.Discard, r, buf); err != nil {
			return err
		}
	}
	return nil
}

// spliceLen is the number of bytes that the system copies at a time.
const spliceLen = 8 << 20

func (s *Shard) splice(dst *os.File, copied func(n int64) error) (err error) {
	r, err := s.open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	for left := s.Len(); left > 0; {
		// The system copies from one file to another only if both have their
		// concrete types.
		n, err := dst.ReadFrom(io.LimitReader(r, min(left, spliceLen)))
		if err != nil {
			return err
		}
		if n == 0 {
			return s.wrong(ErrDamaged, io.ErrUnexpectedEOF.Error())
		}
		left -= n
		if err := copied(n); err != nil {
			return err
		}
	}
	return nil
}

// A written reads the bytes of a file while another goroutine writes them, until ctx
// ends.
type written struct {
	file *os.File
	off  int64      // offset of the next byte to read
	end  int64      // end of the bytes written so far
	more chan int64 // receives numbers of bytes written since
	ctx  context.Context
}

// add passes the number of further bytes, n, to the reader.
func (w *written) add(n int64) error {
	select {
	case w.more <- n:
		return nil
	case <-w.ctx.Done():
		return w.ctx.Err()
	}
}

// Read reads the written bytes, and waits if there are none.
func (w *written) Read(p []byte) (int, error) {
	for w.off >= w.end {
		select {
		case n := <-w.more:
			w.end += n
		case <-w.ctx.Done():
			return 0, w.ctx.Err()
		}
	}
	n, err := w.file.ReadAt(p[:min(int64(len(p)), w.end-w.off)], w.off)
	w.off += int64(n)
	return n, err
}

// WriteFile makes the whole file in one process, regardless of the number of
// shards: the same file that AssembleFolder makes. It appears under its name when
// it is complete and synced.
func WriteFile(out string, p *Plan, fill Fill, opts ...stream.Option) error {
	if err := framing.Need(p != nil, "plan", "a *shard.Plan"); err != nil {
		return err
	}
	if err := framing.Need(fill != nil, "fill", "a function"); err != nil {
		return err
	}
	q := *p
	q.shards = 1
	return fsio.Replace(out, func(file *os.File) error {
		size := int64(q.headLen())
		if _, err := file.Seek(size, io.SeekStart); err != nil {
			return err
		}
		m, err := q.WriteShard(&fsio.WriteBack{File: file}, 0, fill, opts...)
		if err != nil {
			return err
		}
		head, tail, err := Ends([]*Manifest{m})
		if err != nil {
			return err
		}
		if _, err := file.WriteAt(head, 0); err != nil {
			return err
		}
		_, err = file.WriteAt(tail, size+m.Len())
		return err
	})
}
