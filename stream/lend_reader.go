package stream

import "github.com/seed03b80dae/blosc2"

// lend returns memory for a stored chunk of known size.
func (d *decoder) lend(n int) []byte {
	giveBack(d.lent)
	d.lent = borrow(n)
	return d.lent
}

// rest releases the memory of the last chunk, which was read completely.
func (d *decoder) rest() {
	giveBack(d.lent)
	giveBack(d.single.out)
	d.lent, d.single = nil, piece{}
}

// decodeLent decodes the chunk in p with borrowed memory, directly into into if
// there is room.
func (d *decoder) decodeLent(p *piece, into []byte) (direct bool, err error) {
	it := &p.item
	if err := it.Verify(); err != nil {
		return false, blosc2.At(err, it.N, it.Offset)
	}
	w := lentWorkers.Get().(*worker)
	w.limits = d.cfg.limits
	if direct = it.Skip == 0 && it.NBytes <= len(into); direct {
		p.data, err = w.decode(into[:0:len(into)], it)
	} else {
		p.out = borrow(it.NBytes)
		if _, err = w.decode(p.out, it); err == nil {
			p.data = p.out[it.Skip:it.NBytes]
		}
	}
	lentWorkers.Put(w) // not deferred, so that a worker is not reused after a panic
	return direct, blosc2.At(err, it.N, it.Offset)
}
