package azure

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/service"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/stores"
)

// errNoAccount is the error of FromEnv without an account.
var errNoAccount = errors.New("no account: set AZURE_STORAGE_CONNECTION_STRING, or AZURE_STORAGE_ACCOUNT and credentials")

// FromEnv returns the Store that the environment describes, by the usual variables:
// AZURE_STORAGE_CONNECTION_STRING, or AZURE_STORAGE_ACCOUNT with AZURE_STORAGE_KEY
// or AZURE_STORAGE_SAS_TOKEN. Without either, the credentials are Azure's default
// ones: those of AZURE_CLIENT_ID and its related variables, of the machine, or of
// the az command. AZURE_STORAGE_SERVICE_ENDPOINT is the URL of another server.
func FromEnv() (*Store, error) { return FromEnvAt("") }

// FromEnvAt is like FromEnv, for the server with the given URL, if that is not
// empty. The URL must contain the account if the server expects it there:
// https://HOST or https://HOST/ACCOUNT.
func FromEnvAt(endpoint string) (*Store, error) {
	opts := &service.ClientOptions{ClientOptions: azcore.ClientOptions{Transport: &http.Client{Transport: stores.NewTransport()}}}
	account := os.Getenv("AZURE_STORAGE_ACCOUNT")
	endpoint = cmp.Or(endpoint, os.Getenv("AZURE_STORAGE_SERVICE_ENDPOINT"))
	if s := os.Getenv("AZURE_STORAGE_CONNECTION_STRING"); s != "" {
		if endpoint != "" {
			s = withEndpoint(s, endpoint)
		}
		client, err := service.NewClientFromConnectionString(s, opts)
		if err != nil { // omit the cause, which might repeat the key
			return nil, errors.New("AZURE_STORAGE_CONNECTION_STRING: must have AccountName=…;AccountKey=… or BlobEndpoint=…")
		}
		return New(client), nil
	}
	if account == "" {
		return nil, errNoAccount
	}
	endpoint = cmp.Or(endpoint, "https://"+account+".blob.core.windows.net/")
	if u, err := url.Parse(endpoint); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, &blosc2.OptionError{Option: "endpoint", Value: endpoint, Range: "https://HOST or http://HOST"}
	}
	client, err := newClient(account, endpoint, opts)
	if err != nil {
		return nil, err
	}
	return New(client), nil
}

func newClient(account, endpoint string, opts *service.ClientOptions) (*service.Client, error) {
	if key := os.Getenv("AZURE_STORAGE_KEY"); key != "" {
		cred, err := service.NewSharedKeyCredential(account, key)
		if err != nil {
			return nil, errors.New("AZURE_STORAGE_KEY: must be in base64")
		}
		return service.NewClientWithSharedKeyCredential(endpoint, cred, opts)
	}
	if token := os.Getenv("AZURE_STORAGE_SAS_TOKEN"); token != "" {
		return service.NewClientWithNoCredential(strings.TrimSuffix(endpoint, "/")+"/?"+strings.TrimPrefix(token, "?"), opts)
	}
	cred, err := azidentity.NewDefaultAzureCredential(nil)
	if err != nil {
		return nil, err
	}
	return service.NewClient(endpoint, cred, opts)
}

// withEndpoint replaces the server in a connection string.
func withEndpoint(connection, endpoint string) string {
	var fields []string
	for field := range strings.SplitSeq(connection, ";") {
		name, _, _ := strings.Cut(strings.TrimSpace(field), "=")
		if field != "" && !strings.EqualFold(name, "BlobEndpoint") {
			fields = append(fields, field)
		}
	}
	return strings.Join(append(fields, "BlobEndpoint="+endpoint), ";")
}
