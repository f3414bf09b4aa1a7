// Command blosc2 compresses typed binary data to Blosc2 frames and arrays, and
// reads every generation of them.
//
// Exit status: 0 done, 1 failed, 2 misuse. A failure is one line on standard
// error, "blosc2: FILE: what was wrong". An output has its name when it is whole
// and on the disk, not before. SIGINT, SIGTERM and SIGHUP end the program as
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

// verbs are what the program does, each in a file of its name.
var verbs = []struct {
	name, help string
	make       func() verb
}{
	{"compress", "Compress a file to a frame.", func() verb { return new(compressCmd) }},
	{"decompress", "Decompress a frame, an array or a chunk, of any generation.", func() verb { return new(decompressCmd) }},
	{"info", "Tell what a file is.", func() verb { return new(infoCmd) }},
	{"cat", "Print a window of an array, or of the items of a frame.", func() verb { return new(catCmd) }},
	{"slice", "Write a window of an array as a .npy file.", func() verb { return new(sliceCmd) }},
	{"plot", "Draw a window of an array as a PNG file: a line, or an image with a colour scale.", func() verb { return new(plotCmd) }},
	{"bench", "Try codecs, filters and levels on a sample of a file.", func() verb { return new(benchCmd) }},
	{"verify", "Check frames, arrays and chunks, every digest and by decompressing all.", func() verb { return new(verifyCmd) }},
	{"seal", "Finish frames that could not be sealed when they were written.", func() verb { return new(sealCmd) }},
	{"repair", "Make a sound frame of what is whole of a damaged one.", func() verb { return new(repairCmd) }},
	{"compact", "Write frames anew, without the holes that edits left.", func() verb { return new(compactCmd) }},
}

func main() {
	delayGC()
	useHugePages()
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the program; it returns the exit status.
func run(args []string, stdin, stdout, stderr *os.File) int {
	e := &env{stdin: stdin, stdout: stdout, stderr: stderr, link: nameUnnamed}
	verb, err := e.parse(args)
	if err == nil && verb != nil {
		err = verb.Run(e)
	}
	e.awaitEnd()
	switch {
	case err == nil:
		return exitDone
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
