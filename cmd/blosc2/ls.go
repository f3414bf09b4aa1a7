package main

import (
	"errors"
	"io"
	"strings"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/tree"
)

// lsCmd is "blosc2 ls".
type lsCmd struct {
	Long      bool
	Recursive bool
	JSON      bool
	Stores    []string
}

func (c *lsCmd) define(g *grammar) {
	g.BoolVarP(&c.Long, "long", "l", false, "Print a table with kinds, sizes, ratios and shapes.")
	g.BoolVarP(&c.Recursive, "recursive", "r", false, "Also list the contents of groups.")
	g.BoolVar(&c.JSON, "json", false, "Print a line of JSON for each node.")
	g.rest(&c.Stores, "STORE", "Stores (.b2z, .b2d, .b2e), or STORE:/GROUP.")
}

// Run lists the nodes of stores.
func (c *lsCmd) Run(e *env) error {
	if len(c.Stores) == 1 {
		return withName(c.Stores[0], c.list(e, c.Stores[0]))
	}
	return e.each(c.Stores, func(name string) error {
		if !c.JSON {
			if err := e.print(shown(name) + ":\n"); err != nil {
				return err
			}
		}
		return c.list(e, name)
	})
}

// notStore returns the error for a file that is not a store, but may be another kind
// of Blosc2 file.
func notStore(e *env, name string, err error) error {
	t, another := e.openTarget(name)
	if another != nil && isStore(name) {
		return err
	}
	if another != nil {
		return withName(name, errors.New("is not a store (.b2z, .b2d or .b2e)"))
	}
	defer t.Close()
	switch {
	case t.frame != nil && tree.KindOf(t.frame) == tree.KindEmbed: // the store has an unknown version
		return err
	case t.kind == kindArray:
		return withName(name, errors.New("is an array, not a store; info describes it, and cat prints it"))
	case t.kind == kindChunk:
		return withName(name, errors.New("is a chunk, not a store; info describes it"))
	}
	return withName(name, errors.New("is a frame, not a store; info describes it, and cat prints it"))
}

func (c *lsCmd) list(e *env, name string) error {
	file, key, ok := splitStore(name)
	if !ok {
		key = "/"
	}
	s, err := e.openStore(file)
	if errors.Is(err, blosc2.ErrUnsupported) || errors.Is(err, blosc2.ErrNotBlosc2) {
		return notStore(e, file, err)
	}
	if err != nil {
		return err
	}
	defer s.Close()
	if c.Long || c.JSON {
		return s.list(e, e.stdout, key, c.Recursive, c.JSON)
	}
	failed := false // some nodes could not be described
	var text strings.Builder
	err = s.below(key, c.Recursive, func(key string) error {
		text.WriteString(shown(key))
		if n, err := s.Node(key); err != nil {
			e.report(withName(s.name+":"+key, err))
			failed = true
		} else if n.Kind() == tree.KindGroup {
			text.WriteByte('/')
		}
		text.WriteByte('\n')
		return nil
	})
	if err != nil {
		return err
	}
	if _, err = io.WriteString(e.stdout, e.local(text.String())); err == nil && failed {
		err = errReported
	}
	return err
}
