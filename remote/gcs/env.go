package gcs

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"

	"cloud.google.com/go/storage"
	"golang.org/x/oauth2/google"
	"google.golang.org/api/option"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/stores"
)

// FromEnv returns the Store that the environment describes. STORAGE_EMULATOR_HOST
// is the host of another server, for tests. Credentials are Google's default ones:
// those of the file GOOGLE_APPLICATION_CREDENTIALS, of the gcloud command, or of
// the machine. If there are none, requests are not signed, and only public objects
// can be read.
func FromEnv() (*Store, error) { return FromEnvAt("") }

// FromEnvAt is like FromEnv, for the store with the given URL, if that is not
// empty.
func FromEnvAt(endpoint string) (*Store, error) {
	ctx := context.Background()
	opts := []option.ClientOption{storage.WithJSONReads()}
	if endpoint != "" {
		u, err := url.Parse(endpoint)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || strings.Trim(u.Path, "/") != "" {
			return nil, &blosc2.OptionError{Option: "endpoint", Value: endpoint, Range: "https://HOST or http://HOST"}
		}
		opts = append(opts, option.WithEndpoint(u.Scheme+"://"+u.Host+"/storage/v1/"))
	}
	if file := os.Getenv(credentialsFile); file != "" && os.Getenv("STORAGE_EMULATOR_HOST") == "" {
		if _, err := os.Stat(file); err != nil {
			return nil, fmt.Errorf("the file that %s names: %w", credentialsFile, err)
		}
	}
	if os.Getenv("STORAGE_EMULATOR_HOST") != "" || !haveCredentials(ctx) {
		opts = append(opts, option.WithHTTPClient(&http.Client{Transport: stores.NewTransport()}))
	}
	client, err := storage.NewClient(ctx, opts...)
	if err != nil {
		return nil, err
	}
	return New(client), nil
}

const credentialsFile = "GOOGLE_APPLICATION_CREDENTIALS"

// haveCredentials reports whether there are default credentials. Credentials that the
// environment names must exist.
func haveCredentials(ctx context.Context) bool {
	if os.Getenv(credentialsFile) != "" {
		return true
	}
	_, err := google.FindDefaultCredentials(ctx, storage.ScopeReadWrite)
	return err == nil
}
