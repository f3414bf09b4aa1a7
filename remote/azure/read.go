package azure

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"

	"github.com/seed03b80dae/blosc2/internal/stores"
	"github.com/seed03b80dae/blosc2/remote"
)

// Open opens the blob that a URL az://container/key names: see remote.New.
func (s *Store) Open(ctx context.Context, rawURL string, opts ...remote.Option) (*remote.Object, error) {
	b, err := s.Object(rawURL)
	if err != nil {
		return nil, err
	}
	return remote.New(ctx, b, rawURL, opts...)
}

// Object returns the blob that a URL az://container/key names, for remote.New. It makes
// no request.
func (s *Store) Object(rawURL string) (remote.Backend, error) {
	container, key, err := stores.ParseObject(form, rawURL)
	if err != nil {
		return nil, err
	}
	return remote.NewBackend(&object{s.client.NewContainerClient(container).NewBlobClient(key)}), nil
}

// An object is a remote.Getter.
type object struct {
	client *blob.Client
}

// once disables the client's retries, because package remote retries.
var once = policy.RetryOptions{MaxRetries: -1}

func (o *object) Get(ctx context.Context, off, n int64, version string) (a remote.Answer, err error) {
	if off < 0 {
		return a, remote.ErrNoRanges
	}
	opts := blob.DownloadStreamOptions{Range: blob.HTTPRange{Offset: off, Count: n}}
	if version != "" {
		etag := azcore.ETag(version)
		opts.AccessConditions = &blob.AccessConditions{ModifiedAccessConditions: &blob.ModifiedAccessConditions{IfMatch: &etag}}
	}
	resp, err := o.client.DownloadStream(policy.WithRetryOptions(ctx, once), &opts)
	if err != nil {
		return a, asStatus(err)
	}
	a.Body = resp.Body
	if resp.ETag != nil {
		a.Version = string(*resp.ETag)
	}
	switch {
	case resp.ContentRange != nil:
		err = a.SetRange(*resp.ContentRange)
	case resp.ContentLength != nil: // the answer is the whole blob
		a.To, a.Size = *resp.ContentLength, *resp.ContentLength
	default:
		err = remote.ErrNoRanges
	}
	if err != nil {
		resp.Body.Close()
	}
	return a, err
}

func (o *object) Stat(ctx context.Context) (info remote.Info, err error) {
	props, err := o.client.GetProperties(policy.WithRetryOptions(ctx, once), nil)
	if err != nil {
		return info, asStatus(err)
	}
	if props.ContentLength == nil || props.ETag == nil {
		return info, errors.New("the store does not report the length of the blob")
	}
	return remote.Info{Size: *props.ContentLength, Version: string(*props.ETag)}, nil
}

// asStatus returns a *remote.StatusError for the error of an answer.
func asStatus(err error) error {
	var nobody *azidentity.AuthenticationFailedError
	if errors.As(err, &nobody) || err != nil && strings.Contains(err.Error(), "DefaultAzureCredential") {
		return fmt.Errorf("no credentials: set AZURE_STORAGE_KEY, AZURE_STORAGE_SAS_TOKEN or AZURE_CLIENT_ID, or run az login: %w", fs.ErrPermission)
	}
	var answer *azcore.ResponseError
	if !errors.As(err, &answer) {
		return err
	}
	var header http.Header
	if answer.RawResponse != nil {
		header = answer.RawResponse.Header
	}
	return remote.NewStatusError(answer.StatusCode, answer.ErrorCode, header)
}
