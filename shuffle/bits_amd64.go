//go:build !purego

package shuffle

// bitShuffleAsm does the first of n items, and tells how many these are. The
// bits of octets of items are transposed first, which makes other eight items of
// them, one for each bit of a byte. All of these that are for one bit, 8 KiB of
// items at a time, are then shuffled: their planes are rows eight apart.
func bitShuffleAsm(dst []byte, row int, src []byte, size, n int) int {
	n = octets(size, n)
	if n == 0 {
		return 0
	}
	buf := tiles.Get().(*tileBytes)
	defer tiles.Put(buf)
	tile := octetTile(size, row)
	for i := 0; i < n; i += tile {
		t := min(n-i, tile)
		stride := t/8*size + planeGap
		bitItems(within(buf[:], stride, 8, t/8*size), stride, within(src[i*size:], size, t, size), size, t*size)
		for k := range 8 {
			d, s := within(dst[k*row+i/8:], 8*row, size, t/8), &buf[k*stride]
			switch size {
			case 2:
				gather2AVX2(d, 8*row, s, t/8)
			case 4:
				gather4AVX2(d, 8*row, s, t/8)
			case 8:
				gather8AVX2(d, 8*row, s, t/8)
			case 16:
				gatherTiles(dst[k*row+i/8:], 8*row, buf[k*stride:], size, size, t/8)
			}
		}
	}
	return n
}

// bitUnshuffleAsm undoes bitShuffleAsm.
func bitUnshuffleAsm(dst, src []byte, row, size, n int) int {
	n = octets(size, n)
	if n == 0 {
		return 0
	}
	buf := tiles.Get().(*tileBytes)
	defer tiles.Put(buf)
	tile := octetTile(size, row)
	for i := 0; i < n; i += tile {
		t := min(n-i, tile)
		stride := t/8*size + planeGap
		for k := range 8 {
			d, s := &buf[k*stride], within(src[k*row+i/8:], 8*row, size, t/8)
			switch size {
			case 2:
				scatter2AVX2(d, s, 8*row, t/8)
			case 4:
				scatter4AVX2(d, s, 8*row, t/8)
			case 8:
				scatter8AVX2(d, s, 8*row, t/8)
			case 16:
				scatterTiles(buf[k*stride:], size, src[k*row+i/8:], 8*row, size, t/8)
			}
		}
		bitOctets(within(dst[i*size:], size, t, size), within(buf[:], stride, 8, t/8*size), stride, size, t*size)
	}
	return n
}

// octets is how many of n items bitShuffleAsm does.
func octets(size, n int) int {
	if current != vector || size != 2 && size != 4 && size != 8 && size != 16 {
		return 0
	}
	return n &^ 255
}

// octetTile is how many items are done at a time: more where rows compete, which
// are better written in longer pieces.
func octetTile(size, row int) int {
	if size == 8 && competing(row) || size == 16 && row%2048 == 0 {
		return 32 << 10 / size
	}
	return 16 << 10 / size
}

func bitRowsAsm(dst []byte, stride int, planes []byte, planeStride, n, count int) (done int) {
	if k := n &^ 511; current >= wide && k > 0 {
		bitRowsAVX512(within(dst, stride, 8*count, k/8), stride, within(planes, planeStride, count, k), planeStride, k, count)
		done = k
	}
	if k := (n - done) &^ 255; current >= vector && k > 0 {
		for j := range count {
			bitItems(within(dst[8*j*stride+done/8:], stride, 8, k/8), stride, within(planes[j*planeStride+done:], k, 1, k), 1, k)
		}
		done += k
	}
	return done
}

func bitBytesAsm(planes []byte, planeStride int, src []byte, stride, n, count int) (done int) {
	if k := n &^ 511; current >= wide && k > 0 {
		bitBytesAVX512(within(planes, planeStride, count, k), planeStride, within(src, stride, 8*count, k/8), stride, k, count)
		done = k
	}
	if k := (n - done) &^ 255; current >= vector && k > 0 {
		for j := range count {
			bitOctets(within(planes[j*planeStride+done:], k, 1, k), within(src[8*j*stride+done/8:], stride, 8, k/8), stride, 1, k)
		}
		done += k
	}
	return done
}

func bitItems(dst *byte, stride int, src *byte, size, bytes int) {
	switch size {
	case 1:
		bitItems1AVX2(dst, stride, src, bytes)
	case 2:
		bitItems2AVX2(dst, stride, src, bytes)
	case 4:
		bitItems4AVX2(dst, stride, src, bytes)
	case 8:
		bitItems8AVX2(dst, stride, src, bytes)
	case 16:
		bitItems16AVX2(dst, stride, src, bytes)
	}
}

func bitOctets(dst, src *byte, stride, size, bytes int) {
	switch size {
	case 1:
		bitOctets1AVX2(dst, src, stride, bytes)
	case 2:
		bitOctets2AVX2(dst, src, stride, bytes)
	case 4:
		bitOctets4AVX2(dst, src, stride, bytes)
	case 8:
		bitOctets8AVX2(dst, src, stride, bytes)
	case 16:
		bitOctets16AVX2(dst, src, stride, bytes)
	}
}
