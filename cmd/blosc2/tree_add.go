package main

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed03b80dae/blosc2/tree"
)

// add adds frames and tables to a store. With --force they replace items with the same
// keys.
func (c *treeCmd) add(e *env, g *gathered) (err error) {
	if filepath.Ext(c.Store) == ".b2e" {
		return withName(c.Store, errors.New("a store in one frame cannot be changed; make a new store with tree create"))
	}
	unlock, err := e.lock(c.Store)
	if err != nil {
		return withName(c.Store, err)
	}
	defer func() { err = errors.Join(err, unlock()) }()
	remove, err := c.replaced(g)
	if err != nil {
		return err
	}
	verb := "added"
	if len(remove) > 0 {
		verb = "added or replaced"
	}
	e.watchSignals()
	bar := g.watch(e, c.Store)
	defer bar.end()
	if err := tree.UpdateLocked(c.Store, tree.Contents{Items: g.items, Tables: g.tables}, remove...); err != nil {
		return withName(c.Store, err)
	}
	e.note("%s: %s %s", c.Store, count(int64(len(g.items)), "frame"), verb)
	return nil
}

var errThere = errors.New("already exists; --force replaces it")

// replaced returns the keys of the store that the added items would replace.
func (c *treeCmd) replaced(g *gathered) (remove []string, err error) {
	s, err := tree.OpenFile(c.Store)
	if err != nil {
		return nil, withName(c.Store, err)
	}
	defer s.Close()
	if n, err := s.Node("/"); err == nil && n.Kind() == tree.KindTable {
		return nil, withName(c.Store, errors.New("is a single table, to which nothing can be added; tree create makes a store of it and others: /KEY="+c.Store))
	}
	if owner := g.owners["/"]; owner != "" {
		return nil, withName(owner, errors.New("is a single table, and other items cannot be in the same store; use KEY=FILE to set another key for it"))
	}
	keys := slices.Clone(g.tables)
	for _, it := range g.items {
		if !slices.ContainsFunc(g.tables, func(t string) bool { return strings.HasPrefix(it.Key, t+"/") }) {
			keys = append(keys, it.Key)
		}
	}
	for _, key := range keys {
		for group := path.Dir(key); group != "/"; group = path.Dir(group) {
			if n, err := s.Node(group); err == nil && n.Kind() != tree.KindGroup {
				return nil, withName(c.Store+":"+group, errors.New("is not a group, so it cannot contain the key "+key))
			}
		}
		n, err := s.Node(key)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err == nil && n.Kind() == tree.KindGroup:
			return nil, withName(c.Store+":"+key, errors.New("is a group of the store, which --force does not replace"))
		case !c.Force:
			return nil, withName(c.Store+":"+key, errThere)
		default:
			remove = append(remove, key)
		}
	}
	return remove, nil
}
