package filters

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/seed03b80dae/blosc2"
)

// The registry is read for every block, by all workers: without a lock.
var registry struct {
	sync.Mutex // of those who register
	known      [256]atomic.Pointer[Filter]
}

// Register makes a filter known: from then on chunks that name its id are
// decoded with it, and writers accept it. An id or name that is taken, and id
// 0, which marks an empty slot, are errors. Ids 160–255 are for private use.
// Safe for concurrent use; usually called from an init function.
func Register(f Filter) error {
	registry.Lock()
	defer registry.Unlock()
	id, name := f.ID(), f.Name()
	if id == blosc2.FilterNone || name == "" || strings.ContainsAny(name, ",: ") {
		return &blosc2.OptionError{Option: "filter", Value: fmt.Sprintf("%d %q", id, name), Range: "an id above 0 and a name without comma, colon and space"}
	}
	for _, have := range All() {
		if have.ID() == id || strings.EqualFold(have.Name(), name) {
			return fmt.Errorf("%w: filter %d %q: %q with id %d is registered already", blosc2.ErrOption, id, name, have.Name(), have.ID())
		}
	}
	registry.known[id].Store(&f)
	return nil
}

// ByID finds a registered filter. An id that nobody registered is
// blosc2.ErrUnsupported; the error names the filter if its number is known.
func ByID(id blosc2.FilterID) (Filter, error) {
	if f := registry.known[id].Load(); f != nil {
		return *f, nil
	}
	if name := id.String(); !strings.HasPrefix(name, "filter ") {
		return nil, fmt.Errorf("%w: filter %d (%s)", blosc2.ErrUnsupported, id, name)
	}
	return nil, fmt.Errorf("%w: filter %d", blosc2.ErrUnsupported, id)
}

// ByName finds a registered filter by its name, in any case.
func ByName(name string) (Filter, bool) {
	for _, f := range All() {
		if strings.EqualFold(f.Name(), name) {
			return f, true
		}
	}
	return nil, false
}

// All lists the registered filters by ascending id.
func All() []Filter {
	var all []Filter
	for i := range registry.known {
		if f := registry.known[i].Load(); f != nil {
			all = append(all, *f)
		}
	}
	return all
}
