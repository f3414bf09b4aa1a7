package containertest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"reflect"
	"slices"
	"strings"
)

// CheckTable checks the rules for a closed table that reading it does not check:
// equal lengths of all columns, offsets within their bytes, distinct words, the
// number of rows, the version of the schema, and no indexes. key is that of the
// table in a store, or "" if the store is the table.
func CheckTable(fsys fs.FS, name, key string) error {
	s, err := openStore(fsys, name)
	if err != nil {
		return err
	}
	defer s.close()
	head, err := s.frame(key + "/_meta")
	if err != nil {
		return err
	}
	v, err := vlmeta(head, "schema")
	if err != nil {
		return err
	}
	sch, err := parseSchema(v.(string))
	if err != nil {
		return err
	}
	var top struct {
		Rows  *int64 `json:"n_rows"`
		Built bool   `json:"summary_indexes_built"`
	}
	if err := json.Unmarshal([]byte(strict(v.(string))), &top); err != nil {
		return err
	}
	live, err := s.array(key + "/_valid_rows")
	if err != nil {
		return err
	}
	c := &rules{s: s, places: live.shape[0]}
	for _, b := range live.bytes {
		c.rows += int64(b)
	}
	c.expect(live.dtype == "|b1", "_valid_rows of type %s", live.dtype)
	version, err := vlmeta(head, "version")
	c.expect(err == nil && reflect.DeepEqual(version, int64(1)), "version of _meta is %v, %v", version, err)
	if top.Rows != nil { // a table that its first writer has not closed has no n_rows
		c.expect(*top.Rows == c.rows, "n_rows is %d, %d rows live", *top.Rows, c.rows)
	}
	indexed := top.Built
	for k := range s.nodes {
		indexed = indexed || strings.HasPrefix(k, key+"/_indexes/")
	}
	c.expect(!indexed, "there are indexes")
	masks := false
	for _, spec := range sch.Columns {
		masks = masks || spec["null_storage"] == "mask"
		name := spec["name"].(string)
		if err := c.column(key+"/_cols/"+columnPath(name), spec); err != nil {
			return fmt.Errorf("column %s: %w", name, err)
		}
	}
	c.expect(masks == (sch.Version == 3), "schema of version %d, masks %v", sch.Version, masks)
	return errors.Join(c.broken...)
}

// A rules collects violations of the rules.
type rules struct {
	s            *store
	places, rows int64
	broken       []error
}

func (c *rules) expect(ok bool, format string, args ...any) {
	if !ok {
		c.broken = append(c.broken, fmt.Errorf(format, args...))
	}
}

func (c *rules) column(key string, spec map[string]any) error {
	kind := spec["kind"].(string)
	if _, ok := c.s.nodes[key+".notnull"]; ok {
		a, err := c.s.array(key + ".notnull")
		if err != nil {
			return err
		}
		c.expect(a.shape[0] == c.places && spec["null_storage"] == "mask", "%s.notnull has %v of %d places, null_storage %v", key, a.shape, c.places, spec["null_storage"])
	}
	switch kind {
	case "vlstring", "vlbytes", "object", "struct", "list":
		f, err := c.s.frame(key)
		if err != nil {
			return err
		}
		l, err := items(f)
		c.expect(err == nil && int64(len(l)) == c.places || c.rows == 0, "%s has %d items of %d places, %v", key, len(l), c.places, err)
		return nil
	}
	a, err := c.s.array(key)
	if err != nil {
		return err
	}
	switch kind {
	case "utf8":
		text, err := c.s.array(key + ".utf8")
		if err != nil {
			return err
		}
		t, _ := parseType(a.dtype)
		last := int64(0)
		for i := 0; i+8 <= len(a.bytes); i += 8 {
			off := t.int(a.bytes[i : i+8])
			c.expect(off >= last && (i > 0 || off == 0), "%s: offset %d is %d after %d", key, i/8, off, last)
			last = off
		}
		c.expect(last == text.shape[0] || last == 0, "%s: the last offset is %d of %d bytes", key, last, text.shape[0])
		c.expect(a.shape[0] == c.places+1, "%s has %d offsets of %d places", key, a.shape[0], c.places)
	case "dictionary":
		f, err := c.s.frame(key + "_dict")
		if err != nil {
			return err
		}
		words, err := items(f)
		if err != nil {
			return err
		}
		var seen []string
		for _, w := range words {
			seen = append(seen, w.(string))
		}
		slices.Sort(seen)
		c.expect(len(slices.Compact(seen)) == len(words), "%s_dict has words twice", key)
		c.expect(a.shape[0] >= c.places, "%s has %v of %d places", key, a.shape, c.places)
	default:
		c.expect(a.shape[0] == c.places, "%s has %v of %d places", key, a.shape, c.places)
	}
	return nil
}

// openStore opens the store in a file or folder.
func openStore(fsys fs.FS, name string) (*store, error) {
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		sub, err := fs.Sub(fsys, name)
		if err != nil {
			return nil, err
		}
		return folder(sub)
	}
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	s, err := zipped(f.(io.ReaderAt), info.Size())
	if err != nil {
		f.Close()
		return nil, err
	}
	s.files = append(s.files, f)
	return s, nil
}
