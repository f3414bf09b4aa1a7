package codectest

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/codecs"
)

func checkIdentity(factory func() codecs.Codec, _ Options) error {
	a, b := factory(), factory()
	if a.Name() == "" {
		return errors.New("the codec has no name")
	}
	if a.Name() != b.Name() || a.ID() != b.ID() {
		return fmt.Errorf("two codecs of one factory: %d %q and %d %q", a.ID(), a.Name(), b.ID(), b.Name())
	}
	return nil
}

func checkRoundTrip(factory func() codecs.Codec, o Options) error {
	c, coded := factory(), false
	err := o.each(o.lengths(), func(data []byte, p codecs.Params) error {
		for _, room := range []int{bound(len(data)), len(data)} {
			n, err := o.roundTrip(c, data, room, p)
			if err != nil {
				return err
			}
			coded = coded || n > 0
		}
		return nil
	})
	if err == nil && !coded {
		return errors.New("nothing was compressed")
	}
	return err
}

// checkSmallDestination encodes to destinations smaller than the stream.
func checkSmallDestination(factory func() codecs.Codec, o Options) error {
	c := factory()
	return o.each(o.short(), func(data []byte, p codecs.Params) error {
		full, err := o.roundTrip(c, data, bound(len(data)), p)
		for room := full; room >= 0 && err == nil; room -= 1 + room/7 {
			_, err = o.roundTrip(c, data, room, p)
		}
		return err
	})
}

// checkWrongLength decodes a valid stream to destinations that are longer and
// shorter than its data.
func checkWrongLength(factory func() codecs.Codec, o Options) error {
	c := factory()
	return o.eachStream(c, func(data, stream []byte, p codecs.Params) error {
		for _, size := range []int{0, 1, len(data) / 2, len(data) - 1, len(data) + 1, len(data) + 20, 2*len(data) + 300} {
			if size == len(data) {
				continue
			}
			if _, err := decode(c, stream, size, p); !refused(err) {
				return fmt.Errorf("stream of %d bytes decoded to %d: error %v, want blosc2.ErrCorrupt", len(data), size, err)
			}
		}
		if _, err := decode(c, nil, len(data), p); !refused(err) {
			return fmt.Errorf("empty stream decoded to %d bytes: error %v, want blosc2.ErrCorrupt", len(data), err)
		}
		return nil
	})
}

// refused reports whether err is one that Decode may return for an invalid stream.
func refused(err error) bool {
	return errors.Is(err, blosc2.ErrCorrupt) || errors.Is(err, blosc2.ErrUnsupported)
}

// checkTruncated truncates streams. A codec need not detect that, but it must fill
// the destination or return an error.
func checkTruncated(factory func() codecs.Codec, o Options) error {
	c := factory()
	return o.eachStream(c, func(data, stream []byte, p codecs.Params) error {
		for n := len(stream) - 1; n >= 0; n -= 1 + n/15 {
			// Use a separate slice, so that reading beyond it is detected.
			if err := survive(c, bytes.Clone(stream[:n:n]), len(data), p); err != nil {
				return fmt.Errorf("cut off at %d of %d: %w", n, len(stream), err)
			}
		}
		return nil
	})
}

func checkMutated(factory func() codecs.Codec, o Options) error {
	c, r := factory(), rand.New(rand.NewPCG(1, 2))
	return o.eachStream(c, func(data, stream []byte, p codecs.Params) error {
		for range 8 {
			bad := bytes.Clone(stream)
			for range 1 + r.IntN(3) {
				i := r.IntN(len(bad))
				switch r.IntN(4) {
				case 0:
					bad[i] ^= 1 << r.IntN(8)
				case 1:
					bad[i] = byte(r.Uint32())
				case 2:
					bad[i] = 0xff
				case 3:
					copy(bad[i:], stream[r.IntN(len(stream)):])
				}
			}
			if err := survive(c, bad, len(data), p); err != nil {
				return fmt.Errorf("mutated to % x: %w", bad, err)
			}
		}
		return nil
	})
}

// survive decodes a damaged stream.
func survive(c codecs.Codec, stream []byte, size int, p codecs.Params) error {
	if _, err := decode(c, stream, size, p); err != nil && !refused(err) {
		return fmt.Errorf("error %w, want blosc2.ErrCorrupt", err)
	}
	return nil
}

// checkReuse compares one codec that has had many calls, including failures, with
// new ones, and checks that it does not keep slices of its callers.
func checkReuse(factory func() codecs.Codec, o Options) error {
	used, calls := factory(), 0
	var last, lastCopy []byte
	return o.each(o.short(), func(data []byte, p codecs.Params) error {
		if calls++; calls%3 != 0 { // not every time, because a new codec may be slow to make
			_, err := encode(used, data, bound(len(data)), p)
			return err
		}
		want, err := encode(factory(), data, bound(len(data)), p)
		if err != nil {
			return err
		}
		mine := bytes.Clone(data)
		got, err := encode(used, mine, bound(len(data)), p)
		if err != nil {
			return err
		}
		fill(mine, 0x11)
		if !bytes.Equal(got, want) {
			return errors.New("a used codec encodes differently from a new one")
		}
		if !bytes.Equal(last, lastCopy) {
			return errors.New("a destination was changed after the call")
		}
		last, lastCopy = got, bytes.Clone(got)
		if len(got) == 0 {
			return nil
		}
		if err := survive(used, got[:len(got)/2], len(data), p); err != nil {
			return err
		}
		stream := bytes.Clone(got)
		back, err := decode(used, stream, len(data), p)
		if err != nil {
			return fmt.Errorf("after a damaged stream: %w", err)
		}
		kept := bytes.Clone(back)
		fill(stream, 0x22)
		if _, err := decode(used, bytes.Clone(got), len(data), p); err != nil {
			return err
		}
		if !bytes.Equal(kept, back) || !o.same(data, back, p) {
			return errors.New("a decoded destination was changed after the call")
		}
		return nil
	})
}

// checkAllocations checks that a call does not allocate after earlier calls of the
// same kind.
func checkAllocations(factory func() codecs.Codec, o Options) error {
	lengths := o.lengths()
	longest := lengths[0]
	for _, n := range lengths {
		if n > longest && n <= 65536 {
			longest = n
		}
	}
	for _, p := range o.params() {
		c := factory()
		for _, s := range Shapes() {
			data := s.Data(longest)
			dst := make([]byte, bound(longest))
			back := make([]byte, longest)
			var n int
			var err error
			calls := []struct {
				name string
				call func()
			}{
				{"encode into as many", func() { _, err = c.Encode(dst[:longest], data, p) }},
				{"encode", func() { n, err = c.Encode(dst, data, p) }},
				{"decode", func() { _, err = c.Decode(back, dst[:n], p) }},
			}
			for _, f := range calls {
				if f.name == "decode" && n == 0 {
					continue
				}
				f.call() // the first calls may grow and exchange buffers
				f.call()
				if a := testing.AllocsPerRun(2, f.call); a != 0 || err != nil {
					return fmt.Errorf("%s, %d bytes, level %d: %v allocations to %s, error %v", s.Name, longest, p.Level, a, f.name, err)
				}
			}
		}
	}
	return nil
}
