package lz77

import "github.com/seed03b80dae/blosc2/codecs/internal/mem"

// fast is the search of zstd's lowest levels: one candidate a position, of at
// least MinLength bytes, and larger steps the longer nothing is found.
func fast[P position](f *Finder, c *chains[P], src []byte, from, to int) {
	least := min(max(c.effort.MinLength, MinMatch), 8)
	ignored := uint(64-8*least) & 63 // bits of a word that need not be equal
	hash := func(w uint64) uint64 { return w << ignored * 0x9e3779b185ebca87 >> ((64 - c.bits) & 63) }
	table := c.head
	f.seqs = f.seqs[:0]
	limit := to - tail - 1
	anchor, ip := from, max(from, 1)
	r0, r1 := f.rep[0], f.rep[1]
	for ip < limit {
		w := mem.Load64(src, ip)
		h := hash(w)
		ref := int(table[h])
		table[h] = P(ip)
		start, off, length := ip, 0, 0
		if r0 > 0 && r0 <= ip && mem.Load32(src, ip+1-r0) == uint32(w>>8) {
			start = ip + 1
			off = 1
			length = 4 + commonPrefix(src, ip+5, ip+5-r0, to)
		} else if (mem.Load64(src, ref)^w)<<ignored == 0 && ref < ip {
			d := ip - ref
			off = d + RepeatCodes
			length = least + commonPrefix(src, ip+least, ref+least, to)
			for start > anchor && start > d && src[start-1] == src[start-1-d] {
				start--
				length++
			}
			r0, r1 = d, r0
		} else {
			ip += 1 + (ip-anchor)>>7
			continue
		}
		f.seqs = append(f.seqs, Seq{uint32(start - anchor), uint32(length), uint32(off)})
		after := ip + 2
		ip = start + length
		anchor = ip
		if ip >= limit {
			break
		}
		table[hash(mem.Load64(src, after))] = P(after)
		table[hash(mem.Load64(src, ip-2))] = P(ip - 2)
		for r1 > 0 && r1 <= ip && ip < limit && mem.Load32(src, ip) == mem.Load32(src, ip-r1) {
			length := 4 + commonPrefix(src, ip+4, ip+4-r1, to)
			r0, r1 = r1, r0
			table[hash(mem.Load64(src, ip))] = P(ip)
			f.seqs = append(f.seqs, Seq{0, uint32(length), 1})
			ip += length
			anchor = ip
		}
	}
	f.rep = [2]int{r0, r1}
}
