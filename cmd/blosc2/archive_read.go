package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/npy"
	"github.com/seed03b80dae/blosc2/stream"
)

// npzLayer is the metalayer of an array that was a member of a .npz file: a map
// of its position in the file and whether the file was compressed.
const npzLayer = "npz"

// An npzMember is the decoded content of the metalayer npzLayer.
type npzMember struct {
	place      int64
	compressed bool
}

func (m npzMember) layer() (meta.Layer, error) {
	value, err := meta.Encode(nil, meta.Map{{Key: "place", Value: m.place}, {Key: "compressed", Value: m.compressed}})
	return meta.Layer{Name: npzLayer, Value: value}, err
}

func memberOf(layers []meta.Layer) (m npzMember, ok bool) {
	fields, _ := fieldsOf(layers, npzLayer)
	place, _ := fields.Get("place")
	compressed, _ := fields.Get("compressed")
	m.place, ok = place.(int64)
	m.compressed, _ = compressed.(bool)
	return m, ok
}

// membersOf returns the names of the arrays below a folder that holds only arrays, as
// compress makes from a .npz file. For any other folder it returns an empty list.
func membersOf(folder string) []string {
	if isSparse(folder) {
		return nil
	}
	var names []string
	err := filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			return nil
		case !entry.Type().IsRegular() || filepath.Ext(name) != arraySuffix:
			return errNoArchive
		}
		names = append(names, name)
		return nil
	})
	if err != nil {
		return nil
	}
	return names
}

var errNoArchive = errors.New("is not a folder of arrays")

// isFolderOfArrays reports whether name is a folder that holds only arrays, as compress
// makes from a .npz file.
func isFolderOfArrays(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir() && len(membersOf(name)) > 0
}

// members replaces each folder of arrays, and each .npz file, in names by the names of
// its arrays.
func (e *env) members(names []string) (all []string, err error) {
	for _, name := range names {
		switch {
		case name != "-" && isFolderOfArrays(name):
			all = append(all, membersOf(name)...)
		case filepath.Ext(name) == npzSuffix:
			inside, err := npzNames(name)
			if err != nil {
				return nil, withName(name, err)
			}
			for _, m := range inside {
				all = append(all, name+":"+m)
			}
		default:
			all = append(all, name)
		}
	}
	return all, nil
}

// folders replaces each folder of arrays in names by the names of its arrays.
func folders(names []string) (all []string) {
	for _, name := range names {
		if name != "-" && isFolderOfArrays(name) {
			all = append(all, membersOf(name)...)
		} else {
			all = append(all, name)
		}
	}
	return all
}

// npzNames returns the names of the arrays of a .npz file.
func npzNames(name string) ([]string, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	z, err := npy.OpenNPZ(f, info.Size())
	if err != nil {
		return nil, err
	}
	return z.Names(), nil
}

// restore writes a .npz file from the arrays in a folder.
func (c *decompressCmd) restore(e *env, folder string, to dest) (done stream.Stats, err error) {
	if c.Raw {
		return done, misusef("--raw: %s holds several arrays", folder)
	}
	arrays, compressed, err := e.ordered(folder)
	if err != nil {
		return done, err
	}
	name := to.name(filepath.Clean(folder) + npzSuffix)
	info, err := os.Stat(arrays[0])
	if err != nil {
		return done, err
	}
	out, err := e.createLike(name, c.outFlags, info)
	if err != nil {
		return done, err
	}
	bar := e.newBar(folder, 0)
	defer bar.end()
	good := &counter{Writer: out.writer(), limit: int64(c.Limit), watch: bar.add}
	z := npy.NewNPZWriter(good, compressed)
	for _, array := range arrays {
		rel, _ := filepath.Rel(folder, array)
		stored, err := c.addMember(e, z, array, filepath.ToSlash(strings.TrimSuffix(rel, arraySuffix)))
		if err != nil {
			return done, e.abandon(out, array, good.n, err)
		}
		done.Stored += stored
	}
	if err := z.Close(); err != nil {
		return done, e.abandon(out, folder, good.n, err)
	}
	if err := e.commit(out); err != nil {
		return done, err
	}
	done.Bytes = good.n
	if name != "-" && (!e.many || e.verbose) {
		e.note("%s: %s in %s", folder, count(int64(len(arrays)), "array"), name)
	}
	return done, nil
}

// ordered lists the arrays of a folder in the order of their .npz file.
func (e *env) ordered(folder string) (arrays []string, compressed bool, err error) {
	arrays = membersOf(folder)
	places := map[string]int64{}
	for _, name := range arrays {
		t, err := e.openTarget(name)
		if err != nil {
			return nil, false, err
		}
		if t.frame != nil {
			m, _ := memberOf(t.frame.Metalayers())
			places[name] = m.place
			compressed = compressed || m.compressed
		}
		t.Close()
	}
	slices.SortStableFunc(arrays, func(a, b string) int { return int(places[a] - places[b]) })
	return arrays, compressed, nil
}

// addMember adds an array to a .npz file.
func (c *decompressCmd) addMember(e *env, z *npy.NPZWriter, file, name string) (stored int64, err error) {
	a, err := b2nd.OpenFile(file, b2nd.Workers(c.workers()))
	if err != nil {
		return 0, err
	}
	defer a.Close()
	m, err := z.Create(name, headerOf(a))
	if err != nil {
		return 0, err
	}
	if err := writeOrdered(m, a, (&target{frame: a.Frame()}).itemsOf(a)); err != nil {
		return 0, err
	}
	info, err := os.Stat(file)
	if err != nil {
		return 0, err
	}
	return info.Size(), m.Close()
}
