package stream

import "sync"

// Stats holds the statistics of a stream so far.
type Stats struct {
	Bytes  int64 // uncompressed bytes
	Stored int64 // bytes of the frames, written to the sink or held, or read from the source
	Chunks int64
	Frames int64 // frames that have begun

	// Changes is how often Auto changed the codec, level or filters after its first choice.
	Changes int64
}

// Ratio returns the compression ratio so far, or 0 if nothing is stored yet.
func (s Stats) Ratio() float64 {
	if s.Stored == 0 {
		return 0
	}
	return float64(s.Bytes) / float64(s.Stored)
}

// A figures holds Stats that any goroutine may read.
type figures struct {
	mu sync.Mutex
	s  Stats
}

func (f *figures) get() Stats {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.s
}

func (f *figures) set(s Stats) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.s = s
}
