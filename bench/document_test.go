package main

import (
	"os"
	"path/filepath"
	"testing"
)

// The documents in the repository equal those made from the results.
func TestDocuments(t *testing.T) {
	files, err := documents("..")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		have, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(name)))
		if err != nil {
			t.Error(err)
			continue
		}
		if string(have) != want {
			t.Errorf("%s is not what the results are: go run . -document", name)
		}
	}
}
