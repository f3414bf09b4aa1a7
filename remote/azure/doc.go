// Package azure reads and writes frames and arrays in Azure Blob Storage.
//
//	store, err := azure.FromEnv()
//	…
//	o, err := store.Open(ctx, "az://container/data.b2nd")
//	…
//	a, err := b2nd.Open(o, o.Size())
//
// See package remote for what is read when, and what an upload needs.
//
// A blob is written as blocks, of which the header is one of its own; Close commits
// their list. The store has no request that drops blocks without touching the blob:
// those of an upload that was aborted, or whose process was killed, cannot be seen
// among the blobs, and the store drops them after a week, or when a blob of that
// name is written. Unfinished finds them where there is no blob of that name yet,
// and Remove drops them.
package azure
