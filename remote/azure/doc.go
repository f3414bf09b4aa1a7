// Package azure reads and writes frames and arrays in Azure Blob Storage.
//
//	store, err := azure.FromEnv()
//	…
//	o, err := store.Open(ctx, "az://container/data.b2nd")
//	…
//	a, err := b2nd.Open(o, o.Size())
//
// See package remote for reading and uploads.
//
// A blob is written as blocks, the header as a separate one; Close commits their
// list. The store has no request that drops blocks without changing the blob. The
// blocks of an upload that was aborted or killed are not listed among the blobs,
// and the store drops them after a week, or when a blob of that name is written.
// Unfinished finds them if there is no blob of that name, and Remove drops them.
package azure
