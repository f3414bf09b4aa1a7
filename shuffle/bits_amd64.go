//go:build !purego

package shuffle

// bitShuffleAsm processes the first of n items, and returns how many it has
// processed. First the bits of octets of items are transposed, which makes eight
// other items, one for each bit of a byte. Then all items for one bit, a tile of
// items at a time, are shuffled: their planes are rows eight apart.
func bitShuffleAsm(dst []byte, row int, src []byte, size, n int) int {
	n, cols, tile := octetTiles(size, row, n, 64<<10)
	if n == 0 {
		return 0
	}
	buf := tiles.Get().(*tileBytes)
	defer tiles.Put(buf)
	for i := 0; i < n; i += tile {
		t := min(n-i, tile)
		stride := t/8*cols + planeGap
		bitItems[current-vector][size](within(buf[:], stride, 8*size/cols, t/8*cols), stride, within(src[i*size:], size, t, size), t*size)
		for p := 0; p < size; p += cols {
			gatherItems(dst[8*p*row+i/8:], row, buf[8*p/cols*stride:], stride, cols, t/8)
		}
	}
	return n
}

// bitUnshuffleAsm undoes bitShuffleAsm.
func bitUnshuffleAsm(dst, src []byte, row, size, n int) int {
	n, cols, tile := octetTiles(size, row, n, 32<<10)
	if n == 0 {
		return 0
	}
	buf := tiles.Get().(*tileBytes)
	defer tiles.Put(buf)
	for i := 0; i < n; i += tile {
		t := min(n-i, tile)
		stride := t/8*cols + planeGap
		for p := 0; p < size; p += cols {
			scatterItems(buf[8*p/cols*stride:], stride, src[8*p*row+i/8:], row, cols, t/8)
		}
		bitOctets[current-vector][size](within(dst[i*size:], size, t, size), within(buf[:], stride, 8*size/cols, t/8*cols), stride, t*size)
	}
	return n
}

// octetTiles returns how many of n items bitShuffleAsm processes, how many bytes of
// each make the items for one bit, and how many items it processes at a time, of at
// most the given number of bytes.
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
	// Rows at a distance that is a multiple of a large power of two share a few
	// sets of the first-level cache, and consecutive lines use consecutive sets:
	// pieces of a row should be long enough to use many sets. For writing that
	// matters more than what no longer fits in that cache.
	for tile = 16 << 10 / size; tile < min(8192, most/size) && row%tile == 0; {
		tile *= 2
	}
	return n, cols, tile
}

// See planeKernels.
var planeTiers = []planeKernels{
	{wide, 512, bitItems1AVX512, bitOctets1AVX512},
	{vector, 256, bitItems1AVX2, bitOctets1AVX2},
}

// These are the kernels that convert items to items for bits, and their inverses,
// by the size of an item, for AVX2 and AVX-512.
var (
	bitItems = [...][17]func(dst *byte, stride int, src *byte, bytes int){
		{2: bitItems2AVX2, 4: bitItems4AVX2, 8: bitItems8AVX2, 16: bitItems16AVX2},
		{2: bitItems2AVX512, 4: bitItems4AVX512, 8: bitItems8AVX512, 16: bitItems16AVX512},
	}
	bitOctets = [...][17]func(dst, src *byte, stride, bytes int){
		{2: bitOctets2AVX2, 4: bitOctets4AVX2, 8: bitOctets8AVX2, 16: bitOctets16AVX2},
		{2: bitOctets2AVX512, 4: bitOctets4AVX512, 8: bitOctets8AVX512, 16: bitOctets16AVX512},
	}
)

// gatherItems shuffles n items for each of eight bits; scatterItems undoes it.
func gatherItems(dst []byte, row int, src []byte, stride, size, n int) {
	within(dst, row, 8*size, n)
	within(src, stride, 8, n*size)
	for k := range 8 {
		switch d, s := &dst[k*row], &src[k*stride]; {
		case current >= wide:
			gatherAVX512[size](d, 8*row, s, n, octetOrder)
		case size == 16:
			gatherTiles(dst[k*row:], 8*row, src[k*stride:], size, size, n)
		default:
			gatherAVX2[size](d, 8*row, s, n)
		}
	}
}

func scatterItems(dst []byte, stride int, src []byte, row, size, n int) {
	within(dst, stride, 8, n*size)
	within(src, row, 8*size, n)
	for k := range 8 {
		switch d, s := &dst[k*stride], &src[k*row]; {
		case current >= wide:
			scatterAVX512[size](d, s, 8*row, n, octetOrder)
		case size == 16:
			scatterTiles(dst[k*stride:], size, src[k*row:], 8*row, size, n)
		default:
			scatterAVX2[size](d, s, 8*row, n)
		}
	}
}
