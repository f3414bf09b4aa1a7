package stream

import (
	"io"

	"github.com/seed03b80dae/blosc2/ranges"
)

// walkFar makes the walker of a remote source read ahead in large requests.
func (s *seekSource) walkFar() {
	if src, ok := ranges.Of(s.r); ok {
		s.ahead = ranges.NewSequential(s.cfg.ctx, src, s.base+s.size)
		s.rest = *io.NewSectionReader(s.ahead, s.base+s.start, s.size-s.start)
	}
}

// closeFar ends reading ahead, and returns its error.
func (s *seekSource) closeFar() (err error) {
	s.cursor.close()
	if s.ahead != nil {
		err, s.ahead = s.ahead.Close(), nil
	}
	return err
}
