// Package stores has what the drivers of stores have in common.
package stores

import (
	"net/http"
	"strings"

	"github.com/seed03b80dae/blosc2"
)

// Parse takes the URL of a bucket apart, or of what is in it. form is how it must be, as
// s3://BUCKET/KEY.
func Parse(form, rawURL string) (bucket, key string, err error) {
	scheme, _, _ := strings.Cut(form, "://")
	rest, ok := strings.CutPrefix(rawURL, scheme+"://")
	bucket, key, _ = strings.Cut(rest, "/")
	if !ok || bucket == "" {
		return "", "", &blosc2.OptionError{Option: "URL", Value: rawURL, Range: form}
	}
	return bucket, key, nil
}

// ParseObject is Parse for the URL of an object: there must be a key.
func ParseObject(form, rawURL string) (bucket, key string, err error) {
	bucket, key, err = Parse(form, rawURL)
	if err == nil && key == "" {
		err = &blosc2.OptionError{Option: "URL", Value: rawURL, Range: form}
	}
	return bucket, key, err
}

// NewTransport returns a transport that keeps as many connections as are used at a
// time, and does not ask for compressed answers, of which ranges mean nothing.
func NewTransport() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConnsPerHost = 64
	t.DisableCompression = true
	return t
}
