package azure

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"

	"github.com/seed03b80dae/blosc2"
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

// Object returns the blob that a URL az://container/key names, for remote.New. It
// asks the store for nothing yet.
func (s *Store) Object(rawURL string) (remote.Backend, error) {
	container, key, err := parseObject(rawURL)
	if err != nil {
		return nil, err
	}
	return &object{s.client.NewContainerClient(container).NewBlobClient(key)}, nil
}

// An object is a remote.Backend.
type object struct {
	client *blob.Client
}

// once makes requests once: package remote makes them again.
var once = policy.RetryOptions{MaxRetries: -1}

func (o *object) Open(ctx context.Context, off, n int64, version string) (io.ReadCloser, remote.Info, error) {
	ctx = policy.WithRetryOptions(ctx, once)
	opts := blob.DownloadStreamOptions{Range: blob.HTTPRange{Offset: off, Count: n}}
	if version != "" {
		etag := azcore.ETag(version)
		opts.AccessConditions = &blob.AccessConditions{ModifiedAccessConditions: &blob.ModifiedAccessConditions{IfMatch: &etag}}
	}
	resp, err := o.client.DownloadStream(ctx, &opts)
	if err != nil {
		err = asStatus(err)
		var status *remote.StatusError
		if errors.As(err, &status) && status.Code == http.StatusRequestedRangeNotSatisfiable {
			return o.empty(ctx)
		}
		return nil, remote.Info{}, err
	}
	info, err := rangeOf(resp, off, n)
	if err != nil {
		resp.Body.Close()
		return nil, info, err
	}
	return resp.Body, info, nil
}

// rangeOf judges an answer to a request for n bytes from off on.
func rangeOf(resp blob.DownloadStreamResponse, off, n int64) (info remote.Info, err error) {
	if resp.ETag != nil {
		info.Version = string(*resp.ETag)
	}
	if resp.ContentRange == nil { // all of the blob, which is right only if no more was asked for
		if resp.ContentLength != nil && off == 0 && *resp.ContentLength <= n {
			info.Size = *resp.ContentLength
			return info, nil
		}
		return info, remote.ErrNoRanges
	}
	from, to, size, err := remote.ParseContentRange(*resp.ContentRange)
	if info.Size = size; err == nil && (from != off || to != min(off+n, size)) {
		err = fmt.Errorf("the store answers with bytes %d to %d of %d; %d to %d were asked for", from, to-1, size, off, off+n-1)
	}
	return info, err
}

// empty is Open for a blob that has no such range, because it is empty.
func (o *object) empty(ctx context.Context) (io.ReadCloser, remote.Info, error) {
	props, err := o.client.GetProperties(ctx, nil)
	if err != nil {
		return nil, remote.Info{}, asStatus(err)
	}
	if props.ContentLength == nil || props.ETag == nil {
		return nil, remote.Info{}, errors.New("the store does not say how long the blob is")
	}
	return http.NoBody, remote.Info{Size: *props.ContentLength, Version: string(*props.ETag)}, nil
}

// asStatus makes the error of an answer what package remote understands.
func asStatus(err error) error {
	var nobody *azidentity.AuthenticationFailedError
	if errors.As(err, &nobody) || err != nil && strings.Contains(err.Error(), "DefaultAzureCredential") {
		return fmt.Errorf("no credentials: set AZURE_STORAGE_KEY, AZURE_STORAGE_SAS_TOKEN or AZURE_CLIENT_ID, or run az login: %w", fs.ErrPermission)
	}
	var answer *azcore.ResponseError
	if !errors.As(err, &answer) {
		return err
	}
	if answer.StatusCode == http.StatusPreconditionFailed {
		return fmt.Errorf("the blob was replaced while it was read; open it again: %w", blosc2.ErrChanged)
	}
	status := &remote.StatusError{Code: answer.StatusCode, Reason: answer.ErrorCode}
	if r := answer.RawResponse; r != nil {
		if seconds, err := strconv.Atoi(r.Header.Get("Retry-After")); err == nil && seconds > 0 {
			status.Wait = time.Duration(min(seconds, 3600)) * time.Second
		}
	}
	return status
}
