package stream

// ForStores sets the sizes of chunks and blocks to StoreChunkSize and
// StoreBlockSize. They suit frames that are read remotely by ranges: every Open
// reads the index, which has 8 bytes for each chunk, or 1 MiB for a terabyte of
// these chunks, and transferring a block takes hardly longer than the request.
// Arrays of package b2nd have about these sizes unless their Spec states others.
// Later options override it.
func ForStores() WriterOption {
	return writerOption(func(c *writerConfig) { c.chunkSize, c.chunk.BlockSize = StoreChunkSize, StoreBlockSize })
}
