package b2nd

// BlocksPerChunk returns the number of blocks in a chunk of the array, with the
// shapes of the Spec or the automatic ones. The error is that of NewWriter.
func (s Spec) BlocksPerChunk() (int, error) {
	g, _, err := s.plan()
	if err != nil {
		return 0, err
	}
	return int(g.chunkBytes / max(g.blockBytes, 1)), nil
}
