// Package chunk encodes and decodes chunks, the self-contained compressed
// buffers of Blosc1 and Blosc2. A chunk is a header, the offsets of its blocks,
// and the blocks. A block is filtered, split into streams if that helps, and
// each stream is compressed separately, so that any block can be decoded
// without the others.
//
// It writes what C-Blosc2 3.x writes (chunk format version 5, and 6 for blocks
// of variable length) and on request what Blosc1 and the betas of C-Blosc2
// wrote. It reads all of them, and repairs the faulty chunks that some releases
// of C-Blosc2 are known to have written.
//
// Encoders and decoders keep their scratch memory, so in steady state no call
// allocates. Each belongs to one goroutine at a time and starts none.
package chunk
