package zarr

import (
	"encoding/binary"
	"encoding/json"
	"iter"
	"strconv"
	"unicode/utf8"

	"github.com/seed03b80dae/blosc2/meta"
)

// fillText sets the fill value of strings.
func (m *Metadata) fillText(raw json.RawMessage) error {
	var text string
	if len(raw) > 0 && json.Unmarshal(raw, &text) != nil {
		return unsupported("fill value %s of strings", raw)
	}
	m.Fill = []byte(text)
	return nil
}

// measure sets the type of an array of strings to that of its longest string. It reads
// all chunks.
func (a *Array) measure() error {
	if !a.Strings {
		return nil
	}
	fill := string(a.Fill)
	most := max(1, utf8.RuneCountInString(fill))
	low, high := make([]int64, len(a.Shape)), make([]int64, len(a.Shape))
	some := true
	for d, n := range a.Unit() {
		high[d] = (a.Shape[d]+n-1)/n - 1
		some = some && high[d] >= 0
	}
	if some {
		err := each(low, high, func(at []int64) error {
			raw, err := a.stored(at)
			if err != nil || raw == nil {
				return err
			}
			if raw, err = undo(raw, a.Bytes, maxChunk); err != nil {
				return err
			}
			for s, err := range texts(raw, int(product(a.Unit()))) {
				if err != nil {
					return err
				}
				most = max(most, utf8.RuneCount(s))
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	var err error
	if a.DType, err = meta.ParseDType("<U" + strconv.Itoa(most)); err != nil {
		return err
	}
	a.Fill = putText(make([]byte, a.DType.Size), []byte(fill))
	return a.check()
}

// items decodes a chunk of n items.
func (a *Array) items(raw []byte, n int) ([]byte, error) {
	if !a.Strings {
		return decode(raw, a.Bytes, n*a.DType.Size)
	}
	raw, err := undo(raw, a.Bytes, maxChunk)
	if err != nil {
		return nil, err
	}
	out, at := make([]byte, n*a.DType.Size), 0
	for s, err := range texts(raw, n) {
		if err != nil {
			return nil, err
		}
		if utf8.RuneCount(s)*4 > a.DType.Size {
			return nil, corrupt("a string is longer than any when the array was opened; open it again")
		}
		putText(out[at:at+a.DType.Size], s)
		at += a.DType.Size
	}
	return out, nil
}

// texts yields the n strings in b, as encoded by the codec vlen-utf8: their number,
// and each string after its length.
func texts(b []byte, n int) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		u := binary.LittleEndian
		if len(b) < 4 || int64(u.Uint32(b)) != int64(n) {
			yield(nil, corrupt("chunk does not have the %d strings of its shape", n))
			return
		}
		b = b[4:]
		for range n {
			if len(b) < 4 || int64(u.Uint32(b)) > int64(len(b)-4) {
				yield(nil, corrupt("truncated chunk of strings"))
				return
			}
			s := b[4 : 4+u.Uint32(b)]
			if b = b[4+len(s):]; !utf8.Valid(s) {
				yield(nil, corrupt("a string is not valid UTF-8"))
				return
			}
			if !yield(s, nil) {
				return
			}
		}
	}
}

// putText stores a string of valid UTF-8 as UTF-32 in an item of zeros.
func putText(item, s []byte) []byte {
	at := 0
	for _, r := range string(s) {
		binary.LittleEndian.PutUint32(item[at:], uint32(r))
		at += 4
	}
	return item
}
