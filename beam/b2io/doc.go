// Package b2io connects Blosc2 frames and arrays with Apache Beam.
//
//	windows := b2io.Read(s, "s3://bucket/temperature.b2nd")
//	mean := b2io.Mean(s, windows)
//
// Elements are of type [Window]: items and their position. The coder compresses them,
// so a shuffle moves about as many bytes as the file has.
//
// [Read] is splittable by chunk number: a worker fetches only the chunks that it reads.
// [Write] makes shards (see package shard) and assembles them. Both may be repeated
// after a failure, and may run twice at the same time: a shard that is made twice has
// the same bytes, and appears under its name once it is complete.
//
// Names are paths that all workers see, or URLs; those with http or https can be
// read. A program adds stores with [RegisterStore], and other schemes that are read
// with [RegisterOpener].
package b2io
