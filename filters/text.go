package filters

import "log/slog"

// MarshalText returns the pipeline in the form that Parse reads: "delta,shuffle",
// "trunc_prec:10,shuffle".
func (p Pipeline) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText parses a pipeline as Parse does. Invalid text returns a
// *blosc2.OptionError, which lists the names of filters if one is unknown. After an
// error p is unchanged.
func (p *Pipeline) UnmarshalText(text []byte) error {
	parsed, err := Parse(string(text))
	if err == nil {
		*p = parsed
	}
	return err
}

// LogValue returns the result of String, for package slog.
func (p Pipeline) LogValue() slog.Value { return slog.StringValue(p.String()) }
