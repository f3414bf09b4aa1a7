//go:build !wasip1

package main

import (
	"fmt"
	"image/color"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/cells"
	tables "github.com/seed03b80dae/blosc2/table"
	"github.com/seed03b80dae/blosc2/tree"
)

// openPage opens a file, a sparse frame or a Zarr array as an array, and any other
// folder or a store as a list.
func (e *env) openPage(name, dtype string) (page, error) {
	info, err := os.Stat(name)
	folder := err == nil && info.IsDir()
	switch ext := filepath.Ext(strings.TrimRight(name, "/")); {
	case ext == ".b2z" || ext == ".b2d" || ext == ".b2e":
		return listStore(name)
	case folder && !isSparse(name) && !isZarrArray(name):
		return openFolder(e, name)
	case ext == npzSuffix && err == nil:
		return listMembers(e, name, dtype)
	}
	now := stampOf(name)
	v, err := e.openView(name, dtype, usualCheck.options(name)...)
	if err != nil {
		return nil, err
	}
	p := newArrayPage(v)
	p.stamp, p.reopen = now, func() (*view, error) { return e.openView(name, dtype, usualCheck.options(name)...) }
	return p, nil
}

// A listPage is a list of things to open.
type listPage struct {
	title   string
	all     []listEntry
	found   []int // indices of the entries that pass the filter
	filter  string
	at, top int // positions in found of the selected and of the first entry shown
	rows    int // number of entries that fit on the screen
	end     func()
}

// A listEntry is an item of a listPage.
type listEntry struct {
	name, note string
	open       func() (page, error) // opens the item; nil if the item cannot be shown
}

func newListPage(title string, all []listEntry, end func()) *listPage {
	p := &listPage{title: title, all: all, end: end, rows: 1}
	p.find("")
	return p
}

// listMembers lists the arrays in a .npz file. If there is only one, it shows that
// array instead.
func listMembers(e *env, name, dtype string) (page, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := openMembers(f, "")
	if err != nil {
		return nil, withName(name, err)
	}
	var all []listEntry
	for _, member := range z.Names() {
		full := name + ":" + member
		all = append(all, listEntry{name: member, open: func() (page, error) { return e.openPage(full, dtype) }})
	}
	if len(all) == 1 {
		return all[0].open()
	}
	return newListPage(name, all, nil), nil
}

// openFolder returns a list of the files in a folder, except hidden files.
func openFolder(e *env, name string) (page, error) {
	files, err := os.ReadDir(name)
	if err != nil {
		return nil, err
	}
	var all []listEntry
	for _, f := range files {
		if strings.HasPrefix(f.Name(), ".") {
			continue
		}
		path := filepath.Join(name, f.Name())
		entry := listEntry{name: f.Name(), open: func() (page, error) { return e.openPage(path, "") }}
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			entry.name += "/"
		} else if err == nil {
			entry.note = commas(info.Size())
		}
		all = append(all, entry)
	}
	return newListPage(name, all, nil), nil
}

// listStore lists the keys of a store. If the store is a table it shows the rows.
func listStore(name string) (page, error) {
	s, err := tree.OpenFile(name, tree.FrameOptions(usualCheck.options(name)...))
	if err != nil {
		return nil, withName(name, err)
	}
	tabular := s.Tables()
	if slices.Contains(tabular, "/") {
		t, err := tables.Open(s, "/")
		if err != nil {
			s.Close()
			return nil, withName(name, err)
		}
		return newRowsPage(filepath.Base(name), t, func() { s.Close() }), nil
	}
	var all []listEntry
	for _, key := range tabular {
		all = append(all, listEntry{name: key, note: tree.KindTable.String(), open: func() (page, error) {
			t, err := tables.Open(s, key)
			if err != nil {
				return nil, err
			}
			return newRowsPage(name+key, t, nil), nil
		}})
	}
	for key := range s.Keys() {
		if slices.ContainsFunc(tabular, func(t string) bool { return key == t || strings.HasPrefix(key, t+"/") }) {
			continue
		}
		n, err := s.Node(key)
		if err != nil {
			all = append(all, listEntry{name: key, note: plain(err)})
			continue
		}
		entry := listEntry{name: key, note: n.Kind().String()}
		entry.open = func() (page, error) {
			f, err := n.Frame()
			if err != nil {
				return nil, err
			}
			t := &target{name: name + key, kind: kindFrame, frame: f, closer: func() error { return nil }}
			if isArray(f.Metalayers()) {
				t.kind = kindArray
			}
			v, err := viewOf(t, "")
			if err != nil {
				return nil, err
			}
			return newArrayPage(v), nil
		}
		all = append(all, entry)
	}
	return newListPage(name, all, func() { s.Close() }), nil
}

// find selects the entries whose names contain the text of the filter.
func (p *listPage) find(filter string) {
	p.filter, p.found, p.at, p.top = filter, nil, 0, 0
	for i := range p.all {
		if strings.Contains(strings.ToLower(p.all[i].name), strings.ToLower(filter)) {
			p.found = append(p.found, i)
		}
	}
}

func (p *listPage) draw(_ *viewer, g *cells.Grid) {
	title := p.title
	if p.filter != "" {
		title += "  /" + p.filter
	}
	g.Text(0, 0, g.W, shown(title), color.RGBA{}, true)
	p.rows = max(g.H-1, 1)
	p.top = min(max(p.top, p.at-p.rows+1), p.at)
	for y := range min(p.rows, len(p.found)-p.top) {
		entry := &p.all[p.found[p.top+y]]
		selected := p.top+y == p.at
		mark := "  "
		if selected {
			mark = "> "
		}
		note := len([]rune(entry.note))
		g.Text(0, y+1, g.W-note-3, mark+shown(entry.name), color.RGBA{}, selected)
		g.Text(g.W-note-1, y+1, note, entry.note, color.RGBA{}, selected)
	}
}

func (p *listPage) press(t *viewer, key string) {
	switch key {
	case "/":
		t.prompt = &prompt{kind: "/"}
		return
	case "enter", "right", "l":
		p.enter(t)
		return
	case "left":
		t.key("backspace")
		return
	}
	if to, ok := t.moved(key, int64(p.at), int64(len(p.found)), int64(p.rows)); ok {
		p.at = int(to)
	}
}

// enter opens the selected item.
func (p *listPage) enter(t *viewer) {
	if len(p.found) == 0 {
		return
	}
	entry := &p.all[p.found[p.at]]
	if entry.open == nil {
		t.message = entry.note
		return
	}
	next, err := entry.open()
	if err != nil {
		t.message = strings.TrimPrefix(err.Error(), "blosc2: ")
		return
	}
	t.push(next)
}

func (p *listPage) answer(_ *viewer, _, text string) { p.find(text) }

func (p *listPage) status() string {
	return fmt.Sprintf("%s; enter opens, / filters, h help, q quits", count(int64(len(p.found)), "name"))
}

func (p *listPage) keys() [][2]string {
	return [][2]string{{"enter, →", "open"}, {"←", "back"}, {"/", "show only names that contain a text; empty: all"}}
}

func (p *listPage) close() {
	if p.end != nil {
		p.end()
	}
}
