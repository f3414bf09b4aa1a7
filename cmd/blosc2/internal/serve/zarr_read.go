package serve

import (
	"io/fs"
	"net/http"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/names"
	"github.com/seed03b80dae/blosc2/internal/zarr"
)

// kindZarr is the kind of an array in a Zarr folder.
const kindZarr = "zarr"

// A zarrArray is a Zarr array and its location.
type zarrArray struct {
	fsys   fs.FS
	folder string
	array  *zarr.Array
}

// maxStrings is the size in bytes of the largest array of strings of variable length
// that is served. Such an array is read whole to find the longest string.
const maxStrings = 64 << 20

// openZarr opens the array in a folder of fsys. The chunks of the dataset are the
// units of decoding; for shards, the inner chunks.
func openZarr(fsys fs.FS, folder string) (*dataset, error) {
	m, err := zarr.ReadMetadata(fsys, folder)
	if err != nil {
		return nil, err
	}
	if m.Strings && storedBelow(fsys, folder) > maxStrings {
		return nil, statusf(http.StatusUnsupportedMediaType, "Zarr arrays of variable-length strings are shown up to %d bytes", maxStrings)
	}
	z, err := zarr.Open(fsys, folder)
	if err != nil {
		return nil, err
	}
	d := &dataset{
		kind: kindZarr, shape: z.Shape, chunks: z.Unit(), blocks: z.Unit(), dtype: z.DType,
		zarr: &zarrArray{fsys, folder, z}, said: names.OfZarr(z.Metadata),
	}
	d.read = func(dst []byte, w b2nd.Window) error { return d.reader()(dst, w) }
	return d, nil
}

// reader returns the function that reads the pieces of one window, one after the other.
// For a Zarr array it keeps the last chunk.
func (d *dataset) reader() func(dst []byte, w b2nd.Window) error {
	if d.zarr == nil {
		return d.read
	}
	return d.zarr.array.Clone().ReadWindow
}

// maxFiles is the largest number of files counted for the size of a folder.
const maxFiles = 4096

// storedBelow returns the bytes of the files in a folder. It returns 0 if there are too
// many files, or if they cannot be listed.
func storedBelow(fsys fs.FS, folder string) (sum int64) {
	n := 0
	fs.WalkDir(fsys, folder, func(_ string, e fs.DirEntry, err error) error {
		if n++; err != nil || n > maxFiles {
			sum = 0
			return fs.SkipAll
		}
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			sum += info.Size()
		}
		return nil
	})
	return sum
}

// storedBytes returns the bytes that a dataset takes, or 0 if they are not known.
func (d *dataset) storedBytes(at *spot) int64 {
	switch {
	case d.zarr != nil:
		return storedBelow(d.zarr.fsys, d.zarr.folder)
	case d.frame != nil && (at.whole || at.key != ""):
		return d.frame.Header().CBytes
	}
	return at.info.Size()
}

// A farZarr is a Zarr folder that cannot be listed, and the names of the arrays in
// it.
type farZarr struct {
	fsys   fs.FS
	arrays []string
}

// ZarrPlace returns the Place of a remote Zarr folder with the arrays of the given
// names, "." for its root.
func ZarrPlace(name string, fsys fs.FS, arrays []string) *Place {
	return &Place{Name: name, zarr: &farZarr{fsys, arrays}}
}

// load opens the array. If there are several, it returns their list instead.
func (z *farZarr) load() (*handle, error) {
	if len(z.arrays) == 1 && z.arrays[0] == "." {
		d, err := openZarr(z.fsys, ".")
		return &handle{array: d}, err
	}
	open := func(name string) (*dataset, func() error, error) {
		d, err := openZarr(z.fsys, name)
		return d, func() error { return nil }, err
	}
	return &handle{members: &members{names: z.arrays, open: open, far: true}}, nil
}
