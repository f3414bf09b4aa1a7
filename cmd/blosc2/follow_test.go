package main

import (
	"fmt"
	"os"
	"time"

	"github.com/seed03b80dae/blosc2/stream"
)

// logger is a command of the scripts: logger FILE appends ten int64 to a log in
// each of ten flushes, with pauses between them, and closes it; logger -kill FILE
// ends without closing it.
func logger() {
	path := os.Args[len(os.Args)-1]
	w, err := stream.AppendFile(path, stream.TypeSize(8), stream.ChunkSize(256))
	for i := 0; i < 10 && err == nil; i++ {
		time.Sleep(5 * time.Millisecond)
		for j := range 10 {
			if _, err = w.Write([]byte{byte(10*i + j), 0, 0, 0, 0, 0, 0, 0}); err != nil {
				break
			}
		}
		if err == nil {
			err = w.Flush()
		}
	}
	if err == nil && os.Args[1] != "-kill" {
		err = w.Close()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}
