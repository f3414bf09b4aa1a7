package s3

import (
	"cmp"
	"net/http"
	"os"
	"time"

	"github.com/minio/minio-go/v7/pkg/credentials"
)

// FromEnv returns the Store that the environment describes, by the usual variables:
// AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL, AWS_REGION or AWS_DEFAULT_REGION,
// AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN, or AWS_PROFILE of the
// file AWS_SHARED_CREDENTIALS_FILE. Without these it uses the role of the machine, if
// the store is Amazon's, and otherwise does not sign requests.
func FromEnv() (*Store, error) { return FromEnvAt("") }

// FromEnvAt is like FromEnv, for the store with the given URL, if that is not
// empty.
func FromEnvAt(endpoint string) (*Store, error) {
	o := Options{
		Endpoint: cmp.Or(endpoint, os.Getenv("AWS_ENDPOINT_URL_S3"), os.Getenv("AWS_ENDPOINT_URL")),
		Region:   cmp.Or(os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION")),
	}
	o.GrowParts = o.Endpoint == ""
	providers := []credentials.Provider{&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}}
	if o.Endpoint == "" {
		providers = append(providers, &credentials.IAM{Client: &http.Client{Timeout: 2 * time.Second}})
	}
	o.chain = credentials.NewChainCredentials(providers)
	return New(o)
}
