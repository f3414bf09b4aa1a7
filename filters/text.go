package filters

import "log/slog"

// MarshalText spells the pipeline as Parse reads it: "delta,shuffle",
// "trunc_prec:10,shuffle".
func (p Pipeline) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads a pipeline as Parse does. Text that it cannot read is an
// *blosc2.OptionError that lists the names, and a number that is not a
// registered filter blosc2.ErrUnsupported; p is then unchanged.
func (p *Pipeline) UnmarshalText(text []byte) error {
	parsed, err := Parse(string(text))
	if err == nil {
		*p = parsed
	}
	return err
}

// LogValue returns what String does, for package slog.
func (p Pipeline) LogValue() slog.Value { return slog.StringValue(p.String()) }
