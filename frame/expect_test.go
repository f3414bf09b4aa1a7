package frame_test

import (
	"testing"

	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/meta"
)

// The metadata of a frame are those that the genuine libraries report: counts and
// sizes, the pipeline, metalayers and vlmetalayers, in frames of every generation.
func TestCorpusExpected(t *testing.T) {
	seen := map[header.Generation]int{}
	for _, e := range b2test.Corpus(t) {
		if e.Expect == nil || e.Kind == "chunk" {
			continue
		}
		f, err := open(t, e)
		if err != nil {
			t.Errorf("%s: %v", e.Path, err)
			continue
		}
		h := f.Header()
		want := e.Expect
		for name, c := range map[string]struct {
			got  int64
			want *int64
		}{
			"chunks":    {f.NumChunks(), want.NChunks},
			"bytes":     {f.Size(), want.NBytes},
			"typesize":  {int64(h.TypeSize), want.TypeSize},
			"chunksize": {int64(h.ChunkSize), want.ChunkSize},
		} {
			if c.want != nil && c.got != *c.want && *c.want != -1 { // -1: not recorded by that library
				t.Errorf("%s: %s %d, want %d", e.Path, name, c.got, *c.want)
			}
		}
		checkPipeline(t, e, h)
		checkLayers(t, e, "metalayers", h.Layers, want.Metalayers)
		checkVLLayers(t, e, f)
		seen[h.Generation]++
	}
	for g := range header.LayoutRC + 1 {
		if seen[g] == 0 {
			t.Errorf("no frame of layout %s", g)
		}
		t.Logf("%s: %d frames", g, seen[g])
	}
}

// checkPipeline compares codec, level and filters with those that the libraries report.
// If the header does not record them, the libraries report arbitrary values.
func checkPipeline(t *testing.T, e b2test.Entry, h *header.Header) {
	t.Helper()
	if len(e.Expect.Codec) == 0 || h.Generation != header.Current {
		return
	}
	if int(h.Codec) != e.Expect.Codec[0] || int(h.CodecMeta) != e.Expect.Codec[1] {
		t.Errorf("%s: codec %d with meta %d, want %v", e.Path, h.Codec, h.CodecMeta, e.Expect.Codec)
	}
	if int(h.Level) != *e.Expect.CLevel || h.Split.String() != e.Expect.SplitMode {
		t.Errorf("%s: level %d, split %s; want %d, %s", e.Path, h.Level, h.Split, *e.Expect.CLevel, e.Expect.SplitMode)
	}
	for i, want := range e.Expect.Filters {
		if int(h.Filters.IDs[i]) != want[0] || int(h.Filters.Metas[i]) != want[1] {
			t.Errorf("%s: filter %d is %d with meta %d, want %v", e.Path, i, h.Filters.IDs[i], h.Filters.Metas[i], want)
		}
	}
}

func checkLayers(t *testing.T, e b2test.Entry, what string, got []meta.Layer, want []b2test.Layer) {
	t.Helper()
	if want != nil && len(got) != len(want) {
		t.Errorf("%s: %d %s, want %d", e.Path, len(got), what, len(want))
	}
	for _, w := range want {
		if b, ok := meta.Find(got, w.Name); !ok || !w.Matches(b) {
			t.Errorf("%s: %s: %q is % x (%v)", e.Path, what, w.Name, b, ok)
		}
	}
}

func checkVLLayers(t *testing.T, e b2test.Entry, f *frame.Reader) {
	t.Helper()
	if len(e.Expect.VLMetalayers) == 0 {
		return
	}
	layers, err := f.VLMetalayers()
	if err != nil {
		t.Errorf("%s: %v", e.Path, err)
		return
	}
	checkLayers(t, e, "vlmetalayers", layers, e.Expect.VLMetalayers)
}
