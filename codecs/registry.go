package codecs

import (
	"fmt"
	"sort"
	"strings"
	"sync"

	"github.com/seed03b80dae/blosc2"
)

type entry struct {
	name string
	make func() Codec
}

var registry struct {
	sync.RWMutex
	byID map[blosc2.CodecID]entry
}

// Register makes a codec known: from then on chunks that name its id are
// decoded with what factory makes, and writers accept it. An id or name that
// is taken is an error. Ids 160–255 are for private use. Safe for concurrent
// use; usually called from an init function.
func Register(id blosc2.CodecID, name string, factory func() Codec) error {
	registry.Lock()
	defer registry.Unlock()
	if name == "" || factory == nil {
		return &blosc2.OptionError{Option: "codec name or factory", Value: name, Range: "given"}
	}
	for have, e := range registry.byID {
		if have == id || strings.EqualFold(e.name, name) {
			return fmt.Errorf("%w: codec %d %q: %q with id %d is registered already", blosc2.ErrOption, id, name, e.name, have)
		}
	}
	if registry.byID == nil {
		registry.byID = make(map[blosc2.CodecID]entry)
	}
	registry.byID[id] = entry{name, factory}
	return nil
}

// New makes a codec for one goroutine. An id that nobody registered is
// blosc2.ErrUnsupported; the error names the codec if its number is known.
func New(id blosc2.CodecID) (Codec, error) {
	registry.RLock()
	e, ok := registry.byID[id]
	registry.RUnlock()
	if !ok {
		if id.Known() {
			return nil, fmt.Errorf("%w: codec %d (%s)", blosc2.ErrUnsupported, id, id)
		}
		return nil, fmt.Errorf("%w: codec %d", blosc2.ErrUnsupported, id)
	}
	return e.make(), nil
}

// Registered tells whether New(id) succeeds.
func Registered(id blosc2.CodecID) bool {
	registry.RLock()
	defer registry.RUnlock()
	_, ok := registry.byID[id]
	return ok
}

// ByName finds a registered codec by its name, in any case.
func ByName(name string) (blosc2.CodecID, bool) {
	registry.RLock()
	defer registry.RUnlock()
	for id, e := range registry.byID {
		if strings.EqualFold(e.name, name) {
			return id, true
		}
	}
	return 0, false
}

// IDs lists the registered codecs in ascending order.
func IDs() []blosc2.CodecID {
	registry.RLock()
	defer registry.RUnlock()
	ids := make([]blosc2.CodecID, 0, len(registry.byID))
	for id := range registry.byID {
		ids = append(ids, id)
	}
	sort.Slice(ids, func(i, j int) bool { return ids[i] < ids[j] })
	return ids
}
