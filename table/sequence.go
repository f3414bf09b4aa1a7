package table

import (
	"sort"
	"sync"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/tree"
)

// A sequence reads a column of variable length; item i belongs to place i.
type sequence struct {
	kind    Kind
	objects *tree.Objects // one item per chunk
	batches *tree.Batches
	starts  []int64 // first place of each batch, and the end of all

	mu   sync.Mutex
	last int // the last decoded batch, -1 for none
	kept []any
}

// openSequence opens the frame of a column of variable length.
func openSequence(t *Table, key string, kind Kind) (*sequence, error) {
	n, err := t.store.Node(key)
	if err != nil {
		return nil, missing(err)
	}
	q := &sequence{kind: kind, last: -1}
	switch n.Kind() {
	case tree.KindList:
		l, err := n.List()
		if err != nil {
			return nil, err
		}
		q.objects, q.batches = l.Sequence()
	case tree.KindBatches:
		q.batches, err = n.Batches()
	case tree.KindObjects:
		q.objects, err = n.Objects()
	default:
		err = corrupt("column %s of kind %s is stored as a %s", key, kind, n.Kind())
	}
	if err != nil || q.batches == nil {
		return q, err
	}
	lengths, err := q.batches.Lengths()
	if err != nil {
		return nil, err
	}
	q.starts = []int64{0}
	for i := range q.batches.Len() {
		var n int64
		if lengths != nil {
			n = lengths[i]
		} else if items, err := q.batches.Batch(i); err != nil {
			return nil, err
		} else {
			n = int64(len(items))
		}
		if n > maxPlaces {
			return nil, corrupt("column %s: batch of %d items; must be at most %d", key, n, int64(maxPlaces))
		}
		q.starts = append(q.starts, q.starts[i]+n)
	}
	return q, nil
}

// len returns the number of places.
func (q *sequence) len() int64 {
	if q.objects != nil {
		return q.objects.Len()
	}
	return q.starts[len(q.starts)-1]
}

// item returns the item of a place.
func (q *sequence) item(place int64) (any, error) {
	if q.objects != nil {
		return q.objects.Item(place)
	}
	i := sort.Search(len(q.starts), func(i int) bool { return q.starts[i] > place }) - 1
	if i != q.last {
		items, err := q.batches.Batch(int64(i))
		if err != nil {
			return nil, err
		}
		if want := q.starts[i+1] - q.starts[i]; int64(len(items)) != want {
			return nil, corrupt("batch %d has %d items, but its length is listed as %d", i, len(items), want)
		}
		q.last, q.kept = i, items
	}
	return q.kept[place-q.starts[i]], nil
}

// load reads the rows of a span.
func (q *sequence) load(c *Column, s span, n int64) (batch, error) {
	if s.to > q.len() {
		return batch{}, corrupt("column %q has %d positions, but the table has a row at %d", c.spec.Name, q.len(), s.to-1)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	out := make([]any, 0, min(n, stepRows))
	var valid []bool
	for at := s.from; at < s.to; at++ {
		if !c.t.live.is(at) {
			continue
		}
		v, err := q.item(at)
		if err != nil {
			return batch{}, err
		}
		if v == nil && valid == nil {
			valid = make([]bool, len(out), cap(out))
			for i := range valid {
				valid[i] = true
			}
		}
		if valid != nil {
			valid = append(valid, v != nil)
		}
		out = append(out, v)
	}
	values, err := q.typed(c, out)
	return batch{s.row, values, valid}, err
}

// typed converts the values to the Go type of the kind.
func (q *sequence) typed(c *Column, items []any) (any, error) {
	switch q.kind {
	case VLString:
		return as[string](c, items)
	case VLBytes:
		return as[[]byte](c, items)
	}
	return items, nil
}

func as[T any](c *Column, items []any) ([]T, error) {
	out := make([]T, len(items))
	for i, v := range items {
		var ok bool
		if out[i], ok = v.(T); !ok && v != nil {
			return nil, corrupt("column %q of kind %s holds a %T", c.spec.Name, c.spec.Kind, v)
		}
	}
	return out, nil
}

// maxWords limits the words of a dictionary.
const maxWords = 1 << 24

// readWords reads the words of a dictionary.
func readWords(t *Table, key string) ([]string, error) {
	q, err := openSequence(t, key, VLString)
	if err != nil {
		return nil, err
	}
	if q.len() > maxWords {
		return nil, blosc2.Errorf(blosc2.PartMeta, blosc2.ErrTooLarge, "dictionary of %d words; at most %d can be read", q.len(), maxWords)
	}
	var words []string
	for i := range q.len() {
		v, err := q.item(i)
		if err != nil {
			return nil, err
		}
		s, ok := v.(string)
		if !ok {
			return nil, corrupt("%s: word %d is of type %T, not a string", key, i, v)
		}
		words = append(words, s)
	}
	return words, nil
}
