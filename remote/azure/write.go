package azure

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net/http"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/streaming"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blockblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"

	"github.com/seed03b80dae/blosc2/internal/stores"
	"github.com/seed03b80dae/blosc2/parts"
	"github.com/seed03b80dae/blosc2/remote"
)

// Put begins the blob that a URL az://container/key names, for remote.Create,
// remote.CreateArray or remote.NewUpload. It makes no request.
func (s *Store) Put(rawURL string) (parts.Object, error) {
	container, key, err := stores.ParseObject(form, rawURL)
	if err != nil {
		return nil, err
	}
	return &upload{client: s.client.NewContainerClient(container).NewBlockBlobClient(key), id: rand.Text()}, nil
}

// These are Azure's published limits for blocks.
const (
	blocksMost = 50_000
	blockMax   = 4000 << 20
)

// An upload writes the blocks of a blob.
type upload struct {
	client *blockblob.Client
	id     string // prefix of the names of this upload's blocks
	shared bool   // other processes also put blocks of the blob
}

// Shared returns the blob of a URL az://container/key that several processes write
// together. They pass the same id, which has at most 32 letters and digits: see
// remote.WriteShard. The names of its blocks begin with the id.
func (s *Store) Shared(_ context.Context, rawURL, id string) (parts.Object, error) {
	container, key, err := stores.ParseObject(form, rawURL)
	if err != nil {
		return nil, err
	}
	return &upload{client: s.client.NewContainerClient(container).NewBlockBlobClient(key), id: id, shared: true}, nil
}

// Delete deletes the blob of a URL az://container/key; a missing one is not an
// error.
func (s *Store) Delete(ctx context.Context, rawURL string) error {
	container, key, err := stores.ParseObject(form, rawURL)
	if err != nil {
		return err
	}
	_, err = s.client.NewContainerClient(container).NewBlobClient(key).Delete(ctx, nil)
	if err = asStatus(err); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Rules returns the limits of blocks. The header is a separate block.
func (u *upload) Rules() parts.Rules {
	return parts.Rules{Max: blockMax, Count: blocksMost, Grow: true, Head: true, Shared: u.shared}
}

// Put stores a block and returns its name as the tag. The names of a blob's blocks must
// have the same length.
func (u *upload) Put(ctx context.Context, n int, body io.ReadSeeker, size int64) (tag string, err error) {
	tag = base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "%s-%05d", u.id, n))
	_, err = u.client.StageBlock(ctx, tag, streaming.NopCloser(body), nil)
	return tag, asStatus(err)
}

func (u *upload) Complete(ctx context.Context, list []parts.Part) error {
	names := make([]string, len(list))
	for i, part := range list {
		names[i] = part.Tag
	}
	kind := "application/octet-stream"
	_, err := u.client.CommitBlockList(ctx, names, &blockblob.CommitBlockListOptions{HTTPHeaders: &blob.HTTPHeaders{BlobContentType: &kind}})
	return asStatus(err)
}

// Abort leaves the blocks to the store, which has no request to drop them.
func (u *upload) Abort(context.Context) error { return nil }

// Unfinished yields the blobs below a URL az://container or az://container/prefix that
// consist only of uncommitted blocks, with the name of the first block as ID. It also
// yields blobs that other programs have begun.
func (s *Store) Unfinished(ctx context.Context, rawURL string) iter.Seq2[remote.Unfinished, error] {
	return func(yield func(remote.Unfinished, error) bool) {
		name, prefix, err := stores.Parse(form, rawURL)
		if err != nil {
			yield(remote.Unfinished{}, err)
			return
		}
		c := s.client.NewContainerClient(name)
		pages := c.NewListBlobsFlatPager(&container.ListBlobsFlatOptions{Prefix: &prefix, Include: container.ListBlobsInclude{UncommittedBlobs: true}})
		for pages.More() {
			page, err := pages.NextPage(ctx)
			if err != nil {
				yield(remote.Unfinished{}, asStatus(err))
				return
			}
			for _, item := range page.Segment.BlobItems {
				id, err := uncommitted(ctx, c, item)
				if id == "" && err == nil {
					continue
				}
				u := remote.Unfinished{URL: "az://" + name + "/" + *item.Name, ID: id}
				if at := item.Properties.LastModified; at != nil {
					u.Begun = *at
				}
				if !yield(u, err) {
					return
				}
			}
		}
	}
}

// uncommitted returns the name of the first block of a blob that consists only of
// uncommitted blocks, and "" for any other.
func uncommitted(ctx context.Context, c *container.Client, item *container.BlobItem) (string, error) {
	if p := item.Properties; p == nil || p.ContentLength != nil && *p.ContentLength > 0 {
		return "", nil
	}
	if kind := item.Properties.BlobType; kind != nil && *kind != blob.BlobTypeBlockBlob {
		return "", nil
	}
	list, err := c.NewBlockBlobClient(*item.Name).GetBlockList(ctx, blockblob.BlockListTypeAll, nil)
	if err != nil {
		return "", asStatus(err)
	}
	if len(list.CommittedBlocks) > 0 || len(list.UncommittedBlocks) == 0 || list.UncommittedBlocks[0].Name == nil {
		return "", nil
	}
	return *list.UncommittedBlocks[0].Name, nil
}

// Remove drops the blocks of an unfinished upload, unless there is now a blob of
// that name. It briefly creates an empty blob, because the store drops blocks when
// a list without them is committed.
func (s *Store) Remove(ctx context.Context, u remote.Unfinished) error {
	container, key, err := stores.ParseObject(form, u.URL)
	if err != nil {
		return err
	}
	client := s.client.NewContainerClient(container).NewBlockBlobClient(key)
	none := azcore.ETagAny
	made, err := client.CommitBlockList(ctx, []string{}, &blockblob.CommitBlockListOptions{
		AccessConditions: &blob.AccessConditions{ModifiedAccessConditions: &blob.ModifiedAccessConditions{IfNoneMatch: &none}},
	})
	if err != nil {
		return asConflict(err)
	}
	_, err = client.Delete(ctx, &blob.DeleteOptions{
		AccessConditions: &blob.AccessConditions{ModifiedAccessConditions: &blob.ModifiedAccessConditions{IfMatch: made.ETag}},
	})
	return asConflict(err)
}

// asConflict is like asStatus, but returns fs.ErrExist if a request failed because the
// blob exists.
func asConflict(err error) error {
	var answer *azcore.ResponseError
	if errors.As(err, &answer) && (answer.StatusCode == http.StatusConflict || answer.StatusCode == http.StatusPreconditionFailed) {
		return fmt.Errorf("another writer created the blob first: %w", fs.ErrExist)
	}
	return asStatus(err)
}
