package stream_test

import (
	"bytes"
	"fmt"
	"io"
	"log"

	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/stream"
)

// Metadata that are stored with the data are msgpack, so that Python finds them in
// schunk.vlmeta.
func ExampleWriter_SetVLMetaValue() {
	var wire bytes.Buffer
	w, err := stream.NewWriter(&wire)
	if err != nil {
		log.Fatal(err)
	}
	io.WriteString(w, "measured")
	w.SetVLMetaValue("sensor", map[string]any{"unit": "mV", "gain": 2.5, "channels": []int{1, 2}})
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}

	r, err := stream.NewReader(&wire)
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	if _, err := io.Copy(io.Discard, r); err != nil {
		log.Fatal(err)
	}
	sensor, _, err := r.VLMetaValue("sensor")
	if err != nil {
		log.Fatal(err)
	}
	unit, _ := sensor.(meta.Map).Get("unit")
	text, _ := meta.JSON(sensor)
	fmt.Printf("%s %s\n", unit, text)
	// Output: mV {"channels":[1,2],"gain":2.5,"unit":"mV"}
}
