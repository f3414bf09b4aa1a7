package driver

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/seed03b80dae/blosc2/parts"
	"github.com/seed03b80dae/blosc2/remote"
)

// A Client is the store that a driver serves. It is safe for use by several
// goroutines.
type Client struct {
	http *http.Client
	conn *conn
	wait func() error // waits until the driver has ended; nil if it is not a program
}

// New returns the store of the driver that writes to in and reads from out. Close
// must be called.
func New(in io.ReadCloser, out io.WriteCloser) *Client {
	c := &Client{conn: newConn(in, out)}
	var dialed atomic.Bool
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		if !dialed.Swap(true) {
			return c.conn, nil
		}
		// A Transport that has just made the connection may dial again for the next request.
		// It uses the first connection if that is ready before this one.
		select {
		case <-c.conn.ended:
			return nil, errors.New("the driver has ended")
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	c.http = &http.Client{Transport: &http.Transport{DialContext: dial, Protocols: unencrypted, HTTP2: clientLimits, DisableCompression: true}}
	return c
}

// Close ends the driver, which then drops the uploads that are not complete.
func (c *Client) Close() error {
	err := c.conn.Close()
	c.http.CloseIdleConnections()
	if c.wait != nil {
		err = c.wait()
	}
	return err
}

// Open opens an object: see remote.New.
func (c *Client) Open(ctx context.Context, rawURL string, opts ...remote.Option) (*remote.Object, error) {
	return remote.New(ctx, &object{c, rawURL}, rawURL, opts...)
}

// do makes a request, and returns the answer if it is not an error.
func (c *Client) do(ctx context.Context, method, path string, query url.Values, body io.Reader) (*http.Response, error) {
	u := url.URL{Scheme: "http", Host: "driver", Path: path, RawQuery: query.Encode()}
	req, err := http.NewRequestWithContext(ctx, method, u.String(), body)
	if err != nil {
		return nil, err
	}
	if b, ok := body.(*partBody); ok {
		req.ContentLength = b.size
	}
	resp, err := c.http.Do(req)
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			return nil, cause
		}
		var u *url.Error
		if errors.As(err, &u) {
			err = u.Err
		}
		return nil, fmt.Errorf("no response from the driver: %w", err)
	}
	if err := readFault(resp); err != nil {
		resp.Body.Close()
		return nil, err
	}
	return resp, nil
}

// order makes a request and ignores the answer.
func (c *Client) order(ctx context.Context, method, path string, query url.Values, body io.Reader) error {
	resp, err := c.do(ctx, method, path, query, body)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// An object is a remote.Backend.
type object struct {
	c   *Client
	url string
}

func (o *object) Open(ctx context.Context, off, n int64, version string) (io.ReadCloser, remote.Info, error) {
	return o.get(ctx, url.Values{
		"url": {o.url}, "off": {strconv.FormatInt(off, 10)}, "n": {strconv.FormatInt(n, 10)}, "version": {version},
	})
}

// OpenEnd implements remote.Ender.
func (o *object) OpenEnd(ctx context.Context, n int64) (io.ReadCloser, remote.Info, error) {
	return o.get(ctx, url.Values{"url": {o.url}, "off": {"-1"}, "n": {strconv.FormatInt(n, 10)}})
}

// get requests a range from the driver.
func (o *object) get(ctx context.Context, query url.Values) (io.ReadCloser, remote.Info, error) {
	resp, err := o.c.do(ctx, http.MethodGet, "/1/object", query, nil)
	if err != nil {
		return nil, remote.Info{}, err
	}
	size, err1 := strconv.ParseInt(resp.Header.Get("Blosc2-Size"), 10, 64)
	version, err2 := strconv.Unquote(resp.Header.Get("Blosc2-Version"))
	if err1 != nil || err2 != nil {
		resp.Body.Close()
		return nil, remote.Info{}, errVersion
	}
	return resp.Body, remote.Info{Size: size, Version: version}, nil
}

// Put begins an object: see remote.Create, remote.CreateArray and remote.NewUpload. It
// makes no request.
func (c *Client) Put(rawURL string) (parts.Object, error) {
	return c.upload(context.Background(), url.Values{"url": {rawURL}})
}

// Shared returns an object that many processes put: see remote.WriteShard.
func (c *Client) Shared(ctx context.Context, rawURL, id string) (parts.Object, error) {
	return c.upload(ctx, url.Values{"url": {rawURL}, "shared": {id}})
}

// Delete deletes an object; a missing one is not an error.
func (c *Client) Delete(ctx context.Context, rawURL string) error {
	return c.order(ctx, http.MethodDelete, "/1/object", url.Values{"url": {rawURL}}, nil)
}

func (c *Client) upload(ctx context.Context, query url.Values) (parts.Object, error) {
	resp, err := c.do(ctx, http.MethodPost, "/1/upload", query, nil)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	u := &upload{c: c}
	if err := json.NewDecoder(resp.Body).Decode(&u.begun); err != nil {
		return nil, errVersion
	}
	return u, nil
}

// An upload is an upload by the driver.
type upload struct {
	begun
	c *Client
}

func (u *upload) Rules() parts.Rules { return u.begun.Rules }

func (u *upload) path() string { return "/1/upload/" + u.ID }

// Put sends a part, which the driver forwards as it arrives. If the store needs it
// again, Put sends it again and the driver keeps it.
func (u *upload) Put(ctx context.Context, n int, r io.ReadSeeker, size int64) (tag string, err error) {
	query := url.Values{}
	if u.begun.Rules.Sums {
		hash := sha256.New()
		if _, err := io.Copy(hash, r); err != nil {
			return "", err
		}
		if _, err := r.Seek(0, io.SeekStart); err != nil {
			return "", err
		}
		query.Set("sum", hex.EncodeToString(hash.Sum(nil)))
	}
	tag, err = u.put(ctx, n, query, r, size)
	if errors.Is(err, errAgain) {
		if _, err := r.Seek(0, io.SeekStart); err != nil {
			return "", err
		}
		query.Set("keep", "1")
		tag, err = u.put(ctx, n, query, r, size)
	}
	return tag, err
}

func (u *upload) put(ctx context.Context, n int, query url.Values, r io.Reader, size int64) (tag string, err error) {
	body := &partBody{Reader: r, size: size, closed: make(chan struct{})}
	resp, err := u.c.do(ctx, http.MethodPut, u.path()+"/"+strconv.Itoa(n), query, body)
	<-body.closed // wait until the request no longer reads r
	if err != nil {
		return "", err
	}
	return resp.Header.Get("Blosc2-Tag"), resp.Body.Close()
}

// A partBody is the body of a request, which may be in use after the answer, until
// it is closed.
type partBody struct {
	io.Reader
	size   int64
	once   sync.Once
	closed chan struct{}
}

func (b *partBody) Close() error {
	b.once.Do(func() { close(b.closed) })
	return nil
}

func (u *upload) Complete(ctx context.Context, list []parts.Part) error {
	b, err := json.Marshal(list)
	if err != nil {
		return err
	}
	return u.c.order(ctx, http.MethodPost, u.path(), nil, bytes.NewReader(b))
}

func (u *upload) Abort(ctx context.Context) error {
	return u.c.order(ctx, http.MethodDelete, u.path(), nil, nil)
}

// Unfinished yields the uploads of all programs below a URL that are not complete,
// if the store can list them.
func (c *Client) Unfinished(ctx context.Context, rawURL string) iter.Seq2[remote.Unfinished, error] {
	return func(yield func(remote.Unfinished, error) bool) {
		resp, err := c.do(ctx, http.MethodGet, "/1/unfinished", url.Values{"url": {rawURL}}, nil)
		if err != nil {
			yield(remote.Unfinished{}, err)
			return
		}
		defer resp.Body.Close()
		for lines := json.NewDecoder(resp.Body); ; {
			var line listed
			if err := lines.Decode(&line); err == io.EOF {
				return
			} else if err != nil {
				yield(remote.Unfinished{}, err)
				return
			}
			if line.Fault != nil {
				err = line.Fault.err()
			}
			if !yield(line.Unfinished, err) || err != nil {
				return
			}
		}
	}
}

// Remove drops an upload that is not complete.
func (c *Client) Remove(ctx context.Context, u remote.Unfinished) error {
	b, err := json.Marshal(u)
	if err != nil {
		return err
	}
	return c.order(ctx, http.MethodDelete, "/1/unfinished", nil, bytes.NewReader(b))
}
