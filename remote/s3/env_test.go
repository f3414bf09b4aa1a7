package s3_test

import (
	"testing"

	"github.com/seed03b80dae/blosc2/remote/s3"
)

// Parts grow only in Amazon's store, because others may require parts of equal size.
func TestGrow(t *testing.T) {
	for _, tt := range []struct {
		env, ofS3, endpoint string
		grow                bool
	}{
		{grow: true},
		{env: "https://store.example.com"},
		{ofS3: "https://store.example.com"},
		{endpoint: "https://store.example.com"},
	} {
		t.Setenv("AWS_ENDPOINT_URL", tt.env)
		t.Setenv("AWS_ENDPOINT_URL_S3", tt.ofS3)
		store, err := s3.FromEnvAt(tt.endpoint)
		if err != nil {
			t.Fatal(err)
		}
		object, err := store.Put("s3://bucket/key")
		if err != nil {
			t.Fatal(err)
		}
		if object.Rules().Grow != tt.grow {
			t.Errorf("%+v: the rules are %+v", tt, object.Rules())
		}
	}
}
