// Package stores holds the code that the drivers of stores share.
package stores

import (
	"net/http"
	"strings"

	"github.com/seed03b80dae/blosc2"
)

// Parse parses the URL of a bucket, or of an object or prefix in it. form is the
// form of such URLs, for errors, such as s3://BUCKET/KEY.
func Parse(form, rawURL string) (bucket, key string, err error) {
	scheme, _, _ := strings.Cut(form, "://")
	rest, ok := strings.CutPrefix(rawURL, scheme+"://")
	bucket, key, _ = strings.Cut(rest, "/")
	if !ok || bucket == "" {
		return "", "", &blosc2.OptionError{Option: "URL", Value: rawURL, Range: form}
	}
	return bucket, key, nil
}

// ParseObject is like Parse, for the URL of an object: there must be a key.
func ParseObject(form, rawURL string) (bucket, key string, err error) {
	bucket, key, err = Parse(form, rawURL)
	if err == nil && key == "" {
		err = &blosc2.OptionError{Option: "URL", Value: rawURL, Range: form}
	}
	return bucket, key, err
}

// NewTransport returns a transport that keeps as many connections as are used at a
// time. It does not request compressed responses, because ranges of these are
// useless.
func NewTransport() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConnsPerHost = 64
	t.DisableCompression = true
	return t
}
