package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/fsio"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/shard"
)

// These are the kinds of inputs.
const (
	kindFrame  = "frame"
	kindSparse = "sframe" // a sparse frame, which is a folder
	kindArray  = "b2nd"   // a frame or a sparse frame with the metalayer of an array
	kindChunk  = "chunk"
)

var (
	errKind  = blosc2.ErrNotBlosc2
	errEmpty = &reworded{"is empty", io.ErrUnexpectedEOF}
)

// sniffLen is the number of bytes that sniff needs.
const sniffLen = chunk.HeaderLen

// sniff distinguishes a frame from a chunk by its first bytes. size is the length of
// the file, or 0 if it is not known. A chunk of a later version must have the length of
// the file, because other data often looks like one.
func sniff(head []byte, size int64) (kind string, err error) {
	if len(head) == 0 {
		return "", errEmpty
	}
	if len(head) >= 10 && string(head[2:10]) == frame.Magic[2:] {
		return kindFrame, nil
	}
	h, err := chunk.ParseHeader(head)
	if err == nil && (h.Version <= chunk.VersionVL || int64(h.CBytes) == size) {
		return kindChunk, nil
	}
	err = header.Foreign(head)
	what, command := compressedBy(head)
	switch {
	case what != "":
		err = &reworded{fmt.Sprintf("is %s data, not Blosc2 data; %s decompresses it", what, command), err}
	case strings.HasPrefix(string(head), parquetMagic):
		err = fmt.Errorf("%w; \"blosc2 convert\" converts it to a table", err)
	case nearFrame(head):
		err = perhapsFrame(err)
	}
	return "", err
}

// otherFormats holds the first bytes, suffixes and names of formats of other programs, and the
// commands that decompress them.
var otherFormats = []struct{ magic, suffix, what, command string }{
	{"\x28\xb5\x2f\xfd", ".zst", "zstd", "zstd -d"},
	{"\x1f\x8b", ".gz", "gzip", "gzip -d"},
	{"\x04\x22\x4d\x18", ".lz4", "LZ4", "lz4 -d"},
	{"\xfd7zXZ\x00", ".xz", "xz", "xz -d"},
	{"BZh", ".bz2", "bzip2", "bzip2 -d"},
}

// compressedBy returns the name of the format of other compressed data, according to
// their first bytes, and the command that decompresses them.
func compressedBy(head []byte) (what, command string) {
	for _, f := range otherFormats {
		if strings.HasPrefix(string(head), f.magic) {
			return f.what, f.command
		}
	}
	return "", ""
}

// A target is an open file whose kind is known.
type target struct {
	name   string
	kind   string
	sparse bool // the target is a sparse frame, which is a folder
	file   file
	size   int64
	offset int64           // offset of the target in the file
	src    io.ReaderAt     // reads from the offset; nil for a folder
	frame  *frame.Reader   // nil if kind is kindChunk
	chunk  []byte          // all bytes of the file, if kind is kindChunk
	shard  *shard.Manifest // the manifest, if the chunk is the first of a shard's file
	closer func() error    // closes the target if file is nil
}

// openTarget opens a frame, a sparse frame, an array or a chunk.
func (e *env) openTarget(name string, opts ...frame.Option) (*target, error) {
	f, err := e.openAnywhere(name)
	if err != nil {
		return nil, withName(name, err)
	}
	t, err := targetOf(name, f, 0, opts...)
	if err != nil && f != file(e.stdin) {
		f.Close()
	}
	return t, withName(name, err)
}

// targetOf determines the kind of data at an offset in a file, or in a folder.
func targetOf(name string, f file, offset int64, opts ...frame.Option) (*target, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	t := &target{name: name, file: f}
	if info.IsDir() && !isSparse(name) {
		return nil, errNotSparse
	}
	if info.IsDir() {
		t.kind, t.sparse = kindSparse, true
		t.frame, err = frame.OpenFS(os.DirFS(name), opts...)
	} else {
		err = settled(f, func() error {
			if info, err = f.Stat(); err != nil {
				return err
			}
			return t.open(info.Size()-offset, offset, opts)
		})
	}
	if t.frame != nil && isArray(t.frame.Metalayers()) {
		t.kind = kindArray
	}
	return t, err
}

func (t *target) open(size, offset int64, opts []frame.Option) error {
	if size < 0 {
		return io.ErrUnexpectedEOF
	}
	t.size, t.offset = size, offset
	t.src = fsio.Rest(t.file, offset)
	head := make([]byte, min(sniffLen, size))
	if _, err := t.src.ReadAt(head, 0); err != nil && size > 0 {
		return err
	}
	var err error
	if t.kind, err = sniff(head, size); err != nil {
		return err
	}
	if t.kind == kindChunk {
		t.shard = shardOf(t.src, size)
		t.chunk, err = io.ReadAll(io.NewSectionReader(t.src, 0, min(size, chunk.MaxBytes+chunk.Overhead)))
		return err
	}
	if t.frame, err = frame.Open(t.src, size, opts...); err == nil {
		t.size = max(size, t.frame.FrameLen()) // a log may have grown since its size was read
	}
	return cutOff(err)
}

// shardOf returns the manifest of a shard's file, which begins with a chunk. It returns
// nil for any other file.
func shardOf(src io.ReaderAt, size int64) *shard.Manifest {
	m, err := shard.ReadManifest(src, size)
	if err != nil {
		return nil
	}
	return m
}

// trailing returns an error if bytes follow the frame of a target.
func (t *target) trailing() error {
	if t.src == nil || t.frame == nil || t.frame.Open() { // bytes after an open frame belong to its writer
		return nil
	}
	end := t.frame.FrameLen()
	another, err := frame.Follows(t.frame.Header(), t.src, end)
	if another {
		err = fmt.Errorf("%w: another frame, at offset %d", blosc2.ErrTrailing, end)
	}
	if errors.Is(err, blosc2.ErrTrailing) && t.changed() { // the frame ends elsewhere by now
		err = nil
	}
	return err
}

// damaged adds advice to an error in reading a target, if it is due to damaged data
// that a writer flushed and did not commit.
func (t *target) damaged(err error) error {
	if t == nil || t.frame == nil || t.frame.Lost() == nil || !errors.Is(err, blosc2.ErrCorrupt) && !errors.Is(err, blosc2.ErrChecksum) {
		return err
	}
	return saves(err)
}

// isArray reports whether a metalayer has the shape of an array.
func isArray(layers []meta.Layer) bool {
	_, b2nd := meta.Find(layers, "b2nd")
	_, caterva := meta.Find(layers, "caterva")
	return b2nd || caterva
}

// Close closes the file.
func (t *target) Close() error {
	if t.closer != nil {
		return t.closer()
	}
	return t.file.Close()
}
