package tree

import (
	"slices"
	"strings"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/meta"
)

const (
	metadataName = "__vlmeta__"
	tableMeta    = "/_meta"
	registryName = "_object_registry" // names of vlmetalayers of embed.b2e
	valuesName   = "estore_metadata"
)

// isMetadata reports whether a key holds the metadata of a group.
func isMetadata(key string) bool { return strings.HasSuffix(key, "/"+metadataName) }

// metadata opens the frame with the metadata of a group. It returns nil if there is
// none.
func (s *Store) metadata(key string) (*frame.Reader, error) {
	name := metadataName
	if _, ok := s.data.find(s.prefix + tableMeta); ok {
		name = "_vlmeta" // the group is a table
	}
	l, ok := s.data.find(s.prefix + "/" + name)
	if !ok || l.ref != nil {
		return nil, nil
	}
	return s.data.openLeaf(l)
}

// findTables finds the keys that are tables: those in the registry, or, if it
// is empty, the parents of all super-chunks _meta that describe a table.
func (d *data) findTables() error {
	m, err := vlMap(d.embed, registryName)
	if err != nil {
		return err
	}
	for _, p := range m {
		key, _ := p.Key.(string)
		entry, _ := p.Value.(meta.Map)
		if kind, _ := text(entry, "kind"); kind != "ctable" {
			continue
		}
		if key == "/" {
			key = ""
		} else if err := checkKey(key); err != nil {
			return corrupt(blosc2.PartVLMeta, "registry of objects: invalid key %q", key)
		}
		d.tables = append(d.tables, key)
	}
	if _, root := d.find(tableMeta); root && len(d.tables) == 0 {
		d.tables = append(d.tables, "")
	}
	for _, l := range d.leaves {
		if len(m) > 0 || !d.isTree || !strings.HasSuffix(l.key, tableMeta) || l.ref != nil || l.key == tableMeta {
			continue
		}
		f, err := d.openLeaf(l)
		if err != nil {
			continue // the error is reported when the frame is read
		}
		if v, _, err := f.VLMetaValue("kind"); err == nil && v == "ctable" {
			d.tables = append(d.tables, strings.TrimSuffix(l.key, tableMeta))
		}
	}
	slices.Sort(d.tables)
	d.tables = slices.Compact(d.tables)
	return nil
}

// tableOf returns the outermost table that a key is or belongs to.
func (d *data) tableOf(key string) (string, bool) {
	for i := 0; i <= len(key); i++ {
		if i != len(key) && key[i] != '/' {
			continue
		}
		if _, ok := slices.BinarySearch(d.tables, key[:i]); ok {
			return key[:i], true
		}
	}
	return "", false
}

// Tables returns the keys of the groups that are tables, "/" for a store that is
// one table.
func (s *Store) Tables() []string {
	var out []string
	for _, t := range s.data.tables {
		if t == s.prefix || strings.HasPrefix(t, s.prefix+"/") {
			out = append(out, s.relative(t))
		}
	}
	return out
}
