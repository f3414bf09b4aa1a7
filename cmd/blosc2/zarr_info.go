package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/item"
	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/names"
	"github.com/seed03b80dae/blosc2/internal/zarr"
)

// viewZarr opens a Zarr array.
func (e *env) viewZarr(name, dtype string) (*view, error) {
	fsys := os.DirFS(name)
	if isURL(name) {
		fsys = &farFolder{e, strings.TrimRight(name, "/")}
	}
	z, err := zarr.Open(fsys, ".")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, withName(name, errors.New("is a Zarr group; name one of its arrays"))
	}
	if err != nil {
		return nil, withName(name, err)
	}
	v := &view{target: &target{name: name, kind: "zarr", closer: func() error { return nil }}, shape: z.Shape, dtype: z.DType, whole: 1, read: z.ReadWindow, names: names.OfZarr(z.Metadata), zarr: z}
	if last := len(z.Shape) - 1; last > 0 {
		v.chunksPerRow = z.Counts()[last]
	}
	if len(z.Shape) > 0 {
		v.whole = z.Chunks[0]
	}
	if dtype != "" {
		err = v.retype(dtype)
	}
	return v, err
}

// A zarrDescription is the information about a Zarr array.
type zarrDescription struct {
	Schema string          `json:"schema"`
	File   string          `json:"file"`
	Kind   string          `json:"kind"` // always "zarr"
	Format int             `json:"zarr_format"`
	Shape  []int64         `json:"shape"`
	DType  string          `json:"dtype"`
	Chunks []int64         `json:"chunks"`
	Inner  []int64         `json:"inner_chunks,omitempty"` // shape of the inner chunks of shards
	Codecs []string        `json:"codecs"`
	NBytes int64           `json:"nbytes"`
	Stored int64           `json:"stored,omitempty"` // stored bytes; 0 for a remote array
	Ratio  float64         `json:"ratio,omitempty"`
	Attrs  json.RawMessage `json:"attributes,omitempty"`
}

// zarr describes the arrays in a folder of Zarr.
func (c *infoCmd) zarr(e *env, name string) error {
	fsys, names, err := e.openZarr(name)
	if err != nil {
		return withName(publicName(name), err)
	}
	for i, n := range names {
		d, err := describeZarr(fsys, n)
		d.File = filepath.Join(name, filepath.FromSlash(n))
		if isURL(name) {
			d.File = strings.TrimSuffix(publicName(strings.TrimRight(name, "/")+"/"+n), "/.")
		}
		if err != nil {
			return withName(d.File, err)
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
		row("kind", "Zarr array, format %d", d.Format)
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
		if d.Stored > 0 {
			row("stored", "%s bytes, ratio %.2f", commas(d.Stored), d.Ratio)
		}
		if len(d.Attrs) > 0 {
			row("attributes", "%s", abridge(string(d.Attrs)))
		}
		if err := e.print(b.String()); err != nil {
			return err
		}
	}
	return nil
}

// describeZarr describes an array.
func describeZarr(fsys fs.FS, name string) (d zarrDescription, err error) {
	z, err := zarr.Open(fsys, name)
	if err != nil {
		return d, err
	}
	d = zarrDescription{Schema: "blosc2.zarr/1", Kind: "zarr", Format: z.Format, Shape: z.Shape, DType: z.DType.String(), Chunks: z.Chunks, Inner: z.Inner, Codecs: []string{}}
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
	d.NBytes = item.Count(z.Shape) * int64(z.DType.Size)
	if _, far := fsys.(*farFolder); far {
		return d, nil
	}
	err = fs.WalkDir(fsys, name, func(_ string, entry fs.DirEntry, err error) error {
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
