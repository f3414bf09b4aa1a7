// Command campaign compares the codecs with the genuine libraries, for as long as
// it runs.
//
//	go run ./tools/campaign -for 8h -seed 1
//
// Each round makes data of some shape, takes them through filters, encodes them
// with every codec at some level, and decodes the streams with our decoders, the
// genuine libzstd, liblz4 and zlib, and other Go libraries. It also decodes the
// streams of the genuine encoders, and damaged streams of all encoders. Everything
// runs with every tier of kernels that the processor supports, on slices that end
// at an inaccessible page.
//
// A finding is a stream that two decoders decode to different data, a valid stream
// that one of them rejects, tiers that differ, an access outside a slice, or a
// panic. Damaged streams that only some decoders accept are counted, and are not
// findings: docs/decoders.md explains them. Findings are kept in files, and the
// command exits with status 1 if there are any.
//
// It needs cgo and, on Debian, libzstd-dev, liblz4-dev and zlib1g-dev.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"time"

	"github.com/seed03b80dae/blosc2/internal/kernels"
)

func main() {
	var (
		length   = flag.Duration("for", 2*time.Minute, "how long to run")
		seed     = flag.Uint64("seed", 1, "seed of the first round; later rounds count up")
		rounds   = flag.Uint64("rounds", 0, "stop after that many rounds, 0 for no limit")
		findings = flag.String("findings", "findings", "folder for findings")
		corpus   = flag.String("corpus", "", "folder of files to use as further data, and as streams to damage")
	)
	flag.Parse()
	if err := kernels.EnvError(); err != nil || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "campaign: invalid arguments:", flag.Args(), err)
		os.Exit(2)
	}
	// An access to a guard page is a panic of the round and does not end the
	// process.
	debug.SetPanicOnFault(true)
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt)

	c, err := newCampaign(*findings, *corpus)
	if err != nil {
		fmt.Fprintln(os.Stderr, "campaign:", err)
		os.Exit(2)
	}
	end, report := time.Now().Add(*length), time.Now().Add(time.Minute)
	for n := uint64(0); (*rounds == 0 || n < *rounds) && time.Now().Before(end); n++ {
		c.round(*seed + n)
		if time.Now().After(report) {
			fmt.Printf("round %d: %d streams, %d damaged, %d findings\n", n+1, c.streams, c.damaged, c.found)
			report = time.Now().Add(time.Minute)
		}
		select {
		case <-stop:
			end = time.Time{}
		default:
		}
	}
	c.summary(os.Stdout)
	if c.found > 0 {
		os.Exit(1)
	}
}
