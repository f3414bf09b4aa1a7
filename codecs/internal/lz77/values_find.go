package lz77

// valueSearch is what a Finder has to look for whole values.
type valueSearch struct {
	values *Values[uint32]
	whole  bool // the input is one of values that repeat
}

// valuesWindow is the largest distance in words that a Repeat has room for.
const valuesWindow = 1<<30 - 1

// valuesLeast is the length of the shortest input that is worth the tables.
const valuesLeast = (2*LeastWords + 2) * ValueSize

// valueTables gives the sizes of the tables for an input of n bytes: a place
// for every eighth word, which stand for more, and for each pair, as far as the
// second-level cache goes.
func valueTables(n int) (oneBits, twoBits uint) {
	return 14, 17
}

// findValues is Find for whole values. It gives false where src is no such
// data, or has turned out to be none.
func (f *Finder) findValues(src []byte, from, to int) bool {
	if from == 0 {
		if f.whole = len(src) >= valuesLeast; !f.whole {
			return false
		}
		if f.values == nil {
			f.values = new(Values[uint32])
		}
		oneBits, twoBits := valueTables(len(src))
		f.values.Reset(len(src)/ValueSize-2, oneBits, twoBits)
	}
	if !f.whole {
		return false
	}
	v := f.values
	f.seqs = f.seqs[:0]
	begin := (from + ValueSize - 1) / ValueSize
	end := min(to/ValueSize, len(src)/ValueSize-2)
	anchor := from // in bytes, as all of a Seq
	r0, r1 := f.rep[0], f.rep[1]
	unlike := 0
	i := begin
	for base := begin; base < end; base += len(v.Repeats) {
		stop := min(base+len(v.Repeats), end)
		repeats := v.Repeats[:stop-base]
		v.Scan(repeats, src, base, valuesWindow)
		if f.whole = v.Suits(src, base, repeats); !f.whole {
			return false
		}
		for i < stop {
			r := int(repeats[i-base])
			if r == 0 {
				unlike++
				i++
				continue
			}
			d := r >> 2
			n := Length(src, i, d, r&3, end)
			literals, length := i*ValueSize-anchor, n*ValueSize
			if literals >= ValueSize {
				more := Backward(src, i, d)
				literals -= more
				length += more
			}
			i += n
			anchor = i * ValueSize
			d *= ValueSize
			off := d + RepeatCodes
			switch {
			case d == r0 && literals > 0:
				off = 1
			case d == r1 && literals == 0:
				off = 1
				r0, r1 = r1, r0
			default:
				r0, r1 = d, r0
			}
			f.seqs = append(f.seqs, Seq{uint32(literals), uint32(length), uint32(off)})
		}
	}
	f.rep = [2]int{r0, r1}
	f.whole = 3*unlike <= end-begin
	return true
}
