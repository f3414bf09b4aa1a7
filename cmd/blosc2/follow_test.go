package main

import (
	"fmt"
	"os"
	"time"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/stream"
)

// logger is a command of the scripts. logger FILE appends ten int64 to a log in each of
// ten flushes, with pauses between them, and closes it. logger -kill FILE exits without
// closing the log, and logger -commit FILE exits after a Checkpoint. logger -hold FILE
// runs until the script kills it. logger -rows FILE writes an array with rows of two
// items instead.
func logger() {
	path := os.Args[len(os.Args)-1]
	if os.Args[1] == "-hold" {
		holdLog(path)
	}
	if os.Args[1] == "-rows" {
		rowLogger(path, os.Args[2] != "-kill")
	}
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
	if err == nil && os.Args[1] == "-commit" {
		err = w.Checkpoint()
	} else if err == nil && os.Args[1] != "-kill" {
		err = w.Close()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// holdLog writes a log and keeps it open until the process is killed.
func holdLog(path string) {
	w, err := stream.AppendFile(path)
	if err == nil {
		if _, err = w.Write(make([]byte, 1000)); err == nil {
			err = w.Checkpoint()
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("ready")
	time.Sleep(time.Minute)
	w.Abort(nil)
	os.Exit(1)
}

func rowLogger(path string, closes bool) {
	spec, err := b2nd.SpecOf[int64](b2nd.Unknown, 2)
	spec.ChunkShape, spec.BlockShape = []int64{32, 2}, []int64{8, 2}
	var w *b2nd.FileWriter
	if err == nil {
		w, err = b2nd.AppendFile(path, spec)
	}
	for i := 0; i < 10 && err == nil; i++ {
		time.Sleep(5 * time.Millisecond)
		for j := range int64(10) {
			n := 10*int64(i) + j
			if _, err = b2nd.WriteSlice(w.Writer, []int64{n, 1000 + n}); err != nil {
				break
			}
		}
		if err == nil {
			err = w.Flush()
		}
	}
	if err == nil && closes {
		err = w.Close()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}
