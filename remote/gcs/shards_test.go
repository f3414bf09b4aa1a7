package gcs_test

import (
	"bytes"
	"io"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/storetest"
	"github.com/seed03b80dae/blosc2/parts"
)

// An object may have more parts than the store can compose in two steps.
func TestManyParts(t *testing.T) {
	server := storetest.FakeGoogle(t, "http://127.0.0.1")
	store := connect(t, server)
	object, err := store.Shared(t.Context(), "gs://bucket/many", "id")
	if err != nil {
		t.Fatal(err)
	}
	const n = 32*32 + 1
	var want strings.Builder
	list := make([]parts.Part, n)
	var group sync.WaitGroup
	slots := make(chan bool, 8)
	for i := range list {
		body := strconv.Itoa(i) + ","
		want.WriteString(body)
		list[i] = parts.Part{Number: i + 1, Size: int64(len(body))}
		slots <- true
		group.Go(func() {
			defer func() { <-slots }()
			if _, err := object.Put(t.Context(), i+1, strings.NewReader(body), int64(len(body))); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if err := object.Complete(t.Context(), list); err != nil {
		t.Fatal(err)
	}
	o, err := store.Open(t.Context(), "gs://bucket/many")
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	got := make([]byte, o.Size())
	if _, err := o.ReadAt(got, 0); err != nil && err != io.EOF || !bytes.Equal(got, []byte(want.String())) {
		t.Errorf("%d bytes, other ones than the %d that were put, or %v", len(got), want.Len(), err)
	}
	for u, err := range store.Unfinished(t.Context(), "gs://bucket") {
		t.Errorf("left: %v, %v", u, err)
	}
}
