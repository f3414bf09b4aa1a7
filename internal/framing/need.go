package framing

import "github.com/seed03b80dae/blosc2"

// Need returns a *blosc2.OptionError for an argument that must not be nil, unless
// it is given. want is what it must be, such as "an io.Reader".
func Need(given bool, option, want string) error {
	if given {
		return nil
	}
	return &blosc2.OptionError{Option: option, Value: nil, Range: want}
}
