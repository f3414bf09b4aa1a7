package frame_test

import (
	"bytes"
	"errors"
	"os"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/codecs"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/meta"
)

// A blur is a codec that loses more information each time data are encoded.
type blur struct{}

func (blur) ID() blosc2.CodecID { return 201 }
func (blur) Name() string       { return "blur" }
func (blur) Encode(dst, src []byte, p codecs.Params) (int, error) {
	if len(dst) < len(src)/2 {
		return 0, nil
	}
	for i := range len(src) / 2 {
		dst[i] = src[2*i] >> 1
	}
	return len(src) / 2, nil
}
func (blur) Decode(dst, src []byte, p codecs.Params) (int, error) {
	for i := range dst {
		dst[i] = src[min(i/2, len(src)-1)]
	}
	return len(dst), nil
}

// Recompression does not change data that a lossy filter has already changed. With a lossy
// codec, recompression returns an error unless AllowLoss is given.
func TestRecutLossy(t *testing.T) {
	if err := codecs.Register(201, "blur", func() codecs.Codec { return blur{} }); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"trunc_prec:10,shuffle", "blur"} {
		p := plainParams()
		loses := name == "blur"
		if loses {
			p.Codec, p.Filters = 201, filters.Pipeline{}
		} else {
			p.Filters = must1(filters.Parse(name))
		}
		_, b := various(t, p, []int{1000, 20, 3000})
		data, _, err := readAll(b)
		if err != nil {
			t.Fatal(err)
		}
		path := write(t, b)
		err = frame.CompactFile(path)
		if loses != errors.Is(err, blosc2.ErrUnsupported) || !loses && err != nil {
			t.Errorf("%s: %v", name, err)
		}
		now, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		mustHold(t, name, now, data)
		if !loses {
			bothRead(t, path, data, 4)
			continue
		}
		if !bytes.Equal(now, b) {
			t.Error("the file was changed by what was refused")
		}
		recut(t, path, data, frame.KeepChunkSizes())
		if err := frame.CompactFile(path, frame.AllowLoss()); err != nil {
			t.Error(err)
		}
		if now, err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
		if got, f, err := readAll(now); err != nil || len(got) != len(data) || bytes.Equal(got, data) || f.NumChunks() != 1 {
			t.Errorf("%d bytes with loss: %v", len(got), err)
		}
	}
}

// Compact does not change chunks whose boundaries have a meaning.
func TestRecutBound(t *testing.T) {
	data, b := various(t, plainParams(), []int{1000, 20, 3000}, meta.Layer{Name: "vlarray", Value: []byte{0x80}})
	path := write(t, b)
	if f := recut(t, path, data); f.NumChunks() != 3 {
		t.Errorf("%d chunks", f.NumChunks())
	}
	if err := frame.CompactFile(path, frame.Uniform()); !errors.Is(err, blosc2.ErrUnsupported) {
		t.Error(err)
	}
	lib := b2test.Oracle(t, 3)
	in := write(t, data[:4000])
	lib.Run(t, "write-frame", "--codec", "lz4", "--typesize", "1", "--chunksize", "1000", "--chunks", "vl:100+200,vl:50+650+3000", in, path)
	if err := frame.CompactFile(path); err != nil {
		t.Fatal(err)
	}
	if got, err := lib.Decode(t, "read-frame", path); err != nil || !bytes.Equal(got, data[:4000]) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if err := frame.CompactFile(path, frame.ChunkSize(500)); !errors.Is(err, blosc2.ErrUnsupported) {
		t.Error(err)
	}
}
