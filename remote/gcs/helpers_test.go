package gcs_test

import (
	"testing"

	"github.com/seed03b80dae/blosc2/internal/storetest"
	"github.com/seed03b80dae/blosc2/remote/gcs"
)

// connect connects by the settings in the environment.
func connect(t testing.TB, address string) storetest.Store {
	t.Helper()
	t.Setenv("STORAGE_EMULATOR_HOST", address)
	s, err := gcs.FromEnv()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}
