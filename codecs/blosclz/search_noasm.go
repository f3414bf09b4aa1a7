//go:build purego || !amd64

package blosclz

func (t *table[P]) search(src []byte, i, limit, minFar int, deep bool, found []match) (n, next int) {
	return t.searchGeneric(src, i, limit, minFar, deep, found)
}

func (t *table[P]) write(dst []byte, op int, src []byte, anchor, i, limit int, deep bool, found []match) (n, next, written, literals int) {
	n, next = t.searchGeneric(src, i, limit, minFarLength, deep, found)
	return n, next, op, anchor
}
