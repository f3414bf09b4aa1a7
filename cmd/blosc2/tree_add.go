package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed03b80dae/blosc2/tree"
)

// add adds frames to a store. With --force they replace those of the same keys, for
// which the store is written anew.
func (c *treeCmd) add(e *env, g *gathered) (err error) {
	if filepath.Ext(c.Store) != ".b2z" || g.tables != nil {
		return misusef("add: arrays and frames can be added to a .b2z store alone")
	}
	unlock, err := e.lock(c.Store)
	if err != nil {
		return about(c.Store, err)
	}
	defer func() { err = errors.Join(err, unlock()) }()
	verb := "added"
	err = c.appendTo(g.items)
	var there *fs.PathError
	if errors.Is(err, fs.ErrExist) && errors.As(err, &there) {
		if !c.Force {
			return about(c.Store+":"+there.Path, errThere)
		}
		verb = "added or replaced"
		err = c.replace(g.items)
	}
	if err == nil {
		e.note("%s: %s %s", c.Store, count(int64(len(g.items)), "frame"), verb)
	}
	return about(c.Store, err)
}

var errThere = errors.New("is there already; --force replaces it")

// appendTo adds items to the store, whose lock is held, without writing it anew.
func (c *treeCmd) appendTo(items []tree.Item) (err error) {
	f, err := os.OpenFile(c.Store, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	return tree.Append(f, info.Size(), items...)
}

// replace writes the store anew, with items in place of those of the same keys.
func (c *treeCmd) replace(items []tree.Item) error {
	s, err := tree.OpenFile(c.Store)
	if err != nil {
		return err
	}
	defer s.Close()
	for key := range s.RawKeys() {
		if n, err := s.Node(key); err != nil || n.Kind() == tree.KindRemote {
			return about(c.Store+":"+key, errors.Join(err, errors.New("is a reference to an array elsewhere, which is lost where a member is replaced")))
		}
	}
	old, err := s.Copy()
	if err != nil {
		return err
	}
	isNew := map[string]bool{}
	for _, it := range items {
		isNew[it.Key] = true
	}
	for _, o := range old {
		for _, it := range items {
			if strings.HasPrefix(o.Key, it.Key+"/") {
				return about(c.Store+":"+it.Key, errors.New("is a group of the store; --force replaces what is not a group"))
			}
			if strings.HasPrefix(it.Key, o.Key+"/") {
				return about(c.Store+":"+o.Key, errors.New("is not a group, in which a key as "+it.Key+" would be"))
			}
		}
	}
	old = slices.DeleteFunc(old, func(o tree.Item) bool { return isNew[o.Key] })
	return tree.WriteFile(c.Store, tree.Contents{Items: append(old, items...), Tables: s.Tables(), Dict: !s.IsTree()})
}
