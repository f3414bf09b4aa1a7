// Package chunk turns one buffer into one chunk and back: the self-contained
// compressed buffer of Blosc1 and Blosc2. A chunk is a header, the places of
// its blocks, and the blocks; a block is filtered, cut into streams where that
// helps, and each stream compressed by itself, so that any block can be decoded
// without the others.
//
// It writes what C-Blosc2 3.x writes (chunk format version 5, and 6 for blocks
// of variable length) and on request what Blosc1 and the betas of C-Blosc2
// wrote. It reads all of them, and repairs the faulty chunks that some releases
// of C-Blosc2 are known to have written.
//
// Encoders and decoders keep their scratch memory, so in steady state no call
// allocates. Each belongs to one goroutine at a time, and none starts any.
package chunk
