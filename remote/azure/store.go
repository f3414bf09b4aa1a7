package azure

import (
	"net/http"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/service"

	"github.com/seed03b80dae/blosc2"
)

// A Store is the blobs of one account. It is safe for use by several goroutines.
type Store struct {
	client *service.Client
}

// New returns the Store that client reads and writes, with the caller's
// credentials.
func New(client *service.Client) *Store { return &Store{client} }

// newTransport returns one that keeps as many connections as are used at a time.
func newTransport() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConnsPerHost = 64
	t.DisableCompression = true
	return t
}

// parse takes a URL az://container/key apart.
func parse(rawURL string) (container, key string, err error) {
	rest, ok := strings.CutPrefix(rawURL, "az://")
	container, key, _ = strings.Cut(rest, "/")
	if !ok || container == "" {
		return "", "", &blosc2.OptionError{Option: "URL", Value: rawURL, Range: "az://CONTAINER/KEY"}
	}
	return container, key, nil
}

// parseObject does so where there must be a key.
func parseObject(rawURL string) (container, key string, err error) {
	container, key, err = parse(rawURL)
	if err == nil && key == "" {
		err = &blosc2.OptionError{Option: "URL", Value: rawURL, Range: "az://CONTAINER/KEY"}
	}
	return container, key, err
}
