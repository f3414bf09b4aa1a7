package stream

// ForStores sets the sizes of chunks and blocks to StoreChunkSize and
// StoreBlockSize. They suit frames that are read from far away by ranges: the
// index has 8 bytes for each chunk and is read by every Open, 1 MiB of it for a
// terabyte with these chunks, and a block costs hardly more time than the request
// for it. Arrays of package b2nd have about these sizes unless their Spec states
// others. Options after it overrule it.
func ForStores() WriterOption {
	return writerOption(func(c *writerConfig) { c.chunkSize, c.chunk.BlockSize = StoreChunkSize, StoreBlockSize })
}
