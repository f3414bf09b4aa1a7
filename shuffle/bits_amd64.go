//go:build !purego

package shuffle

// shuffleBitsAsm processes the first of n items, and returns how many it has processed.
// First the bits of octets of items are transposed, which makes eight other items, one
// for each bit of a byte. Then all items for the same bit are shuffled, a tile of items
// at a time. Their planes are rows eight apart.
func (d *direction) shuffleBitsAsm(rows []byte, row int, items []byte, size, n int) int {
	n, cols, tile := octetTiles(size, row, n, d.bitTile)
	if n == 0 {
		return 0
	}
	buf := tiles.Get().(*tileBytes)
	defer tiles.Put(buf)
	for i := 0; i < n; i += tile {
		t := min(n-i, tile)
		stride := t/8*cols + planeGap
		if d == &toPlanes {
			d.octetBits(buf, stride, items[i*size:], size, cols, t)
		}
		for p := 0; p < size; p += cols {
			d.bitItems(rows[8*p*row+i/8:], row, buf[8*p/cols*stride:], stride, cols, t/8)
		}
		if d == &toItems {
			d.octetBits(buf, stride, items[i*size:], size, cols, t)
		}
	}
	return n
}

// octetTiles returns three numbers: how many of n items shuffleBitsAsm processes, how
// many bytes of each item are made into the items for one bit, and how many items it
// processes at a time. The items processed at a time have at most the given number of
// bytes.
func octetTiles(size, row, n, most int) (done, cols, tile int) {
	if size != 2 && size != 4 && size != 8 && size != 16 {
		return 0, 0, 0
	}
	switch {
	case current >= wide:
		n, cols = n&^511, min(size, 8)
	case current == vector:
		n, cols = n&^255, size
	default:
		n = 0
	}
	// Rows at a distance that is a multiple of a large power of two share a few sets of
	// the first-level cache. Consecutive lines use consecutive sets, so the pieces of a
	// row should be long enough to use many sets. When rows are written, that matters
	// more than whether the data still fit in that cache.
	for tile = 16 << 10 / size; tile < min(8192, most/size) && row%tile == 0; {
		tile *= 2
	}
	return n, cols, tile
}

// octetBits transposes the bits of each octet of n items.
func (d *direction) octetBits(buf *tileBytes, stride int, items []byte, size, cols, n int) {
	d.octets[current-vector][size](within(buf[:], stride, 8*size/cols, n/8*cols), stride, within(items, size, n, size), n*size)
}

// bitItems shuffles the n items for each of the eight bits.
func (d *direction) bitItems(rows []byte, row int, items []byte, stride, size, n int) {
	within(rows, row, 8*size, n)
	within(items, stride, 8, n*size)
	switch {
	case current >= wide:
		kernel := d.wide[size]
		for k := range 8 {
			kernel(&rows[k*row], 8*row, &items[k*stride], n, octetOrder)
		}
	case size == 16:
		for k := range 8 {
			d.columns(rows[k*row:], 8*row, items[k*stride:], size, size, n)
		}
	default:
		kernel := d.words[size]
		for k := range 8 {
			kernel(&rows[k*row], 8*row, &items[k*stride], n)
		}
	}
}
