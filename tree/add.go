package tree

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/internal/fsio"
	"github.com/seed03b80dae/blosc2/meta"
)

// Update changes the store in a zip of size bytes without rewriting its other
// members: it removes the keys in remove and all keys below them, and adds the
// items of c. An item may have a key that is removed. Any other key that exists, or
// would be both a group and a leaf, returns fs.ErrExist.
//
// New members are appended to the zip, followed by a copy of the old directory, so
// that readers see the old store until the new directory is written: a killed
// process leaves one or the other. If Update fails it truncates the file to its
// former size. After a power failure the file may have to be truncated by hand.
// Bytes that are no longer used remain in the file: Copy and Write make a store
// without them.
func Update(file frame.File, size int64, c Contents, remove ...string) (err error) {
	if err := framing.Need(file != nil, "file", "a frame.File, such as an *os.File"); err != nil {
		return err
	}
	s, err := Open(file, size)
	if err != nil {
		return err
	}
	if s.data.layout != Zip {
		return blosc2.Errorf(blosc2.PartDirectory, blosc2.ErrUnsupported, "changing a store in one frame")
	}
	ch, err := s.change(c, remove)
	if err != nil || len(ch.members)+len(ch.gone) == 0 {
		return err
	}
	dir, count, err := readDirectory(file, size)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, file.Truncate(size))
		}
	}()
	// Write a copy of the old directory, leaving space for the members before it.
	old := zipWriter{pos: size, dir: dir, count: count}
	for _, m := range ch.members {
		old.pos += m.length + int64(len(m.name)) + zipLocalMost
	}
	if n := int64(len(old.end())); old.pos%page+n > page { // start at a page: a process is killed before or after a write within a page, not within it
		old.pos += page - old.pos%page
	}
	at, end := old.pos, old.end()
	if _, err := file.WriteAt(end, at); err != nil {
		return err
	}
	z := &zipWriter{w: io.NewOffsetWriter(file, size), pos: size}
	if z.dir, z.count, err = without(dir, count, ch.gone); err != nil {
		return err
	}
	for _, m := range ch.members {
		if err := z.add(m); err != nil {
			return err
		}
	}
	// The members are synced before the directory refers to them.
	if err := file.Sync(); err != nil {
		return err
	}
	z.pos = at + int64(len(end))
	if _, err := file.WriteAt(z.end(), z.pos); err != nil {
		return err
	}
	return file.Sync()
}

// page is the smallest unit in which the system writes.
const page = 4096

// A change describes what an update does to the members of a store.
type change struct {
	members []member        // new members
	gone    map[string]bool // names of those that are removed or replaced
}

// change plans an update.
func (s *Store) change(c Contents, remove []string) (*change, error) {
	d := s.data
	ch := &change{gone: map[string]bool{}}
	removed := map[string]bool{} // whether each key is removed
	for _, key := range remove {
		l, ok := d.find(key)
		if ok {
			removed[key] = true
		}
		for _, l := range d.below(key) {
			removed[l.key] = true
			ch.gone[l.member] = true
		}
		ch.gone[l.member] = true
	}
	delete(ch.gone, "") // embedded values have no member of their own
	items, err := c.frames()
	if err != nil {
		return nil, err
	}
	for _, it := range items {
		taken := false
		for _, l := range d.below(it.Key) {
			taken = taken || !removed[l.key]
		}
		for i := 1; i <= len(it.Key) && !taken; i++ {
			if i == len(it.Key) || it.Key[i] == '/' {
				_, taken = d.find(it.Key[:i])
				taken = taken && !removed[it.Key[:i]]
			}
		}
		if taken {
			return nil, &fs.PathError{Op: "add", Path: it.Key, Err: fs.ErrExist}
		}
		m, err := memberOf(it)
		if err != nil {
			return nil, err
		}
		ch.members = append(ch.members, m)
	}
	embed, err := d.editEmbed(c.Tables, removed)
	if err != nil {
		return nil, err
	}
	if embed != nil {
		ch.members = append(ch.members, member{embedFile, bytes.NewReader(embed), int64(len(embed))})
		ch.gone[embedFile] = true
	}
	return ch, nil
}

// editEmbed returns embed.b2e with more tables and without the values and tables
// that were removed, or nil if nothing changes.
func (d *data) editEmbed(tables []string, removed map[string]bool) ([]byte, error) {
	registry, err := vlMap(d.embed, registryName)
	if err != nil {
		return nil, err
	}
	values, err := vlMap(d.embed, valuesName)
	if err != nil {
		return nil, err
	}
	gone := func(p meta.Pair) bool {
		key, _ := p.Key.(string)
		return removed[key] || removed[key+tableMeta]
	}
	n := len(registry)
	registry = slices.DeleteFunc(slices.Clone(registry), gone)
	changed := len(registry) != n
	for _, t := range tables {
		if _, there := registry.Get(t); t != "" && !there {
			registry = append(registry, meta.Pair{Key: t, Value: tableEntry()})
			changed = true
		}
	}
	for i, p := range values {
		if all, ok := p.Value.(meta.Map); ok && p.Key == "embed_map" {
			left := slices.DeleteFunc(slices.Clone(all), gone)
			changed = changed || len(left) != len(all)
			values[i].Value = left
		}
	}
	if !changed {
		return nil, nil
	}
	if len(tables) > 0 && !d.isTree {
		return nil, blosc2.Errorf(blosc2.PartMeta, blosc2.ErrUnsupported, "a table in a DictStore")
	}
	r, size, c, err := d.members.open(embedFile)
	if err != nil {
		return nil, err
	}
	if c != nil {
		defer c.Close()
	}
	b := make([]byte, size)
	if _, err := r.ReadAt(b, 0); err != nil && err != io.EOF {
		return nil, err
	}
	file := fsio.NewMemory(b)
	e, err := frame.Edit(file, size)
	if err != nil {
		return nil, err
	}
	defer e.Close()
	for _, l := range []struct {
		name string
		m    meta.Map
	}{{registryName, registry}, {valuesName, values}} {
		if l.m == nil {
			continue
		}
		v, err := EncodeValue(nil, l.m)
		if err == nil {
			err = e.SetVLMeta(l.name, v)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := e.Commit(); err != nil {
		return nil, err
	}
	return file.Bytes()[:e.Len()], nil
}

// Copy returns the frames of a store, or of a group or table as a store (see
// Node.Store), as items for another store. It omits remote arrays, whose data are
// elsewhere.
func (s *Store) Copy() ([]Item, error) {
	var out []Item
	for _, l := range s.data.below(s.prefix) {
		if l.ref != nil {
			continue
		}
		r, size, err := s.data.bytesOf(l)
		if err != nil {
			return nil, err
		}
		if l.member == "" { // decoded on every read
			b := make([]byte, size)
			if _, err := r.ReadAt(b, 0); err != nil && err != io.EOF {
				return nil, err
			}
			r = bytes.NewReader(b)
		}
		out = append(out, Item{s.relative(l.key), r, size})
	}
	return out, nil
}
