package items

// Direct reports whether values have the layout of stored items, except for the
// byte order, which Turn changes.
func (p *Plan) Direct() bool { return p.direct }

// Plain reports whether values and stored items are identical.
func (p *Plan) Plain() bool { return p.direct && p.ops[0].unit == 0 }

// Turn reverses the byte order of items of a direct plan in place.
func (p *Plan) Turn(b []byte) {
	if p.ops[0].unit > 0 {
		swap(b, p.ops[0].unit)
	}
}

// MemSize and ItemSize return the bytes of one value and of one stored item.
func (p *Plan) MemSize() int  { return p.mem }
func (p *Plan) ItemSize() int { return p.item }

// Load converts stored items to values: as many as mem has room for.
func (p *Plan) Load(mem, items []byte) {
	n := len(mem) / p.mem
	for i := range p.ops {
		p.ops[i].move(mem, items, 0, 0, n, p.mem, p.item, false)
	}
}

// Store makes stored items of all values in mem.
func (p *Plan) Store(items, mem []byte) {
	n := len(mem) / p.mem
	if p.gaps {
		clear(items[:n*p.item])
	}
	for i := range p.ops {
		p.ops[i].move(mem, items, 0, 0, n, p.mem, p.item, true)
	}
}

// move performs the op for n values; the first is at m in memory and at s in the
// stored form.
func (o *op) move(mem, items []byte, m, s, n, memStep, itemStep int, store bool) {
	m, s = m+o.mem, s+o.item
	if o.sub != nil {
		for k := range o.count {
			for i := range o.sub {
				o.sub[i].move(mem, items, m+k*o.memStep, s+k*o.itemStep, n, memStep, itemStep, store)
			}
		}
		return
	}
	dst, src, do, so, dstStep, srcStep := mem, items, m, s, memStep, itemStep
	if store {
		dst, src, do, so, dstStep, srcStep = items, mem, s, m, itemStep, memStep
	}
	if o.n == 8 && o.unit == 0 && !o.bool { // the case of most fields of most records
		for range n {
			*(*[8]byte)(dst[do:]) = *(*[8]byte)(src[so:])
			do, so = do+dstStep, so+srcStep
		}
		return
	}
	for range n {
		to := dst[do : do+o.n]
		copy(to, src[so:])
		if o.unit > 0 {
			swap(to, o.unit)
		}
		if o.bool && !store {
			for i, v := range to {
				if v > 1 {
					to[i] = 1
				}
			}
		}
		do, so = do+dstStep, so+srcStep
	}
}
