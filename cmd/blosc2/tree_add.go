package main

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/seed03b80dae/blosc2/tree"
)

var errThere = errors.New("is there already; --force replaces it")

// add adds frames and tables to a store, with --force in place of what has the same
// keys.
func (c *treeCmd) add(e *env, g *gathered) (err error) {
	if filepath.Ext(c.Store) == ".b2e" {
		return about(c.Store, errors.New("a store in one frame cannot be changed; create makes another one"))
	}
	unlock, err := e.lock(c.Store)
	if err != nil {
		return about(c.Store, err)
	}
	defer func() { err = errors.Join(err, unlock()) }()
	verb := "added"
	var remove []string
	if c.Force {
		verb = "added or replaced"
		for _, item := range g.items {
			remove = append(remove, item.Key)
		}
		remove = append(remove, g.tables...)
		if err := c.replaceable(remove); err != nil {
			return err
		}
	}
	err = tree.UpdateLocked(c.Store, tree.Contents{Items: g.items, Tables: g.tables}, remove...)
	var there *fs.PathError
	if errors.Is(err, fs.ErrExist) && errors.As(err, &there) {
		return about(c.Store+":"+there.Path, errThere)
	}
	if err == nil {
		e.note("%s: %s %s", c.Store, count(int64(len(g.items)), "frame"), verb)
	}
	return about(c.Store, err)
}

// replaceable returns an error where a key is that of a group of the store, or below
// what is none.
func (c *treeCmd) replaceable(keys []string) error {
	s, err := tree.OpenFile(c.Store)
	if err != nil {
		return about(c.Store, err)
	}
	defer s.Close()
	for old := range s.Keys() {
		for _, key := range keys {
			if strings.HasPrefix(old, key+"/") {
				return about(c.Store+":"+key, errors.New("is a group of the store; --force replaces what is not a group"))
			}
			if strings.HasPrefix(key, old+"/") {
				return about(c.Store+":"+old, errors.New("is not a group, in which a key as "+key+" would be"))
			}
		}
	}
	return nil
}
