package header_test

import (
	"errors"
	"io"
	"path"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// rejects lists the files of the corpus with a fault in the header or the trailer,
// and the offset in the error.
var rejects = map[string]struct {
	part   blosc2.Part
	err    error
	offset int64
}{
	"frame-cbytes-huge":             {blosc2.PartHeader, blosc2.ErrCorrupt, 38},
	"frame-cbytes-negative":         {blosc2.PartHeader, blosc2.ErrCorrupt, 38},
	"frame-chunksize-negative":      {blosc2.PartHeader, blosc2.ErrCorrupt, 52},
	"frame-cut-0":                   {blosc2.PartHeader, io.ErrUnexpectedEOF, 0},
	"frame-cut-1":                   {blosc2.PartHeader, io.ErrUnexpectedEOF, 1},
	"frame-cut-8":                   {blosc2.PartHeader, io.ErrUnexpectedEOF, 8},
	"frame-cut-11":                  {blosc2.PartHeader, io.ErrUnexpectedEOF, 11},
	"frame-cut-16":                  {blosc2.PartHeader, io.ErrUnexpectedEOF, 16},
	"frame-cut-24":                  {blosc2.PartHeader, io.ErrUnexpectedEOF, 24},
	"frame-cut-50":                  {blosc2.PartHeader, io.ErrUnexpectedEOF, 50},
	"frame-cut-86":                  {blosc2.PartHeader, io.ErrUnexpectedEOF, 86},
	"frame-cut-87":                  {blosc2.PartHeader, io.ErrUnexpectedEOF, 87},
	"frame-cut-114":                 {blosc2.PartHeader, io.ErrUnexpectedEOF, 114},
	"frame-filters-7":               {blosc2.PartHeader, blosc2.ErrCorrupt, 70},
	"frame-header-len-huge":         {blosc2.PartHeader, blosc2.ErrCorrupt, 10},
	"frame-header-len-negative":     {blosc2.PartHeader, blosc2.ErrCorrupt, 10},
	"frame-len-less":                {blosc2.PartTrailer, blosc2.ErrCorrupt, 0},
	"frame-metalayer-marker":        {blosc2.PartMeta, blosc2.ErrCorrupt, 107},
	"frame-metalayer-offset-beyond": {blosc2.PartMeta, blosc2.ErrCorrupt, 87},
	"frame-metalayer-offset-wrong":  {blosc2.PartMeta, blosc2.ErrCorrupt, 87},
	"frame-metalayer-size-huge":     {blosc2.PartMeta, blosc2.ErrCorrupt, 107},
	"frame-metalayers-20":           {blosc2.PartMeta, blosc2.ErrCorrupt, 91},
	"frame-nbytes-negative":         {blosc2.PartHeader, blosc2.ErrCorrupt, 29},
	"frame-trailer-len-0":           {blosc2.PartTrailer, blosc2.ErrCorrupt, 0},
	"frame-trailer-len-huge":        {blosc2.PartTrailer, blosc2.ErrCorrupt, 0},
	"frame-trailer-marker":          {blosc2.PartTrailer, blosc2.ErrCorrupt, 0},
	"frame-typesize-0":              {blosc2.PartHeader, blosc2.ErrCorrupt, 47},
	"frame-typesize-negative":       {blosc2.PartHeader, blosc2.ErrCorrupt, 47},
	"frame-version-9":               {blosc2.PartHeader, blosc2.ErrUnsupported, 25},
	"frame-vlmetalayer-offset":      {blosc2.PartVLMeta, blosc2.ErrCorrupt, 2},
}

func TestCorpusRejects(t *testing.T) {
	refused := 0
	for _, e := range b2test.Corpus(t) {
		name := strings.TrimSuffix(path.Base(e.Path), path.Ext(e.Path))
		want, ok := rejects[name]
		if e.Reject == "" || !ok {
			continue
		}
		refused++
		err := readEnds(e.Bytes(t))
		var fe *blosc2.FormatError
		if !errors.As(err, &fe) || fe.Part != want.part || fe.Offset != want.offset || !errors.Is(err, want.err) {
			t.Errorf("%s: %v; want an error about the %s at %d: %s", name, err, want.part, want.offset, e.Reject)
		}
	}
	if refused != len(rejects) {
		t.Errorf("%d files refused of %d", refused, len(rejects))
	}
}

// readEnds reads the header and the trailer of a frame.
func readEnds(frame []byte) error {
	h, err := header.Parse(frame)
	if err != nil {
		return err
	}
	frame = frame[:h.FrameLen]
	n, err := h.TrailerLen(frame[len(frame)-header.TrailerEnd:])
	if err != nil {
		return err
	}
	_, err = h.ParseTrailer(frame[len(frame)-n:])
	return err
}
