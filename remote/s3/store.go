package s3

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/stores"
)

// A Store is a store with the S3 protocol. It is safe for use by several
// goroutines.
type Store struct {
	read  *minio.Core // does not retry, because package remote does
	write *minio.Core
	grow  bool
	sums  bool // parts are signed by their SHA-256: over https the connection protects them
}

// Options holds the store's address and the caller's credentials. The zero value is
// for Amazon's store, without credentials.
type Options struct {
	Endpoint string // URL of the store; empty: https://s3.amazonaws.com
	Region   string // us-east-1 if empty
	// Credentials are the caller's; if empty, requests are not signed.
	AccessKey, SecretKey, SessionToken string
	// Transport makes the requests; nil means a default one.
	Transport http.RoundTripper
	// GrowParts allows parts of different sizes, as Amazon's store does; some others
	// require equal ones.
	GrowParts bool

	chain *credentials.Credentials
}

// New returns a Store.
func New(o Options) (*Store, error) {
	endpoint := cmp.Or(o.Endpoint, "https://s3.amazonaws.com")
	u, err := url.Parse(endpoint)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || strings.Trim(u.Path, "/") != "" {
		return nil, &blosc2.OptionError{Option: "endpoint", Value: endpoint, Range: "https://HOST or http://HOST"}
	}
	opts := minio.Options{Secure: u.Scheme == "https", Region: cmp.Or(o.Region, "us-east-1"), Transport: o.Transport, Creds: o.chain}
	if opts.Creds == nil {
		opts.Creds = credentials.NewStaticV4(o.AccessKey, o.SecretKey, o.SessionToken)
	}
	if opts.Transport == nil {
		opts.Transport = stores.NewTransport()
	}
	s := &Store{grow: o.GrowParts, sums: !opts.Secure}
	if s.write, err = minio.NewCore(u.Host, &opts); err != nil {
		return nil, err
	}
	opts.MaxRetries = 1
	s.read, err = minio.NewCore(u.Host, &opts)
	return s, err
}

// form is the form of an object's URL, for errors.
const form = "s3://BUCKET/KEY"
