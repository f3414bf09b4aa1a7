package main

import (
	"fmt"
	"io"
	"path"
	"strings"
	"text/tabwriter"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/meaning"
	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/rows"
	"github.com/seed03b80dae/blosc2/meta"
	tables "github.com/seed03b80dae/blosc2/table"
	"github.com/seed03b80dae/blosc2/tree"
)

// A nodeLine is the line about a node of a store.
type nodeLine struct {
	Key     string  `json:"key"`
	Kind    string  `json:"kind"`
	Shape   []int64 `json:"shape,omitempty"`
	DType   string  `json:"dtype,omitempty"`
	Rows    *int64  `json:"rows,omitempty"` // rows of a table, or items of a sequence
	Columns int     `json:"columns,omitempty"`
	Note    string  `json:"note,omitempty"` // describes a recipe or a proxy cache, never with a token
	NBytes  int64   `json:"nbytes"`
	Stored  int64   `json:"stored"`
	Ratio   float64 `json:"ratio"`
}

// line returns the line about a node.
func (s *openStore) line(key string) (nodeLine, error) {
	n, err := s.Node(key)
	if err != nil {
		return nodeLine{Key: key}, err
	}
	l := nodeLine{Key: key, Kind: n.Kind().String(), Stored: n.Stored()}
	switch n.Kind() {
	case tree.KindTable:
		err = l.ofTable(s, key)
	case tree.KindGroup:
	case tree.KindRemote:
		var r tree.Recipe
		if r, err = n.Recipe(); err == nil {
			l.Note = meaning.RecipeText(r)
		}
	default:
		err = l.ofLeaf(n)
	}
	if l.Stored > 0 && l.NBytes > 0 {
		l.Ratio = ratio(l.NBytes, l.Stored)
	}
	return l, err
}

func (l *nodeLine) ofLeaf(n *tree.Node) error {
	f, err := n.Frame()
	if err != nil {
		return err
	}
	l.NBytes = f.Size()
	switch n.Kind() {
	case tree.KindArray, tree.KindRecipe, tree.KindProxy:
		if isArray(f.Metalayers()) {
			a, err := b2nd.FromFrame(f)
			if err != nil {
				return err
			}
			l.Shape, l.DType, l.NBytes = a.Shape(), itemType(a).String(), a.Size()
		}
	case tree.KindTensor:
		t, err := n.Tensor()
		if err != nil {
			return err
		}
		l.Shape, l.DType = t.Shape, t.DType
	case tree.KindObjects, tree.KindBatches, tree.KindList:
		rows := f.NumChunks()
		l.Rows = &rows
	}
	switch n.Kind() {
	case tree.KindRecipe:
		r, err := n.Recipe()
		if err != nil {
			return err
		}
		l.Note, l.NBytes = meaning.RecipeText(r), 0
	case tree.KindProxy:
		p, err := n.Proxy()
		if err != nil {
			return err
		}
		l.Note = meaning.ProxyText(p)
	}
	return nil
}

func (l *nodeLine) ofTable(s *openStore, key string) error {
	t, err := tables.Open(s.Store, key)
	if err != nil {
		return err
	}
	rows := t.Len()
	l.Rows, l.Columns = &rows, len(t.Schema().Columns)
	prefix := strings.TrimSuffix(key, "/") + "/"
	for k := range s.RawKeys() {
		if !strings.HasPrefix(k, prefix) {
			continue
		}
		part, err := s.line(k)
		if err != nil {
			return err
		}
		l.Stored, l.NBytes = l.Stored+part.Stored, l.NBytes+part.NBytes
	}
	return nil
}

// size formats the size of a node: its shape or its number of rows. It returns "" if it
// has neither.
func (l *nodeLine) size() string {
	switch {
	case l.Rows != nil && l.Columns > 0:
		return fmt.Sprintf("%s × %d", count(*l.Rows, "row"), l.Columns)
	case l.Rows != nil:
		return count(*l.Rows, "chunk")
	case l.DType != "":
		size := 0
		if d, err := meta.ParseDType(l.DType); err == nil {
			size = d.Size
		}
		return shortType(l.DType, size) + shortShape(l.Shape)
	}
	return ""
}

// below calls each with the key of every node below a group, or only with those
// directly in it. It includes nodes that cannot be opened.
func (s *openStore) below(group string, all bool, each func(key string) error) error {
	n, err := s.Node(group)
	if err != nil {
		return s.unknown(group, err)
	}
	if n.Kind() != tree.KindGroup {
		return each(group)
	}
	for _, name := range s.Children(group) {
		key := path.Join(group, name)
		if err := each(key); err != nil {
			return err
		}
		if n, err := s.Node(key); err == nil && all && n.Kind() == tree.KindGroup {
			if err := s.below(key, all, each); err != nil {
				return err
			}
		}
	}
	return nil
}

// list prints the nodes in a group, as a table or as a line of JSON for each.
func (s *openStore) list(e *env, out io.Writer, group string, all, asJSON bool) error {
	failed := false
	lines := func(visit func(key string, l nodeLine) error) error {
		return s.below(group, all, func(key string) error {
			l, err := s.line(key)
			if err != nil {
				e.report(withName(s.name+":"+key, err))
				failed = true
				return nil
			}
			return visit(key, l)
		})
	}
	if asJSON {
		enc := newJSON(out)
		err := lines(func(_ string, l nodeLine) error { return enc.Encode(l) })
		if err == nil && failed {
			err = errReported
		}
		return err
	}
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "data\tstored\tratio\tkind\tsize\t  key")
	var total nodeLine
	n := int64(0)
	err := lines(func(key string, l nodeLine) error {
		if l.Kind == tree.KindGroup.String() {
			fmt.Fprintf(w, "\t\t\t%s\t\t  %s/\n", l.Kind, shown(key))
			return nil
		}
		n++
		total.NBytes, total.Stored = total.NBytes+l.NBytes, total.Stored+l.Stored
		note := l.Note
		if note != "" {
			note = ": " + note
		}
		fmt.Fprintf(w, "%s\t%s\t%.2f\t%s\t%s\t  %s%s\n", commas(l.NBytes), commas(l.Stored), l.Ratio, l.Kind, l.size(), shown(key), shown(note))
		return nil
	})
	if n > 1 {
		fmt.Fprintf(w, "%s\t%s\t%.2f\t\t\t  %s\n", commas(total.NBytes), commas(total.Stored), ratio(total.NBytes, total.Stored), count(n, "node"))
	}
	w.Flush()
	if _, err := io.WriteString(out, e.local(text.String())); err != nil {
		return err
	}
	if failed {
		return errReported
	}
	return err
}

// metadataText formats metadata as text, with a line for each value.
func metadataText(m meta.Map) string {
	var b strings.Builder
	for _, p := range m {
		fmt.Fprintf(&b, "%-13s %s: %s\n", "metadata", shown(fmt.Sprint(p.Key)), shown(abridge(string(rows.AppendValue(nil, p.Value)))))
	}
	return b.String()
}
