package shard

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"io/fs"

	"github.com/seed03b80dae/blosc2/internal/fsio"
	"github.com/seed03b80dae/blosc2/parts"
)

// A glue holds the bytes between the parts of the shards: headers, and held bytes,
// which are opened when they are read.
type glue struct {
	pieces []piece
	size   int64

	off  int64         // offset of the next byte to read
	file io.ReadCloser // the piece being read, at off; nil before the first Read
	end  int64         // end of that piece
}

type piece struct {
	size int64
	open func() (io.ReadCloser, error)
}

func newGlue(head []byte) *glue {
	g := new(glue)
	g.addBytes(head)
	return g
}

func (g *glue) add(p piece) {
	g.pieces = append(g.pieces, p)
	g.size += p.size
}

func (g *glue) addBytes(b []byte) {
	g.add(piece{int64(len(b)), func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b)), nil }})
}

func (g *glue) addHeld(n NotedShard) {
	g.add(piece{n.Held, func() (io.ReadCloser, error) {
		file, err := n.Open()
		if err != nil {
			s := Shard{Manifest: n.Manifest, Name: n.Name}
			return nil, s.wrong(err, "")
		}
		return file, nil
	}})
}

// put puts the glue as one part.
func (g *glue) put(ctx context.Context, up parts.Object, number int) (part parts.Part, err error) {
	tag, err := up.Put(ctx, number, g, g.size)
	return parts.Part{Number: number, Size: g.size, Tag: tag}, cmp.Or(err, g.close())
}

func (g *glue) close() error {
	if g.file == nil {
		return nil
	}
	err := g.file.Close()
	g.file = nil
	return err
}

// Seek sets the offset of the next Read.
func (g *glue) Seek(off int64, whence int) (int64, error) {
	off = fsio.Offset(off, whence, g.off, g.size)
	if off < 0 {
		return g.off, fs.ErrInvalid
	}
	if off == g.off {
		return off, nil
	}
	g.off = off
	return off, g.close()
}

func (g *glue) Read(p []byte) (n int, err error) {
	if g.off >= g.size {
		return 0, io.EOF
	}
	if g.file == nil || g.off == g.end {
		if err := g.open(); err != nil {
			return 0, err
		}
	}
	n, err = g.file.Read(p[:min(int64(len(p)), g.end-g.off)])
	g.off += int64(n)
	if err == io.EOF {
		if err = nil; g.off < g.end {
			err = fmt.Errorf("%d held bytes are missing: %w", g.end-g.off, io.ErrUnexpectedEOF)
		}
	}
	return n, err
}

// open opens the piece of the next byte.
func (g *glue) open() error {
	if err := g.close(); err != nil {
		return err
	}
	start := int64(0)
	for _, p := range g.pieces {
		if g.end = start + p.size; g.off >= g.end {
			start = g.end
			continue
		}
		file, err := p.open()
		if err != nil {
			return err
		}
		g.file = file
		_, err = io.CopyN(io.Discard, file, g.off-start)
		return err
	}
	return io.EOF // Read does not call open after the last piece
}
