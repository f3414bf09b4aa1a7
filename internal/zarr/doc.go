// Package zarr reads arrays of Zarr's formats 2 and 3 and writes those of format 3.
//
// Chunks may be stored raw or compressed with blosc, zstd, gzip or zlib, and in
// format 3 in shards. An array that is written keeps the partition of a Blosc2
// array: a chunk becomes a shard, and its blocks become the inner chunks.
//
// The names of files are Zarr's keys below the root of an fs.FS, so a store may be
// anywhere.
package zarr
