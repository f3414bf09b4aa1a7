// Package shard makes one frame, or one array, on several machines.
//
// A [Plan] says how the whole is made and which of its chunks belong to which
// shard. It depends on the options, the size and the number of shards alone, so
// every machine makes the same Plan by itself. A worker makes one shard of it: the
// stored chunks, one after the other, and a [Manifest] with their lengths and a
// digest. Assemble puts header, index and trailer around the shards. The result
// has the same bytes whatever the number of shards and the order in which they
// were made, and those that one stream.Writer or b2nd.Writer writes into a file.
//
//	plan, err := shard.NewPlan(size, 100, stream.TypeSize(4)) // on every machine
//	err = shard.WriteShardFile(folder, plan, k, plan.FromReaderAt(input))
//	err = shard.AssembleFolder("out.b2frame", folder)         // on one of them
//
// # Faults
//
// A shard made twice has the same bytes twice, so a worker that died, or that is
// late after another took over, does no harm: run it again. A file of a folder
// appears under its name when it is whole. What a killed worker leaves begins with
// a dot and ends in .tmp; it may be removed, and is not looked at. A shard that is
// missing, belongs to another plan, or is not as its worker made it is an [*Error]
// that names it, and nothing is written then, except where the bytes of a shard
// turn out to be others while they are copied: then dst holds a frame that is not
// finished, and AssembleFolder removes it.
//
// # Stores
//
// See [Plan.UploadShard] for how many workers put one object of a store.
package shard
