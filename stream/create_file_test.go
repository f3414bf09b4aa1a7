package stream_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/stream"
)

// Invalid options leave the contents of a file unchanged.
func TestCreateFileWrongOptions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.b2frame")
	must(t, os.WriteFile(path, []byte("precious"), 0o666))
	_, err := stream.CreateFile(path, stream.TypeSize(-3))
	if oe := (*blosc2.OptionError)(nil); !errors.As(err, &oe) {
		t.Errorf("error %v", err)
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != "precious" {
		t.Errorf("the file holds %q afterwards, %v", b, err)
	}
}
