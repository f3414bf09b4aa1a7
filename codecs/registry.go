package codecs

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/seed03b80dae/blosc2"
)

type entry struct {
	name string
	make func() Codec
}

var registry = struct {
	sync.RWMutex
	byID map[blosc2.CodecID]entry
}{byID: map[blosc2.CodecID]entry{}}

// Register registers a codec: chunks with its id are then decoded with the codec
// that factory returns, and writers accept it. Ids 160–255 are for private use; any
// other id may be registered only if the format assigns it to a codec that this
// package lacks, and under that codec's name (see blosc2.CodecID). Names have no
// comma, colon, space or control character. factory is called once to check that it
// returns a Codec of that id and name, and later for each goroutine that needs one.
//
// The error is a *blosc2.OptionError that names the fault; an id or name that
// is taken is never replaced. Register is safe for concurrent use, and usually
// called from an init function.
func Register(id blosc2.CodecID, name string, factory func() Codec) error {
	switch {
	case factory == nil:
		return &blosc2.OptionError{Option: "codec factory", Value: "nil", Range: "a function"}
	case name == "" || strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r == ',' || r == ':' || r == 0x7f }):
		return &blosc2.OptionError{Option: "codec name", Value: strconv.Quote(name), Range: "non-empty, without commas, colons, spaces or control characters"}
	case id < firstPrivate && !(id.Known() && name == id.String()):
		return &blosc2.OptionError{Option: "codec id", Value: fmt.Sprintf("%d for %q", id, name), Range: "160 to 255, or the number of that name in the format"}
	}
	switch c := factory(); {
	case c == nil:
		return &blosc2.OptionError{Option: "codec factory", Value: "returns nil", Range: "a function that returns a Codec"}
	case c.ID() != id || c.Name() != name:
		return &blosc2.OptionError{Option: "codec", Value: fmt.Sprintf("%d %q", c.ID(), c.Name()), Range: fmt.Sprintf("%d %q, as it is registered", id, name)}
	}
	return add(id, name, factory)
}

// firstPrivate is the lowest id for private use.
const firstPrivate = 160

// add registers a codec, unless the id or the name is taken.
func add(id blosc2.CodecID, name string, factory func() Codec) error {
	registry.Lock()
	defer registry.Unlock()
	for have, e := range registry.byID {
		if have == id || strings.EqualFold(e.name, name) {
			return &blosc2.OptionError{Option: "codec", Value: fmt.Sprintf("%d %q", id, name), Range: fmt.Sprintf("an unused id and name: %q with id %d is already registered", e.name, have)}
		}
	}
	registry.byID[id] = entry{name, factory}
	return nil
}

// New makes a codec for one goroutine. An id that is not registered returns
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
	c := e.make()
	if c == nil {
		return nil, &blosc2.OptionError{Option: "codec factory of " + e.name, Value: "returns nil", Range: "a function that returns a Codec"}
	}
	return c, nil
}

// Registered reports whether New(id) succeeds.
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
	return slices.Sorted(maps.Keys(registry.byID))
}
