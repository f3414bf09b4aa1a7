package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed03b80dae/blosc2/npy"
)

// npzSuffix is the suffix of NumPy's archives of arrays.
const npzSuffix = ".npz"

// isArchive reports whether the arrays in a file are compressed, rather than its
// bytes.
func (c *compressCmd) isArchive(name string) bool {
	return filepath.Ext(name) == npzSuffix && !c.ChunkOnly
}

// archive compresses a .npz file to a folder with an array for each member. It
// continues after a member that fails.
func (c *compressCmd) archive(e *env, in *input, to dest) error {
	switch {
	case c.Append:
		return misusef("--append: %s holds several arrays", in.name)
	case c.Out == "-":
		return misusef("-o -: %s holds several arrays, which must be written to a folder", in.name)
	}
	folder := to.name(strings.TrimSuffix(in.name, npzSuffix))
	z, err := npy.OpenNPZ(in.File, in.size)
	if err != nil {
		return about(in.name, err)
	}
	names := z.Names()
	if len(names) == 0 {
		return about(in.name, errors.New("holds no arrays"))
	}
	place := int64(0)
	return e.each(names, func(name string) error {
		from := fmt.Sprintf("%s(%s)", in.name, name)
		err := about(from, c.member(e, z, name, from, folder, npzMember{place, z.Compressed()}, in))
		place++
		return err
	})
}

// member writes the array name of the folder.
func (c *compressCmd) member(e *env, z *npy.NPZReader, name, from, folder string, place npzMember, in *input) error {
	file := filepath.FromSlash(name) + arraySuffix
	if !filepath.IsLocal(file) {
		return fmt.Errorf("%q is not a valid file name", name)
	}
	m, err := z.Open(name)
	if err != nil {
		return err
	}
	defer m.Close()
	enc, err := c.parse()
	if err != nil {
		return err
	}
	enc.typeSize = 1 // the array has a dtype already
	job := &compression{cmd: c, enc: enc, suffix: arraySuffix}
	if job.array, job.data, job.layers, err = c.specOf(from, m.Reader); err != nil {
		return err
	}
	job.data = io.MultiReader(job.data, m) // after the items, m checks the checksum of the zip file
	path := filepath.Join(folder, file)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	size, err := m.Header.Size()
	if err != nil {
		return err
	}
	layer, err := place.layer()
	if err != nil {
		return err
	}
	job.layers = append(job.layers, layer)
	return job.write(e, &input{name: from, size: size, info: in.info}, path)
}
