package zfp

// An integer is the type to which the numbers of a cell are converted. It has as many
// bits as a number.
type integer interface{ int32 | int64 }

// forward decorrelates the integers of a cell along each dimension.
func forward[T integer](p []T) {
	for stride := 1; stride < len(p); stride *= cellSide {
		for i := 0; i < len(p); i += cellSide * stride {
			for j := range stride {
				lift(p[i+j:], stride)
			}
		}
	}
}

// backward undoes forward, except for the last bits, which are lost.
func backward[T integer](p []T) {
	for stride := len(p) / cellSide; stride > 0; stride /= cellSide {
		for i := 0; i < len(p); i += cellSide * stride {
			for j := range stride {
				unlift(p[i+j:], stride)
			}
		}
	}
}

// lift transforms four integers by
//
//	     ( 4  4  4  4)
//	1/16 ( 5  1 -1 -5)
//	     (-4  4  4 -4)
//	     (-2  6 -6  2)
//
// in steps that lose at most the last bit each.
func lift[T integer](p []T, s int) {
	x, y, z, w := p[0], p[s], p[2*s], p[3*s]
	x = (x + w) >> 1
	w -= x
	z = (z + y) >> 1
	y -= z
	x = (x + z) >> 1
	z -= x
	w = (w + y) >> 1
	y -= w
	w += y >> 1
	y -= w >> 1
	p[0], p[s], p[2*s], p[3*s] = x, y, z, w
}

// unlift undoes the steps of lift in reverse order. Sums may overflow if the stream
// is invalid; they wrap around, as in zfp.
func unlift[T integer](p []T, s int) {
	x, y, z, w := p[0], p[s], p[2*s], p[3*s]
	y += w >> 1
	w -= y >> 1
	y += w
	w = w<<1 - y
	z += x
	x = x<<1 - z
	y += z
	z = z<<1 - y
	w += x
	x = x<<1 - w
	p[0], p[s], p[2*s], p[3*s] = x, y, z, w
}
