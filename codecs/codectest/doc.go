// Package codectest is a test suite for codecs, those of this module and
// registered ones: round trips over many shapes of data, destinations that are
// too small, truncated and damaged streams, reuse of a codec, and no
// allocations in steady state.
//
//	func TestMyCodec(t *testing.T) {
//		codectest.Run(t, func() codecs.Codec { return new(myCodec) }, codectest.Options{})
//	}
//
//	func FuzzMyCodec(f *testing.F) {
//		codectest.Fuzz(f, func() codecs.Codec { return new(myCodec) }, codectest.Options{})
//	}
package codectest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/seed03b80dae/blosc2/codecs"
)

// Options adapt the suite to codecs that do not support everything. The zero value
// tests the whole interface.
type Options struct {
	// Params lists the parameters to try, each with all the data; nil means levels
	// 1, 5 and 9.
	Params []codecs.Params

	// Lengths lists the lengths of data to try, in bytes; nil means a list from 0
	// to about 140,000. It is for codecs that support only blocks of a certain
	// shape.
	Lengths []int

	// Same reports whether data may decode to back, for a lossy codec; nil means
	// bytes.Equal.
	Same func(data, back []byte, p codecs.Params) bool
}

// A Check is one of the suite's tests of a codec.
type Check struct {
	Name string
	Run  func(factory func() codecs.Codec, o Options) error
}

// Checks lists the checks, for callers that run them one by one.
func Checks() []Check {
	return []Check{
		{"identity", checkIdentity},
		{"round trip", checkRoundTrip},
		{"small destination", checkSmallDestination},
		{"wrong length", checkWrongLength},
		{"truncated", checkTruncated},
		{"mutated", checkMutated},
		{"reuse", checkReuse},
		{"allocations", checkAllocations},
	}
}

// Run runs every check as a subtest. factory makes the codec; it is called
// more than once.
func Run(t *testing.T, factory func() codecs.Codec, o Options) {
	t.Helper()
	for _, c := range Checks() {
		t.Run(c.Name, func(t *testing.T) {
			if err := c.Run(factory, o); err != nil {
				t.Error(err)
			}
		})
	}
}

func (o Options) params() []codecs.Params {
	if o.Params != nil {
		return o.Params
	}
	return []codecs.Params{{Level: 1, TypeSize: 1}, {Level: 5, TypeSize: 4}, {Level: 9, TypeSize: 8}}
}

func (o Options) lengths() []int {
	if o.Lengths != nil {
		return o.Lengths
	}
	lengths := []int{47, 63, 64, 65, 66, 67, 127, 255, 256, 257, 1000, 4095, 4096, 8191, 20000, 65536, 65537, 140000}
	for n := range 35 {
		lengths = append(lengths, n)
	}
	return lengths
}

// short returns the lengths that are cheap enough to be tried many times.
func (o Options) short() []int {
	short := slices.DeleteFunc(slices.Clone(o.lengths()), func(n int) bool { return n <= 0 || n > 4096 })
	if len(short) == 0 {
		return o.lengths()
	}
	return short
}

// each calls f for all shapes and lengths of data, and reports which case failed.
func (o Options) each(lengths []int, f func(data []byte, p codecs.Params) error) error {
	for _, p := range o.params() {
		for _, n := range lengths {
			for _, s := range Shapes() {
				if err := f(s.Data(n), p); err != nil {
					return fmt.Errorf("%s, %d bytes, level %d: %w", s.Name, n, p.Level, err)
				}
			}
		}
	}
	return nil
}

// eachStream calls f for the streams of all shapes of short data.
func (o Options) eachStream(c codecs.Codec, f func(data, stream []byte, p codecs.Params) error) error {
	return o.each(o.short(), func(data []byte, p codecs.Params) error {
		stream, err := encode(c, data, bound(len(data)), p)
		if err != nil || len(stream) == 0 {
			return err
		}
		return f(data, stream, p)
	})
}
