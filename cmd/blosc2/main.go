// Command blosc2 compresses typed binary data to Blosc2 frames and arrays, and
// reads every generation of them.
//
//	blosc2 [flags] [FILE…]              as gzip, zstd and lz4; -d decompresses
//	blosc2 VERB [flags] [arguments]     blosc2 --help lists the verbs
//
// Exit status: 0 done, 1 failed, 2 misuse, 3 repaired in part. A failure is one line on standard
// error, "blosc2: FILE: what was wrong". An output has its name when it is whole
// and on the disk, not before; of several inputs, small outputs are on the disk
// when the program ends. SIGINT, SIGTERM and SIGHUP end the program as
// such, which a shell calls status 130, 143 and 129, and leave nothing of an
// output that is not whole, or what is good of it with --keep-partial (compact,
// whose copy stands beside its frame, may leave that).
package main

import (
	"errors"
	"os"
	"runtime"
	"runtime/debug"
)

func main() {
	delayGC()
	useHugePages()
	os.Exit(run(os.Args, os.Stdin, os.Stdout, os.Stderr))
}

// run is the program; args are its name and what follows. It returns the exit
// status.
func run(args []string, stdin, stdout, stderr *os.File) int {
	e := &env{stdin: stdin, stdout: stdout, stderr: stderr, link: nameUnnamed, called: calledAs(args[0]), ascii: asciiOnly()}
	verb, err := e.parse(args[1:])
	if err == nil {
		err = verb.Run(e)
	}
	e.awaitEnd()
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errPartly):
		return exitPartly
	case isMisuse(err):
		e.report(err)
		return exitMisuse
	case !errors.Is(err, errReported):
		e.report(err)
	}
	return exitFailed
}

// delayGC puts the first garbage collection off from 4 MiB to 16, which is as
// much as most runs ever need. It would take as long as to compress another
// megabyte. Later ones come as usual.
func delayGC() {
	if os.Getenv("GOGC") != "" {
		return
	}
	usual := debug.SetGCPercent(400)
	runtime.AddCleanup(new([32]byte), func(int) { debug.SetGCPercent(usual) }, 0)
}
