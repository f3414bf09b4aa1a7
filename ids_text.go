package blosc2

import (
	"log/slog"
	"slices"
	"strconv"
	"strings"
)

// MarshalText returns the codec's name, or its number if it has none.
func (c CodecID) MarshalText() ([]byte, error) { return marshalID(codecNames, c), nil }

// UnmarshalText reads a codec's name, in any case, or its number. Any other
// text returns an *OptionError that lists the names. It does not check whether
// the codec is available: see package codecs.
func (c *CodecID) UnmarshalText(text []byte) error {
	return unmarshalID("codec", codecNames, text, c)
}

// LogValue returns what String does, for package slog.
func (c CodecID) LogValue() slog.Value { return slog.StringValue(c.String()) }

// MarshalText returns the filter's name, or its number if it has none.
func (f FilterID) MarshalText() ([]byte, error) { return marshalID(filterNames, f), nil }

// UnmarshalText reads a filter's name, in any case, or its number. Any other
// text returns an *OptionError that lists the names. It does not check whether
// the filter is available: see package filters, which also reads pipelines.
func (f *FilterID) UnmarshalText(text []byte) error {
	return unmarshalID("filter", filterNames, text, f)
}

// LogValue returns what String does, for package slog.
func (f FilterID) LogValue() slog.Value { return slog.StringValue(f.String()) }

// MarshalText returns the mode's name. An invalid mode returns an *OptionError.
func (s SplitMode) MarshalText() ([]byte, error) {
	if int(s) >= len(splitNames) {
		return nil, &OptionError{Option: "split mode", Value: uint8(s), Range: "0 to 4"}
	}
	return []byte(splitNames[s]), nil
}

// UnmarshalText reads a mode's name, in any case. Any other text returns an
// *OptionError that lists the names.
func (s *SplitMode) UnmarshalText(text []byte) error {
	for i, name := range splitNames {
		if strings.EqualFold(name, string(text)) {
			*s = SplitMode(i)
			return nil
		}
	}
	return &OptionError{Option: "split mode", Value: strconv.Quote(string(text)), Range: "one of " + strings.Join(splitNames[:], ", ")}
}

// LogValue returns what String does, for package slog.
func (s SplitMode) LogValue() slog.Value { return slog.StringValue(s.String()) }

func marshalID[T ~uint8](names map[T]string, id T) []byte {
	if name, ok := names[id]; ok {
		return []byte(name)
	}
	return strconv.AppendUint(nil, uint64(id), 10)
}

// unmarshalID reads a name or a number. The string what is the kind of id, for
// errors and for the form "codec N".
func unmarshalID[T ~uint8](what string, names map[T]string, text []byte, id *T) error {
	s := string(text)
	for known, name := range names {
		if strings.EqualFold(name, s) {
			*id = known
			return nil
		}
	}
	if n, err := strconv.ParseUint(strings.TrimPrefix(s, what+" "), 10, 8); err == nil {
		*id = T(n)
		return nil
	}
	ids := make([]T, 0, len(names))
	for known := range names {
		ids = append(ids, known)
	}
	slices.Sort(ids)
	list := make([]string, len(ids))
	for i, known := range ids {
		list[i] = names[known]
	}
	return &OptionError{Option: what, Value: strconv.Quote(s), Range: "a number up to 255 or one of " + strings.Join(list, ", ")}
}
