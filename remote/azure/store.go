package azure

import "github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/service"

// A Store holds the blobs of one account. It is safe for use by several goroutines.
type Store struct {
	client *service.Client
}

// New returns the Store that client reads and writes, with the caller's
// credentials.
func New(client *service.Client) *Store { return &Store{client} }

// form is the form of an object's URL, for errors.
const form = "az://CONTAINER/KEY"
