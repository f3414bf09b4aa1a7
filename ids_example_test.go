package blosc2_test

import (
	"flag"
	"fmt"

	"github.com/seed03b80dae/blosc2"
)

// A codec is set by a flag of a program, by its name.
func ExampleCodecID_UnmarshalText() {
	var codec blosc2.CodecID
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	flags.TextVar(&codec, "codec", blosc2.CodecLZ4, "codec to compress with")
	err := flags.Parse([]string{"-codec", "zstd"})
	fmt.Println(codec, err)

	fmt.Println(codec.UnmarshalText([]byte("lzma")) != nil)
	// Output:
	// zstd <nil>
	// true
}
