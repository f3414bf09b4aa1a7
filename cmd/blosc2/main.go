// Command blosc2 compresses typed binary data to Blosc2 frames and arrays, and
// reads all versions of them.
//
//	blosc2 [flags] [FILE…]              as gzip, zstd and lz4; -d decompresses
//	blosc2 VERB [flags] [arguments]     blosc2 --help lists the verbs
//
// Exit status: 0 done, 1 failed, 2 misuse, 3 repaired in part. A failure is one
// line on standard error, "blosc2: FILE: what was wrong". An output gets its name
// once it is complete and on disk; with several inputs, small outputs are on disk
// when the program ends. SIGINT, SIGTERM and SIGHUP end the program, which a shell
// reports as status 130, 143 and 129, and remove an incomplete output, or, with
// --keep-partial, keep its good beginning; serve, which ends only in this way, then
// ends with status 0. Only compact may leave its temporary copy next to the frame.
package main

import (
	"errors"
	"os"

	_ "github.com/seed03b80dae/blosc2/cmd/blosc2/internal/prefault"
	"github.com/seed03b80dae/blosc2/internal/workpool"
)

func main() {
	workpool.GrowStack()
	garbage.delay()
	os.Exit(run(os.Args, os.Stdin, os.Stdout, os.Stderr))
}

// run runs the program; args[0] is its name. It returns the exit status.
func run(args []string, stdin, stdout, stderr *os.File) int {
	e := &env{stdin: stdin, stdout: stdout, stderr: stderr, link: nameUnnamed, called: calledAs(args[0]), ascii: asciiOnly()}
	verb, err := e.parse(args[1:])
	if err == nil {
		err = verb.Run(e)
	}
	e.awaitEnd()
	e.closeStores()
	e.closeDrivers()
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errPartly):
		return exitPartly
	case isMisuse(err):
		e.report(err)
		return exitMisuse
	case !errors.Is(err, errReported):
		e.report(aboutStdout(err))
	}
	return exitFailed
}
