package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
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
		return withName(in.name, err)
	}
	names := z.Names()
	if len(names) == 0 {
		return withName(in.name, errors.New("holds no arrays"))
	}
	others, err := c.mayFill(folder, names)
	if err != nil {
		return withName(folder, err)
	}
	if others > 0 {
		e.note("%s: also holds %s that %s does not have", folder, count(int64(others), "file"), in.name)
	}
	place := int64(0)
	return e.each(names, func(name string) error {
		from := fmt.Sprintf("%s(%s)", in.name, name)
		err := withName(from, c.member(e, z, name, from, folder, npzMember{place, z.Compressed()}, in))
		place++
		return err
	})
}

// mayFill returns an error if the arrays of a .npz file may not be written to a folder.
// The folder must not be a file or another form of Blosc2 or Zarr data. It may contain
// files only with --force; others is the number of those that the arrays do not
// replace.
func (c *compressCmd) mayFill(folder string, names []string) (others int, err error) {
	switch info, err := os.Stat(folder); {
	case errors.Is(err, fs.ErrNotExist):
		return 0, nil
	case err != nil:
		return 0, err
	case !info.IsDir():
		return 0, errors.New("is a file, but must become a folder; use -o to name another")
	case isStore(folder), isSparse(folder), isZarr(folder):
		return 0, errors.New("is a store, a sparse frame or a Zarr array; use -o to name another folder")
	}
	err = filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || name == folder {
			return err
		}
		if !c.Force {
			return errExists
		}
		own, err := filepath.Rel(folder, name)
		if err == nil && !entry.IsDir() && !slices.ContainsFunc(names, func(n string) bool { return filepath.FromSlash(n)+arraySuffix == own }) {
			others++
		}
		return err
	})
	return others, err
}

// member writes an array of the .npz file into the folder.
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
	enc.typeSize = 1 // the array has a dtype, which determines the typesize
	job := &compression{cmd: c, enc: enc, suffix: arraySuffix}
	if job.array, job.data, job.layers, err = c.specOf(from, m.Reader); err != nil {
		return err
	}
	if err := c.order(from, job.array); err != nil {
		return err
	}
	// Reading m to its end verifies the checksum of the zip member.
	job.data = io.MultiReader(job.data, m)
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
