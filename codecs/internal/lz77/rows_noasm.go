//go:build purego || !amd64

package lz77

func seekRows(r *rows, src []byte, ip, anchor, limit, to int) bool {
	return r.seekGeneric(src, ip, anchor, limit, to)
}

func searchRows(r *rows, src []byte, ip, to int) { r.searchGeneric(src, ip, to) }
