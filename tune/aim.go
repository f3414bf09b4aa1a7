package tune

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/seed03b80dae/blosc2"
)

// An Aim is the speed of the link that the data will cross twice, once when written and
// once when read, in bytes per second. A Search minimizes the total time: to compress, to
// cross the link twice, and to decompress.
type Aim float64

// These are the usual aims.
const (
	Memory  Aim = 5e9
	Disk    Aim = 500e6
	Network Aim = 100e6
	WAN     Aim = 20e6

	// Archive is for the smallest result, compressed at about 5 MB/s or more on one
	// thread.
	Archive Aim = -1

	// Balanced is for an unknown link. It is Network, restricted to results that
	// are no larger than those of zstd at level 2, which is level 3 of the command
	// zstd, without filters, as estimated from a sample.
	Balanced Aim = -2

	// Speed and Size are former names of Memory and Archive.
	Speed = Memory
	Size  = Archive
)

// link returns the speed of the link in bytes per second, or -1 for Archive.
func (a Aim) link() float64 {
	if a == Balanced {
		a = Network
	}
	return float64(a)
}

// Link returns the aim for a link with the given number of bytes per second, from 1e3 to
// 1e15. Check reports other numbers as invalid.
func Link(bytesPerSecond float64) Aim {
	if !(bytesPerSecond > 0) {
		return Aim(math.NaN()) // not one of the constants, which are negative
	}
	return Aim(bytesPerSecond)
}

// aims holds the names of aims, the current ones first.
var aims = []struct {
	name string
	aim  Aim
}{
	{"balanced", Balanced}, {"memory", Memory}, {"disk", Disk}, {"network", Network}, {"wan", WAN}, {"archive", Archive},
	{"speed", Speed}, {"size", Size},
}

const aimRange = "balanced, memory, disk, network, wan, archive, or bytes per second, at least 1K, such as 20M or 1.5G"

// ParseAim parses an aim: a name, or the bytes per second of a link such as 20M, 20MB or
// 20MB/s, where K, M and G are powers of 1000, and Ki, Mi and Gi powers of 1024.
func ParseAim(text string) (Aim, error) {
	for _, a := range aims {
		if strings.EqualFold(a.name, text) {
			return a.aim, nil
		}
	}
	number := strings.TrimSuffix(strings.TrimSuffix(strings.ToUpper(text), "/S"), "B")
	base, scale := 1000.0, 1.0
	if n := len(number); n > 1 && number[n-1] == 'I' && strings.IndexByte("KMG", number[n-2]) >= 0 {
		number, base = number[:n-1], 1024
	}
	if n := len(number); n > 0 {
		if power := strings.IndexByte("KMG", number[n-1]); power >= 0 {
			number, scale = number[:n-1], math.Pow(base, float64(power+1))
		}
	}
	v, err := strconv.ParseFloat(number, 64)
	if a := Link(v * scale); err == nil && a.Check() == nil && a > 0 {
		return a, nil
	}
	return 0, &blosc2.OptionError{Option: "aim", Value: text, Range: aimRange}
}

// String returns the aim in the form that ParseAim parses.
func (a Aim) String() string {
	for _, b := range aims {
		if a == b.aim {
			return b.name
		}
	}
	for _, unit := range []struct {
		size float64
		name string
	}{{1e9, "G"}, {1e6, "M"}, {1e3, "K"}} {
		if v := float64(a) / unit.size; v >= 1 {
			return strconv.FormatFloat(v, 'g', -1, 64) + unit.name
		}
	}
	return fmt.Sprint(float64(a))
}

// Check returns a *blosc2.OptionError if the aim is invalid.
func (a Aim) Check() error {
	if a == Archive || a == Balanced || a >= 1e3 && a <= 1e15 {
		return nil
	}
	return &blosc2.OptionError{Option: "aim", Value: float64(a), Range: "a link of 1e3 to 1e15 bytes per second, Balanced or Archive"}
}
