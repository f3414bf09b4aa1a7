// Command blosc2 compresses typed binary data to Blosc2 frames and arrays, and
// reads every generation of them.
//
// Exit status: 0 done, 1 failed, 2 misuse. A failure is one line on standard
// error, "blosc2: FILE: what was wrong".
package main

import (
	"errors"
	"os"
	"runtime"
	"runtime/debug"
	"slices"

	"github.com/alecthomas/kong"
)

// commands is the command line: Quiet and then the verbs, each in a file of its
// name.
type commands struct {
	Quiet bool `short:"q" help:"No progress bar and no notes."`

	Compress   compressCmd   `cmd:"" help:"Compress a file to a frame."`
	Decompress decompressCmd `cmd:"" help:"Decompress a frame, an array or a chunk, of any generation."`
	Info       infoCmd       `cmd:"" help:"Tell what a file is."`
	Cat        catCmd        `cmd:"" help:"Print a window of an array, or of the items of a frame."`
	Slice      sliceCmd      `cmd:"" help:"Write a window of an array as a .npy file."`
	Plot       plotCmd       `cmd:"" help:"Draw a window of an array as a PNG file: a line, or an image with a colour scale."`
	Bench      benchCmd      `cmd:"" help:"Try codecs, filters and levels on a sample of a file."`
	Verify     verifyCmd     `cmd:"" help:"Check frames, arrays and chunks, every digest and by decompressing all."`
	Seal       sealCmd       `cmd:"" help:"Finish frames that could not be sealed when they were written."`
	Repair     repairCmd     `cmd:"" help:"Make a sound frame of what is whole of a damaged one."`
	Compact    compactCmd    `cmd:"" help:"Write frames anew, without the holes that edits left."`
}

func main() {
	delayGC()
	useHugePages()
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the program; it returns the exit status.
func run(args []string, stdin, stdout, stderr *os.File) int {
	e := &env{stdin: stdin, stdout: stdout, stderr: stderr}
	g, quiet := grammar(args)
	parser := kong.Must(g,
		kong.Name("blosc2"),
		kong.Description("Compresses typed binary data to Blosc2 frames and arrays, and reads every generation of them."),
		kong.Writers(stdout, stderr),
		kong.ValueFormatter(helpText),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
	)
	verb, err := parser.Parse(negative(args))
	if err != nil {
		e.report(err)
		return exitMisuse
	}
	e.quiet = *quiet
	defer e.watchSignals()()
	err = verb.Run(e)
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

// negative has the parser take arguments such as -1,: for windows and shapes, not
// for flags, of which none is a digit: a space before them, which nobody minds,
// does that.
func negative(args []string) []string {
	args = slices.Clone(args)
	for i, a := range args {
		if a == "--" {
			break
		}
		if len(a) > 1 && a[0] == '-' && '0' <= a[1] && a[1] <= '9' {
			args[i] = " " + a
		}
	}
	return args
}
