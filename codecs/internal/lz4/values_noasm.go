//go:build purego || !amd64

package lz4

import "github.com/seed03b80dae/blosc2/codecs/internal/lz77"

func (c *cover) put(dst, src []byte, repeats []lz77.Repeat, from, end int) (ok bool) {
	return c.putGeneric(dst, src, repeats, from, end)
}
