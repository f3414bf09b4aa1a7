package gcs_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/remote/gcs"
)

// An invalid environment results in an error of one clear line.
func TestEnv(t *testing.T) {
	t.Setenv("STORAGE_EMULATOR_HOST", "")
	missing := filepath.Join(t.TempDir(), "credentials.json")
	t.Setenv("GOOGLE_APPLICATION_CREDENTIALS", missing)
	if _, err := gcs.FromEnv(); err == nil || !strings.Contains(err.Error(), missing) || !strings.Contains(err.Error(), "GOOGLE_APPLICATION_CREDENTIALS") || strings.Contains(err.Error(), "\n") {
		t.Errorf("a file that is missing: %v", err)
	}
	if _, err := gcs.FromEnvAt("ftp://host"); !errors.Is(err, blosc2.ErrOption) {
		t.Errorf("an endpoint that cannot be: %v", err)
	}
}
