package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/rows"
	"github.com/seed03b80dae/blosc2/meta"
	tables "github.com/seed03b80dae/blosc2/table"
	"github.com/seed03b80dae/blosc2/tree"
)

// stores describes the stores, groups and tables among the files, and returns the other
// files.
func (c *infoCmd) stores(e *env, files []string) (others []string, err error) {
	for _, name := range files {
		is, err2 := c.store(e, name)
		if !is {
			others = append(others, name)
		}
		err = errors.Join(err, withName(name, err2))
	}
	return others, err
}

// store describes a store, a group or a table, and reports whether name is one.
func (c *infoCmd) store(e *env, name string) (is bool, err error) {
	if _, _, inside := splitStore(name); !inside && isZarr(name) {
		return true, c.zarr(e, name)
	}
	s, n, err := e.openNode(name)
	if err != nil || s == nil {
		return err != nil, err
	}
	defer s.Close()
	defer e.costOf(s.far)
	key := n.Key()
	switch {
	case n.Kind() == tree.KindTable && !c.Tree:
		return true, c.tableText(e, s, name, key)
	case n.Kind() != tree.KindGroup && n.Kind() != tree.KindTable && n.Kind() != tree.KindRemote:
		return false, nil
	case c.Tree || n.Kind() == tree.KindRemote:
		return true, s.list(e, e.stdout, key, true, c.JSON)
	}
	return true, c.summary(e, s, n, name)
}

// A storeSummary is the information about a store or a group.
type storeSummary struct {
	Schema   string          `json:"schema"`
	File     string          `json:"file"`
	Kind     string          `json:"kind"` // always "store"
	Layout   string          `json:"layout"`
	Nodes    map[string]int  `json:"nodes"` // number of nodes of each kind
	Stored   int64           `json:"stored"`
	Metadata json.RawMessage `json:"metadata,omitempty"`
}

func (c *infoCmd) summary(e *env, s *openStore, n *tree.Node, name string) error {
	d := storeSummary{Schema: "blosc2.store/1", File: publicName(name), Kind: "store", Layout: s.Layout().String(), Nodes: map[string]int{}}
	m, err := n.Metadata()
	if err != nil {
		return err
	}
	failed := false // some nodes could not be described
	err = s.below(n.Key(), true, func(key string) error {
		n, err := s.Node(key)
		if err != nil {
			e.report(withName(s.name+":"+key, err))
			failed = true
			return nil
		}
		d.Nodes[n.Kind().String()]++
		d.Stored += n.Stored()
		return nil
	})
	if err != nil {
		return err
	}
	if c.JSON {
		if len(m) > 0 {
			d.Metadata = rows.AppendValue(nil, m)
		}
		err := newJSON(e.stdout).Encode(d)
		if err == nil && failed {
			err = errReported
		}
		return err
	}
	var kinds []string
	for k := tree.KindFrame; k <= tree.KindTable; k++ {
		if n := d.Nodes[k.String()]; n > 0 {
			kinds = append(kinds, count(int64(n), k.String()))
		}
	}
	what := "store of keys"
	if s.IsTree() {
		what = "store of groups"
	}
	text := fmt.Sprintf("%-13s %s\n%-13s %s, %s\n%-13s %s\n%-13s %s bytes\n", "file", shown(d.File), "kind", what, d.Layout,
		"holds", strings.Join(kinds, ", "), "stored", commas(d.Stored))
	if err := e.print(text + metadataText(m)); err != nil {
		return err
	}
	if failed {
		return errReported
	}
	return nil
}

// tableText describes a table and its columns.
func (c *infoCmd) tableText(e *env, s *openStore, name, key string) error {
	t, err := tables.Open(s.Store, key)
	if err != nil {
		return err
	}
	l, err := s.line(key)
	if err != nil {
		return err
	}
	m, err := t.Metadata()
	if err != nil {
		return err
	}
	schema := t.Schema()
	if c.JSON {
		type column struct {
			Name     string `json:"name"`
			Kind     string `json:"kind"`
			Nullable bool   `json:"nullable"`
			Computed string `json:"computed,omitempty"`
		}
		d := struct {
			Schema   string          `json:"schema"`
			File     string          `json:"file"`
			Kind     string          `json:"kind"`
			Rows     int64           `json:"rows"`
			NBytes   int64           `json:"nbytes"`
			Stored   int64           `json:"stored"`
			Columns  []column        `json:"columns"`
			Metadata json.RawMessage `json:"metadata,omitempty"`
		}{"blosc2.table/1", publicName(name), "table", t.Len(), l.NBytes, l.Stored, nil, nil}
		for _, s := range schema.Columns {
			d.Columns = append(d.Columns, column{Name: s.Name, Kind: kindText(&s), Nullable: nullable(&s)})
		}
		for _, s := range schema.Computed {
			d.Columns = append(d.Columns, column{Name: s.Name, Kind: s.Kind, Computed: s.Expression})
		}
		if len(m) > 0 {
			d.Metadata = rows.AppendValue(nil, m)
		}
		return newJSON(e.stdout).Encode(d)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%-13s %s\n%-13s table, schema %d\n%-13s %s\n%-13s %s bytes\n%-13s %s bytes, ratio %.2f\n", "file", shown(publicName(name)), "kind", schema.Version,
		"rows", commas(t.Len()), "data", commas(l.NBytes), "stored", commas(l.Stored), l.Ratio)
	b.WriteString(metadataText(m))
	w := tabwriter.NewWriter(&b, 14, 0, 2, ' ', 0)
	for i, s := range schema.Columns {
		nulls := ""
		if nullable(&s) {
			nulls = "may be null"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", first(i, "columns"), shown(s.Name), kindText(&s), nulls)
	}
	for _, s := range schema.Computed {
		fmt.Fprintf(w, "\t%s\t%s\tcomputed: %s\n", shown(s.Name), s.Kind, shown(abridge(s.Expression)))
	}
	w.Flush()
	return e.print(b.String())
}

func first(i int, title string) string {
	if i == 0 {
		return title
	}
	return ""
}

func nullable(s *tables.Spec) bool { return s.Nullable || s.Mask || s.Null != nil }

// kindText returns the kind of a column with its parameters.
func kindText(s *tables.Spec) string {
	switch s.Kind {
	case tables.Timestamp:
		return string(s.Kind) + "[" + strings.TrimSpace(s.Unit+" "+s.Timezone) + "]"
	case tables.String, tables.Bytes:
		return fmt.Sprintf("%s[%d]", s.Kind, s.MaxLength)
	case tables.NDArray:
		return s.DType + shortShape(s.ItemShape)
	case tables.List:
		if s.Item != nil {
			return "list of " + kindText(s.Item)
		}
	}
	return string(s.Kind)
}

// hideToken replaces the access token in the metalayer of a proxy cache.
func hideToken(l meta.Layer) meta.Layer {
	if l.Name != "proxy-source" {
		return l
	}
	hidden := meta.Layer{Name: l.Name}
	v, err := meta.Decode(l.Value)
	m, ok := v.(meta.Map)
	if err != nil || !ok {
		return hidden
	}
	for i, p := range m {
		if source, ok := p.Value.([]any); ok && p.Key == "urlpath" && len(source) > 3 && source[3] != nil {
			source[3] = "(hidden)"
			m[i].Value = source
		}
	}
	if hidden.Value, err = meta.Encode(nil, m); err != nil {
		hidden.Value = nil
	}
	return hidden
}
