package filters

import (
	"strconv"
	"strings"

	"github.com/seed03b80dae/blosc2"
)

// Parse parses a pipeline as written on the command line: up to six filters separated by
// commas, in the order in which they are applied when encoding. Each is NAME or
// NAME:META, or has a number in place of the name. META is between -128 and 255. "none"
// leaves a slot empty, and has no META. The last filter takes the last slot. "" is the
// empty pipeline. The filters must be registered. An invalid s returns a
// *blosc2.OptionError.
func Parse(s string) (Pipeline, error) {
	var p Pipeline
	if s == "" {
		return p, nil
	}
	items := strings.Split(s, ",")
	if len(items) > Slots {
		return p, &blosc2.OptionError{Option: "filters", Value: s, Range: "at most six"}
	}
	for i, item := range items {
		name, meta, hasMeta := strings.Cut(strings.TrimSpace(item), ":")
		slot := i
		if i == len(items)-1 {
			slot = Slots - 1
		}
		id, err := parseName(name)
		if err != nil {
			return Pipeline{}, err
		}
		p.IDs[slot] = id
		if hasMeta {
			m, err := strconv.Atoi(meta)
			if id == blosc2.FilterNone {
				return Pipeline{}, &blosc2.OptionError{Option: "meta of filter " + name, Value: strconv.Quote(meta), Range: "absent"}
			}
			if err != nil || m < -128 || m > 255 {
				return Pipeline{}, &blosc2.OptionError{Option: "meta of filter " + name, Value: strconv.Quote(meta), Range: "-128 to 255"}
			}
			p.Metas[slot] = uint8(m)
		}
	}
	return p, nil
}

func parseName(name string) (blosc2.FilterID, error) {
	if strings.EqualFold(name, blosc2.FilterNone.String()) {
		return blosc2.FilterNone, nil
	}
	if f, ok := ByName(name); ok {
		return f.ID(), nil
	}
	if n, err := strconv.ParseUint(name, 10, 8); err == nil {
		id := blosc2.FilterID(n)
		if id == blosc2.FilterNone {
			return id, nil
		}
		if _, err := ByID(id); err != nil {
			return id, errUnregistered(id)
		}
		return id, nil
	}
	var names []string
	for _, f := range All() {
		names = append(names, f.Name())
	}
	return 0, &blosc2.OptionError{Option: "filter", Value: strconv.Quote(name), Range: "one of none, " + strings.Join(names, ", ")}
}

// String returns the pipeline in the form that Parse reads.
func (p Pipeline) String() string {
	var items []string
	for i := range Slots - 1 {
		if p.IDs[i] != blosc2.FilterNone {
			for len(items) < i {
				items = append(items, blosc2.FilterNone.String())
			}
			items = append(items, p.slotString(i))
		}
	}
	return strings.Join(append(items, p.slotString(Slots-1)), ",")
}

func (p Pipeline) slotString(i int) string {
	name := strconv.Itoa(int(p.IDs[i]))
	if p.IDs[i] == blosc2.FilterNone {
		name = blosc2.FilterNone.String()
	} else if f, err := ByID(p.IDs[i]); err == nil {
		name = f.Name()
	}
	if p.Metas[i] != 0 {
		name += ":" + strconv.Itoa(int(p.Metas[i]))
	}
	return name
}
