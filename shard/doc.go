// Package shard makes one frame, or one array, on several machines.
//
// A [Plan] says how the frame is made and which chunks belong to which shard. It
// depends only on the options, the size and the number of shards, so every machine
// can make the same Plan. A worker makes one shard: the stored chunks, one after
// the other, and a [Manifest] with their lengths and a digest. Assemble adds
// header, index and trailer. The result has the same bytes for any number of shards
// and any order: those that a single stream.Writer or b2nd.Writer writes to a file.
//
//	plan, err := shard.NewPlan(size, 100, stream.TypeSize(4)) // on every machine
//	err = shard.WriteShardFile(folder, plan, k, plan.FromReaderAt(input))
//	err = shard.AssembleFolder("out.b2frame", folder)         // on one of them
//
// # Faults
//
// A shard made twice has the same bytes, so a worker that died can be run
// again, and one that is late does no harm. A file in a folder appears under
// its name when it is complete. The files of a killed worker begin with a dot
// and end in .tmp; they are ignored, and may be removed. If a shard is
// missing, belongs to another plan, or is damaged, the error is an [*Error] that
// names it, and nothing is written, unless the damage is found while the shard is copied:
// then dst holds an unfinished frame, which AssembleFolder removes.
//
// # Stores
//
// See [Plan.UploadShard] for many workers that write one object in a store.
package shard
