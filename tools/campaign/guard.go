package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// A guarded is memory between two inaccessible pages.
type guarded struct{ memory []byte }

func (g *guarded) allocate(n int) error {
	page := os.Getpagesize()
	n = (n + page - 1) / page * page
	m, err := unix.Mmap(-1, 0, n+2*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return err
	}
	for _, guard := range [][]byte{m[:page], m[n+page:]} {
		if err := unix.Mprotect(guard, unix.PROT_NONE); err != nil {
			return err
		}
	}
	g.memory = m[page : n+page : n+page]
	return nil
}

// bytes returns n zero bytes that end at the upper page.
func (g *guarded) bytes(n int) []byte {
	b := g.memory[len(g.memory)-n:]
	clear(b)
	return b
}

// end returns a copy of b that ends at the upper page.
func (g *guarded) end(b []byte) []byte {
	to := g.memory[len(g.memory)-len(b):]
	copy(to, b)
	return to
}
