package azure_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/remote/azure"
)

// A missing or invalid variable results in an error of one clear line that contains no
// key.
func TestEnv(t *testing.T) {
	for _, tt := range []struct {
		connection, account, key, endpoint, want string
	}{
		{"", "", "", "", "AZURE_STORAGE_ACCOUNT"},
		{"AccountKey=secret", "", "", "", "AZURE_STORAGE_CONNECTION_STRING: must have"},
		{"", "account", "not base64", "", "AZURE_STORAGE_KEY: must be in base64"},
		{"", "account", "c2VjcmV0", "ftp://host", "endpoint ftp://host"},
	} {
		t.Setenv("AZURE_STORAGE_CONNECTION_STRING", tt.connection)
		t.Setenv("AZURE_STORAGE_ACCOUNT", tt.account)
		t.Setenv("AZURE_STORAGE_KEY", tt.key)
		t.Setenv("AZURE_STORAGE_SAS_TOKEN", "")
		t.Setenv("AZURE_STORAGE_SERVICE_ENDPOINT", tt.endpoint)
		_, err := azure.FromEnv()
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.ContainsAny(err.Error(), "\n") || strings.Contains(err.Error(), "secret") {
			t.Errorf("%+v: %v", tt, err)
		}
		if tt.endpoint != "" && !errors.Is(err, blosc2.ErrOption) {
			t.Errorf("%+v: %v", tt, err)
		}
	}
}

// An account without credentials results in fs.ErrPermission, in one line.
func TestNoCredentials(t *testing.T) {
	t.Setenv("AZURE_STORAGE_CONNECTION_STRING", "")
	t.Setenv("AZURE_STORAGE_ACCOUNT", "account")
	t.Setenv("AZURE_STORAGE_KEY", "")
	t.Setenv("AZURE_STORAGE_SAS_TOKEN", "")
	t.Setenv("AZURE_STORAGE_SERVICE_ENDPOINT", "https://127.0.0.1:1")
	t.Setenv("AZURE_TOKEN_CREDENTIALS", "EnvironmentCredential") // so that no other machine is asked for credentials
	t.Setenv("PATH", "")
	store, err := azure.FromEnv()
	if err == nil {
		_, err = store.Open(t.Context(), "az://container/key")
	}
	if !errors.Is(err, fs.ErrPermission) || strings.Contains(err.Error(), "\n") {
		t.Error(err)
	}
	t.Log(err)
}
