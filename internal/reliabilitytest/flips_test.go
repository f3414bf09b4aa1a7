package reliabilitytest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/stream"
)

var errWrong = errors.New("wrong without an error")

// byIndex reads everything in a frame. It returns errWrong if bytes or metalayers are
// wrong without another error.
func byIndex(s *sample, b []byte, opts ...frame.Option) error {
	f, err := frame.Open(bytes.NewReader(b), int64(len(b)), append(opts, frame.WithLimits(tight))...)
	if err != nil {
		return err
	}
	var data []byte
	for n := range f.NumChunks() {
		if data, err = f.Chunk(data, n); err != nil {
			break
		}
	}
	if !bytes.HasPrefix(s.want, data) || err == nil && len(data) != len(s.want) {
		return fmt.Errorf("%w: %d bytes by the index", errWrong, len(data))
	}
	vl, vlErr := f.VLMetalayers()
	if vlErr == nil && !same(vl, s.vl) {
		return fmt.Errorf("%w: vlmetalayers", errWrong)
	}
	if err = errors.Join(err, vlErr); err == nil && !same(f.Metalayers(), s.layers) {
		return fmt.Errorf("%w: metalayers", errWrong)
	}
	return err
}

// frontToBack reads a frame front to back, as from a pipe.
func frontToBack(s *sample, b []byte) error {
	r, err := stream.NewReader(io.MultiReader(bytes.NewReader(b)), stream.Workers(1), stream.Limits(tight))
	if err != nil {
		return err
	}
	data, err := io.ReadAll(r)
	if !bytes.HasPrefix(s.want, data) || err == nil && len(data) != len(s.want) {
		return fmt.Errorf("%w: %d bytes front to back", errWrong, len(data))
	}
	if err != nil {
		return err
	}
	layers, err := r.Metalayers()
	if err == nil && !same(layers, s.layers) {
		return fmt.Errorf("%w: metalayers, front to back", errWrong)
	}
	if vl, vlErr := r.VLMetalayers(); vlErr == nil && !same(vl, s.vl) {
		return fmt.Errorf("%w: vlmetalayers, front to back", errWrong)
	} else if vlErr != nil {
		err = vlErr
	}
	return err
}

// same compares metalayers. It ignores the mark, whose sizes depend on how the frame
// was written.
func same(a, b []meta.Layer) bool {
	users := func(l []meta.Layer) []meta.Layer {
		return slices.DeleteFunc(slices.Clone(l), func(l meta.Layer) bool { return l.Name == meta.StreamName })
	}
	return slices.EqualFunc(users(a), users(b), func(a, b meta.Layer) bool {
		return a.Name == b.Name && bytes.Equal(a.Value, b.Value)
	})
}

// Flipping any bit of a checked frame is detected by Verify, and never leads to
// wrong bytes or metalayers without an error.
func TestFlips(t *testing.T) {
	var all, byVerify, index, pipe, holes int64
	for _, s := range samples(t, true) {
		rep, err := frame.Verify(bytes.NewReader(s.b), int64(len(s.b)))
		if err != nil || !rep.Sound() || !rep.Records || rep.Unchecked != 0 {
			t.Errorf("%s: %+v, %v", s.name, rep, err)
		}
		if err := errors.Join(byIndex(&s, s.b), frontToBack(&s, s.b)); err != nil {
			t.Errorf("%s: undamaged: %v", s.name, err)
		}
		all += flips(t, s, pick(17, 1), func(b []byte, bit int) {
			if rep, err := frame.Verify(bytes.NewReader(b), int64(len(b)), frame.WithLimits(tight)); err != nil || !rep.Sound() {
				atomic.AddInt64(&byVerify, 1)
			} else if s.holes != nil && s.holes[bit/8] {
				atomic.AddInt64(&holes, 1)
			} else {
				t.Errorf("%s: bit %d of byte %d is not noticed by Verify", s.name, bit%8, bit/8)
			}
			for _, way := range []struct {
				err   error
				count *int64
			}{{byIndex(&s, b), &index}, {frontToBack(&s, b), &pipe}} {
				if errors.Is(way.err, errWrong) {
					t.Errorf("%s: bit %d of byte %d: %v", s.name, bit%8, bit/8, way.err)
				} else if way.err != nil {
					atomic.AddInt64(way.count, 1)
				}
			}
		})
	}
	t.Logf("%d flips, %d of them in the holes of an edited frame that Verify passes over: of the others it notices %.3f %%; of all, reading by index notices %.3f %%, front to back %.3f %%",
		all, holes, percent(byVerify, all-holes), percent(index, all), percent(pipe, all))
}

// Reads of ranges and slices in damaged frames with digests do not hang or panic. The
// test reports how often they detect the damage. If whole chunks are checked, they
// detect all damage.
func TestFlipsRanges(t *testing.T) {
	for _, whole := range []bool{false, true} {
		var all, noticed, wrong int64
		var opts []frame.Option
		if whole {
			opts = append(opts, frame.CheckWhole())
		}
		for _, s := range samples(t, true) {
			all += flips(t, s, pick(17, 1), func(b []byte, bit int) {
				switch err := ranges(&s, b, opts...); {
				case errors.Is(err, errWrong) && whole:
					t.Errorf("%s: bit %d of byte %d: %v", s.name, bit%8, bit/8, err)
				case errors.Is(err, errWrong):
					atomic.AddInt64(&wrong, 1)
				case err != nil:
					atomic.AddInt64(&noticed, 1)
				}
			})
		}
		t.Logf("%d flips, whole chunks checked %v: noticed %.2f %%, wrong bytes %.2f %%, no effect on what was read %.2f %%",
			all, whole, percent(noticed, all), percent(wrong, all), percent(all-noticed-wrong, all))
	}
}

// ranges reads a frame in ranges, each of one block or less, and an array in
// slices.
func ranges(s *sample, b []byte, opts ...frame.Option) error {
	opts = append(opts, frame.WithLimits(tight))
	f, err := frame.Open(bytes.NewReader(b), int64(len(b)), opts...)
	if err != nil {
		return err
	}
	p := make([]byte, 60)
	for off := 0; off < len(s.want) && err == nil; off += len(p) {
		var n int
		n, err = f.ReadAt(p, int64(off))
		if err == io.EOF && off+n == len(s.want) {
			err = nil
		}
		if err == nil && !bytes.Equal(p[:n], s.want[off:min(off+len(p), len(s.want))]) {
			return fmt.Errorf("%w: range at %d", errWrong, off)
		}
	}
	if s.array && err == nil {
		_, err = slices2D(b, opts...)
	}
	return err
}

// slices2D reads the sample that is an array row by row.
func slices2D(b []byte, opts ...frame.Option) ([]byte, error) {
	a, err := b2nd.Open(bytes.NewReader(b), int64(len(b)), b2nd.MaxAlloc(16<<20), b2nd.FrameOptions(opts...), b2nd.Workers(1))
	if err != nil || len(a.Shape()) != 2 {
		return nil, err
	}
	rows, columns := a.Shape()[0], a.Shape()[1]
	if rows > 100 || columns > 100 || a.ItemSize() > 100 {
		return nil, nil
	}
	var data []byte
	row := make([]byte, columns*int64(a.ItemSize()))
	for y := range rows {
		if err := a.ReadSlice(row, []int64{y, 0}, []int64{y + 1, columns}); err != nil {
			return data, err
		}
		data = append(data, row...)
	}
	return data, nil
}

// Damage in frames without digests is not always detected, but never makes reading
// panic, hang or use much memory.
func TestFlipsUnchecked(t *testing.T) {
	var all, index, pipe, wrong int64
	for _, s := range samples(t, false) {
		all += flips(t, s, pick(17, 1), func(b []byte, bit int) {
			for _, way := range []struct {
				err   error
				count *int64
			}{{byIndex(&s, b), &index}, {frontToBack(&s, b), &pipe}} {
				if errors.Is(way.err, errWrong) {
					atomic.AddInt64(&wrong, 1)
				} else if way.err != nil {
					atomic.AddInt64(way.count, 1)
				}
			}
			ranges(&s, b)
			frame.Verify(bytes.NewReader(b), int64(len(b)), frame.WithLimits(tight))
		})
	}
	t.Logf("%d flips without digests: noticed by index %.2f %%, front to back %.2f %%; wrong in %.2f %% of the reads",
		all, percent(index, all), percent(pipe, all), percent(wrong, 2*all))
}
