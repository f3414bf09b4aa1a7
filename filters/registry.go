package filters

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/seed03b80dae/blosc2"
)

var registry struct {
	sync.RWMutex
	known [256]Filter
}

// Register makes a filter known: from then on chunks that name its id are
// decoded with it, and writers accept it. An id or name that is taken, and id
// 0, which marks an empty slot, are errors. Ids 160–255 are for private use.
// Safe for concurrent use; usually called from an init function.
func Register(f Filter) error {
	registry.Lock()
	defer registry.Unlock()
	id, name := f.ID(), f.Name()
	if id == blosc2.FilterNone || name == "" || strings.ContainsAny(name, ",:") {
		return &blosc2.OptionError{Option: "filter", Value: fmt.Sprintf("%d %q", id, name), Range: "an id above 0 and a name without comma and colon"}
	}
	for _, have := range registry.known {
		if have != nil && (have.ID() == id || strings.EqualFold(have.Name(), name)) {
			return fmt.Errorf("%w: filter %d %q: %q with id %d is registered already", blosc2.ErrOption, id, name, have.Name(), have.ID())
		}
	}
	registry.known[id] = f
	return nil
}

// ByID finds a registered filter. An id that nobody registered is
// blosc2.ErrUnsupported; the error names the filter if its number is known.
func ByID(id blosc2.FilterID) (Filter, error) {
	registry.RLock()
	f := registry.known[id]
	registry.RUnlock()
	if f != nil {
		return f, nil
	}
	if name := id.String(); !strings.HasPrefix(name, "filter ") {
		return nil, fmt.Errorf("%w: filter %d (%s)", blosc2.ErrUnsupported, id, name)
	}
	return nil, fmt.Errorf("%w: filter %d", blosc2.ErrUnsupported, id)
}

// ByName finds a registered filter by its name, in any case.
func ByName(name string) (Filter, bool) {
	registry.RLock()
	defer registry.RUnlock()
	i := slices.IndexFunc(registry.known[:], func(f Filter) bool {
		return f != nil && strings.EqualFold(f.Name(), name)
	})
	if i < 0 {
		return nil, false
	}
	return registry.known[i], true
}

// IDs lists the registered filters in ascending order.
func IDs() []blosc2.FilterID {
	registry.RLock()
	defer registry.RUnlock()
	var ids []blosc2.FilterID
	for id, f := range registry.known {
		if f != nil {
			ids = append(ids, blosc2.FilterID(id))
		}
	}
	return ids
}
