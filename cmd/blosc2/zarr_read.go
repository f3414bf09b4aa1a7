package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/item"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/internal/zarr"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/tree"
)

// read converts Zarr arrays to an array or a store.
func (c *zarrCmd) read(e *env) error {
	fsys, names, err := e.openZarr(c.From)
	if err != nil {
		return withName(c.From, err)
	}
	if len(names) == 0 {
		return withName(c.From, fmt.Errorf("holds no Zarr array: %w", errKind))
	}
	switch filepath.Ext(c.To) {
	case arraySuffix:
		if len(names) > 1 {
			return misusef("%s holds %d arrays; TO must be a store (.b2z), or FROM one of %s", c.From, len(names), join(names))
		}
		out, err := e.create(c.To, outFlags{Out: c.To, Force: c.Force})
		if err != nil {
			return err
		}
		w := &counter{Writer: out.writer()}
		if err := importArray(e, patcher{w, out.File}, fsys, names[0]); err != nil {
			return e.abandon(out, c.From, w.n, err)
		}
		return e.commit(out)
	case ".b2z":
		e.watchSignals()
		return withName(c.From, c.readStore(e, fsys, names))
	}
	return misusef("%s: must end in %s or .b2z", c.To, arraySuffix)
}

// openZarr returns a folder of Zarr, which may be remote, and the names of its
// arrays.
func (e *env) openZarr(name string) (fs.FS, []string, error) {
	if isURL(name) {
		fsys := &farFolder{e, strings.TrimRight(name, "/")}
		names, err := zarr.Listed(fsys)
		return fsys, names, err
	}
	fsys := os.DirFS(name)
	names, err := zarr.Arrays(fsys)
	return fsys, names, err
}

// A farFolder is a folder on a server or in a store. Its files can be opened by name,
// but not listed.
type farFolder struct {
	e    *env
	name string
}

// Open implements fs.FS.
func (f *farFolder) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) || name == "." {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	o, err := f.e.openURL(f.name + "/" + name)
	if err != nil {
		return nil, err
	}
	return o, nil
}

// readStore writes a store of the arrays in a Zarr group. It writes each array to a
// temporary file first.
func (c *zarrCmd) readStore(e *env, fsys fs.FS, names []string) error {
	var items []tree.Item
	for _, name := range names {
		f, err := spooled(func(to *os.File) error { return importArray(e, to, fsys, name) })
		if err != nil {
			return withName(path.Join(c.From, name), err)
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil {
			return err
		}
		key := path.Clean("/" + name)
		if key == "/" {
			key = "/" + strings.TrimSuffix(filepath.Base(filepath.Clean(localName(c.From))), ".zarr")
		}
		items = append(items, tree.Item{Key: key, Frame: f, Length: info.Size()})
	}
	content := tree.Contents{Items: items, Metadata: map[string]meta.Map{}}
	for _, item := range items {
		for group := path.Dir(item.Key); ; group = path.Dir(group) {
			v, err := meta.ParseJSON(zarr.GroupAttributes(fsys, path.Join(".", group)))
			if m, ok := v.(meta.Map); err == nil && ok && len(m) > 0 {
				content.Metadata[group] = m
			}
			if group == "/" {
				break
			}
		}
	}
	return tree.WriteFile(c.To, content)
}

// importSlab is the approximate number of bytes of a Zarr array to read at a time.
const importSlab = 256 << 20

// importArray writes a Zarr array as a Blosc2 array, with the same chunks and
// blocks if it has shards, and the same compression if that is Blosc.
func importArray(e *env, w io.Writer, fsys fs.FS, name string) error {
	z, err := zarr.Open(fsys, name)
	if err != nil {
		return err
	}
	spec := b2nd.Spec{Shape: z.Shape, DType: z.DType.String(), ItemSize: z.DType.Size, ChunkShape: z.Chunks, BlockShape: z.Inner}
	for _, codec := range z.Bytes {
		if codec.Name == "blosc" {
			p := &chunk.Params{Codec: codec.Blosc.Codec, Level: codec.Blosc.Level, TypeSize: z.DType.Size}
			if codec.Blosc.Codec == blosc2.CodecSnappy { // C-Blosc2 does not support snappy in frames
				p.Codec = blosc2.CodecLZ4
			}
			p.Filters = filters.Pipeline{IDs: [6]blosc2.FilterID{5: codec.Blosc.Shuffle}}
			spec.Params = p
		}
	}
	a, err := b2nd.NewWriter(w, spec)
	if err != nil {
		return err
	}
	defer a.Abort(nil)
	if len(z.Attributes) > 0 {
		if v, err := meta.ParseJSON(z.Attributes); err != nil {
			return fmt.Errorf("attributes: %w", err)
		} else if m, ok := v.(meta.Map); ok {
			for _, p := range m {
				if err := a.SetVLMetaValue(fmt.Sprint(p.Key), p.Value); err != nil {
					return fmt.Errorf("attribute %v: %w", p.Key, err)
				}
			}
		}
	}
	bar := e.newBar(name, item.Count(z.Shape)*int64(z.DType.Size))
	defer bar.end()
	if err := copyItems(&counter{Writer: a, watch: bar.add}, z); err != nil {
		return err
	}
	return a.Close()
}

// copyItems writes the items slab by slab.
func copyItems(w io.Writer, z *zarr.Array) error {
	row, rows, step := int64(z.DType.Size), int64(1), int64(1)
	if len(z.Shape) > 0 {
		rows, step = z.Shape[0], z.Chunks[0]
		row *= item.Count(z.Shape[1:])
	}
	if row == 0 || rows == 0 {
		return nil
	}
	if row > maxRow {
		return fmt.Errorf("a row of %s bytes: %w", commas(row), blosc2.ErrTooLarge)
	}
	if step = min(step, max(1, importSlab/row)); step < rows && step < importSlab/row/4 {
		step *= max(1, importSlab/row/step/4) // a multiple of the chunk length
	}
	buf := make([]byte, min(step, rows)*row)
	for at := int64(0); at < rows; at += step {
		window := b2nd.All(z.Shape)
		n := min(step, rows-at)
		if len(window) > 0 {
			window[0] = b2nd.Span{Start: at, Stop: at + n, Step: 1}
		}
		if err := z.ReadWindow(buf[:n*row], window); err != nil {
			return err
		}
		if _, err := w.Write(buf[:n*row]); err != nil {
			return err
		}
	}
	return nil
}
