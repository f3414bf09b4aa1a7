package main

import (
	"encoding/json"
	"errors"
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
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/internal/zarr"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/tree"
)

// zarrCmd is "blosc2 zarr".
type zarrCmd struct {
	Force  bool
	Action string
	From   string
	To     string
}

func (c *zarrCmd) define(g *grammar) {
	g.BoolVarP(&c.Force, "force", "f", false, "Overwrite existing files.")
	g.argument(&c.Action, "ACTION", "export writes an array, or the arrays of a store, as Zarr of format 3: chunks become shards, blocks their inner chunks. import reads Zarr of formats 2 and 3.")
	g.argument(&c.From, "FROM", "For export an array (.b2nd), a store or STORE:/KEY; for import a folder of Zarr.")
	g.argument(&c.To, "TO", "For export a folder; for import an array (.b2nd), or a store (.b2z) of all arrays.")
}

// check returns an error for an action that there is not.
func (c *zarrCmd) check(*grammar) error {
	if c.Action != "export" && c.Action != "import" {
		return fmt.Errorf("%s: must be export or import", printable(c.Action))
	}
	return nil
}

// Run carries out the action.
func (c *zarrCmd) Run(e *env) error {
	if _, err := os.Lstat(c.To); err == nil && !c.Force {
		return about(c.To, errors.New("exists already; --force overwrites it"))
	}
	if c.Action == "import" {
		return c.read(e)
	}
	return c.export(e)
}

// zarrMarks are the names of files that say what a folder of Zarr is.
var zarrMarks = []string{zarr.MetaV3, zarr.MetaV2, ".zgroup"}

// isZarr reports whether a name is that of a folder of Zarr.
func isZarr(name string) bool {
	for _, mark := range zarrMarks {
		if info, err := os.Stat(filepath.Join(name, mark)); err == nil && info.Mode().IsRegular() {
			return true
		}
	}
	return false
}

// export writes arrays as Zarr.
func (c *zarrCmd) export(e *env) error {
	file, key, inside := splitStore(c.From)
	if !inside && !isStore(c.From) {
		return c.exportArray(e, c.From, c.To)
	}
	if !inside {
		key = "/"
	}
	s, err := e.openStore(file)
	if err != nil {
		return err
	}
	defer s.Close()
	n, err := s.Node(key)
	if err != nil {
		return about(c.From, s.unknown(key, err))
	}
	if n.Kind() != tree.KindGroup {
		return c.exportNode(n, c.From, c.To)
	}
	count := 0
	err = s.below(key, true, func(k string) error {
		n, err := s.Node(k)
		if err != nil {
			return err
		}
		name := s.name + ":" + k
		to := filepath.Join(c.To, filepath.FromSlash(strings.TrimPrefix(k, strings.TrimSuffix(key, "/"))))
		switch n.Kind() {
		case tree.KindGroup:
			return about(name, group(n, to))
		case tree.KindArray, tree.KindTensor:
			if err := c.exportNode(n, name, to); errors.Is(err, blosc2.ErrUnsupported) {
				e.note("%s: left out: %s", name, plain(err))
			} else if err != nil {
				return about(name, err)
			} else {
				count++
			}
		default:
			e.note("%s: left out: Zarr has no %s", name, n.Kind())
		}
		return nil
	})
	if err != nil {
		return err
	}
	e.note("%s: %d arrays in %s", c.From, count, c.To)
	return about(c.To, group(n, c.To))
}

// group writes a group.
func group(n *tree.Node, to string) error {
	m, err := n.Metadata()
	if err != nil {
		return err
	}
	b, err := zarr.GroupV3(attributes(m))
	if err != nil {
		return err
	}
	return putFile(to, zarr.MetaV3, b)
}

// attributes writes metadata as JSON, nil for none.
func attributes(m meta.Map) json.RawMessage {
	if len(m) == 0 {
		return nil
	}
	return appendValue(nil, m)
}

// putFile writes a file below a folder.
func putFile(folder, name string, data []byte) error {
	file := filepath.Join(folder, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o666)
}

func (c *zarrCmd) exportArray(e *env, name, to string) error {
	t, err := e.openTarget(name)
	if err != nil {
		return err
	}
	defer t.Close()
	if t.kind != kindArray {
		return about(name, errors.New("is not an array"))
	}
	return about(name, c.exportNode(tree.FromFrame(t.frame), name, to))
}

// exportNode writes an array.
func (c *zarrCmd) exportNode(n *tree.Node, name, to string) error {
	a, err := n.Array()
	if err != nil {
		return err
	}
	user, err := n.Metadata()
	if err != nil {
		return err
	}
	m, err := zarr.Of(a, attributes(user))
	if err != nil {
		return err
	}
	return zarr.Write(m, a, func(file string, data []byte) error { return putFile(to, file, data) })
}

// read writes arrays of Zarr as an array or a store.
func (c *zarrCmd) read(e *env) error {
	fsys := os.DirFS(c.From)
	names, err := zarr.Arrays(fsys)
	if err != nil {
		return about(c.From, err)
	}
	if len(names) == 0 {
		return about(c.From, fmt.Errorf("holds no array of Zarr: %w", errKind))
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
		w := &counter{Writer: out.writer(), watch: func(int64) {}}
		if err := importArray(patcher{w, out.File}, fsys, names[0]); err != nil {
			return e.abandon(out, c.From, w.n, err)
		}
		return e.commit(out)
	case ".b2z":
		return about(c.From, c.readStore(fsys, names))
	}
	return misusef("%s: must end in %s or .b2z", c.To, arraySuffix)
}

// readStore writes a store of arrays, by way of temporary files.
func (c *zarrCmd) readStore(fsys fs.FS, names []string) error {
	var items []tree.Item
	for _, name := range names {
		f, err := os.CreateTemp("", "blosc2-*")
		if err != nil {
			return err
		}
		defer f.Close()
		defer os.Remove(f.Name())
		if err := importArray(f, fsys, name); err != nil {
			return about(path.Join(c.From, name), err)
		}
		info, err := f.Stat()
		if err != nil {
			return err
		}
		key := path.Clean("/" + name)
		if key == "/" {
			key = "/" + strings.TrimSuffix(filepath.Base(filepath.Clean(c.From)), ".zarr")
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

// importSlab is about how many bytes of an array of Zarr are read at once.
const importSlab = 256 << 20

// importArray writes an array of Zarr as one of Blosc2, with its cut where it has
// shards, and its compression where that is Blosc.
func importArray(w io.Writer, fsys fs.FS, name string) error {
	z, err := zarr.Open(fsys, name)
	if err != nil {
		return err
	}
	spec := b2nd.Spec{Shape: z.Shape, DType: z.DType.String(), ItemSize: z.DType.Size, ChunkShape: z.Chunks, BlockShape: z.Inner}
	for _, codec := range z.Bytes {
		if codec.Name == "blosc" {
			p := &chunk.Params{Codec: codec.Blosc.Codec, Level: codec.Blosc.Level, TypeSize: z.DType.Size}
			if codec.Blosc.Codec == blosc2.CodecSnappy { // which frames of C-Blosc2 do not have
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
	if err := copyItems(a, z); err != nil {
		return err
	}
	return a.Close()
}

// copyItems writes the items slab by slab.
func copyItems(w io.Writer, z *zarr.Array) error {
	row, rows, step := int64(z.DType.Size), int64(1), int64(1)
	if len(z.Shape) > 0 {
		rows, step = z.Shape[0], z.Chunks[0]
		for _, n := range z.Shape[1:] {
			row *= n
		}
	}
	if row == 0 || rows == 0 {
		return nil
	}
	if row > maxRow {
		return fmt.Errorf("a row of %s bytes: %w", commas(row), blosc2.ErrTooLarge)
	}
	if step = min(step, max(1, importSlab/row)); step < rows && step < importSlab/row/4 {
		step *= max(1, importSlab/row/step/4) // whole chunks
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

// viewZarr opens an array of Zarr.
func viewZarr(name, dtype string) (*view, error) {
	z, err := zarr.Open(os.DirFS(name), ".")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, about(name, errors.New("is a group of Zarr; name one of its arrays"))
	}
	if err != nil {
		return nil, about(name, err)
	}
	v := &view{target: &target{name: name, kind: "zarr", closer: func() error { return nil }}, shape: z.Shape, dtype: z.DType, whole: 1, read: z.ReadWindow}
	if len(z.Shape) > 0 {
		v.whole = z.Chunks[0]
	}
	if dtype != "" {
		err = v.retype(dtype)
	}
	return v, err
}

// A zarrDescription is what info says of an array of Zarr.
type zarrDescription struct {
	Schema string          `json:"schema"`
	File   string          `json:"file"`
	Kind   string          `json:"kind"` // zarr
	Format int             `json:"zarr_format"`
	Shape  []int64         `json:"shape"`
	DType  string          `json:"dtype"`
	Chunks []int64         `json:"chunks"`
	Inner  []int64         `json:"inner_chunks,omitempty"` // of shards
	Codecs []string        `json:"codecs"`
	NBytes int64           `json:"nbytes"`
	Stored int64           `json:"stored"`
	Ratio  float64         `json:"ratio"`
	Attrs  json.RawMessage `json:"attributes,omitempty"`
}

// zarr describes the arrays in a folder of Zarr.
func (c *infoCmd) zarr(e *env, name string) error {
	names, err := zarr.Arrays(os.DirFS(name))
	if err != nil {
		return err
	}
	for i, n := range names {
		d, err := describeZarr(filepath.Join(name, filepath.FromSlash(n)))
		if err != nil {
			return about(filepath.Join(name, n), err)
		}
		if c.JSON {
			b, err := json.Marshal(d)
			if err != nil {
				return err
			}
			if err := e.print(string(b) + "\n"); err != nil {
				return err
			}
			continue
		}
		if i > 0 {
			if err := e.print("\n"); err != nil {
				return err
			}
		}
		var b strings.Builder
		row := func(name, format string, args ...any) {
			fmt.Fprintf(&b, "%-13s %s\n", name, shown(fmt.Sprintf(format, args...)))
		}
		row("file", "%s", d.File)
		row("kind", "array of Zarr, format %d", d.Format)
		row("shape", "%s", times(d.Shape))
		row("dtype", "%s", d.DType)
		if d.Inner != nil {
			row("shards", "%s", times(d.Chunks))
			row("chunks", "%s", times(d.Inner))
		} else {
			row("chunks", "%s", times(d.Chunks))
		}
		row("codecs", "%s", strings.Join(d.Codecs, ", "))
		row("data", "%s bytes", commas(d.NBytes))
		row("stored", "%s bytes, ratio %.2f", commas(d.Stored), d.Ratio)
		if len(d.Attrs) > 0 {
			row("attributes", "%s", abridge(string(d.Attrs)))
		}
		if err := e.print(b.String()); err != nil {
			return err
		}
	}
	return nil
}

func describeZarr(name string) (d zarrDescription, err error) {
	z, err := zarr.Open(os.DirFS(name), ".")
	if err != nil {
		return d, err
	}
	d = zarrDescription{Schema: "blosc2.zarr/1", File: name, Kind: "zarr", Format: z.Format, Shape: z.Shape, DType: z.DType.String(), Chunks: z.Chunks, Inner: z.Inner, Codecs: []string{}}
	if text := strings.TrimSpace(string(z.Attributes)); text != "" && text != "{}" && text != "null" {
		d.Attrs = json.RawMessage(text)
	}
	for _, c := range z.Bytes {
		text := c.Name
		if c.Name == "blosc" {
			text = fmt.Sprintf("blosc (%s-%d, %s)", c.Blosc.Codec, c.Blosc.Level, c.Blosc.Shuffle)
		}
		d.Codecs = append(d.Codecs, text)
	}
	d.NBytes = int64(z.DType.Size)
	for _, n := range z.Shape {
		d.NBytes *= n
	}
	err = filepath.WalkDir(name, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			d.Stored += info.Size()
		}
		return err
	})
	d.Ratio = ratio(d.NBytes, d.Stored)
	return d, err
}
