package filters

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/seed03b80dae/blosc2"
)

// The registry is read without a lock, because all workers read it for every block.
var registry struct {
	sync.Mutex // Register holds it
	known      [256]atomic.Pointer[Filter]
}

// Register registers a filter. Chunks with its id are then decoded with it, and writers
// accept it. Ids 160–255 are for private use. Any other id may be registered only if the
// format assigns it to a filter that this package lacks, and under that filter's name
// (see blosc2.FilterID). Names must not contain a comma, colon, space or control
// character.
//
// An invalid filter returns a *blosc2.OptionError. A registered id or name is never
// replaced. Register is safe for concurrent use, and usually called from an init
// function.
func Register(f Filter) error {
	if f == nil {
		return &blosc2.OptionError{Option: "filter", Value: "nil", Range: "a Filter"}
	}
	id, name := f.ID(), f.Name()
	switch {
	case name == "" || strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r == ',' || r == ':' || r == 0x7f }):
		return &blosc2.OptionError{Option: "filter name", Value: strconv.Quote(name), Range: "non-empty, without commas, colons, spaces or control characters"}
	case id < firstPrivate && (id == blosc2.FilterNone || name != id.String()):
		return &blosc2.OptionError{Option: "filter id", Value: fmt.Sprintf("%d for %q", id, name), Range: "160 to 255, or the number of that name in the format"}
	}
	registry.Lock()
	defer registry.Unlock()
	for _, have := range All() {
		if have.ID() == id || strings.EqualFold(have.Name(), name) {
			return &blosc2.OptionError{Option: "filter", Value: fmt.Sprintf("%d %q", id, name), Range: fmt.Sprintf("an unused id and name: %q with id %d is already registered", have.Name(), have.ID())}
		}
	}
	registry.known[id].Store(&f)
	return nil
}

// firstPrivate is the lowest id for private use.
const firstPrivate = 160

// ByID returns the registered filter with the given id. If there is none the error wraps
// blosc2.ErrUnsupported, and names the filter if the format assigns the id.
func ByID(id blosc2.FilterID) (Filter, error) {
	if f := registry.known[id].Load(); f != nil {
		return *f, nil
	}
	if name := id.String(); !strings.HasPrefix(name, "filter ") {
		return nil, fmt.Errorf("%w: filter %d (%s)", blosc2.ErrUnsupported, id, name)
	}
	return nil, fmt.Errorf("%w: filter %d", blosc2.ErrUnsupported, id)
}

// errUnregistered returns the error for a filter that is an option and not registered. It
// names the filter if the format assigns the id.
func errUnregistered(id blosc2.FilterID) error {
	value := strconv.Itoa(int(id))
	if name := id.String(); !strings.HasPrefix(name, "filter ") {
		value += " (" + name + ")"
	}
	return &blosc2.OptionError{Option: "filter", Value: value, Range: "registered", Err: blosc2.ErrUnsupported}
}

// ByName returns the registered filter with the given name, in any case.
func ByName(name string) (Filter, bool) {
	for _, f := range All() {
		if strings.EqualFold(f.Name(), name) {
			return f, true
		}
	}
	return nil, false
}

// All returns the registered filters in ascending order of id.
func All() []Filter {
	var all []Filter
	for i := range registry.known {
		if f := registry.known[i].Load(); f != nil {
			all = append(all, *f)
		}
	}
	return all
}
