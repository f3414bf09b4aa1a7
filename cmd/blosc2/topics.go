package main

import "strings"

// A topic is a section of the manual that is not generated from a grammar.
type topic struct {
	name       string
	paragraphs []string
	items      [][2]string
}

// word returns the word after "blosc2 help".
func (t topic) word() string {
	word, _, _ := strings.Cut(t.name, " ")
	return word
}

var topics = []topic{
	{
		name: "exit status",
		items: [][2]string{
			{"0", "Everything was done."},
			{"1", "Something failed; each failure is one line on the standard error. A failure of one file does not stop the others."},
			{"2", "The command line, the environment or the settings are invalid; nothing was done."},
			{"3", "repair saved a part; what is lost is printed on the standard error and listed in the vlmetalayer b2lost of the new file."},
			{"129, 130, 143", "SIGHUP, SIGINT or SIGTERM ended the program, as a shell reports it."},
		},
	},
	{
		name:       "environment",
		paragraphs: []string{"Flags override the environment, which overrides the settings file. BLOSC_WARN, BLOSC_TRACE, BLOSC_NOLOCK and other variables of C-Blosc2 are ignored."},
		items: [][2]string{
			{"BLOSC_COMPRESSOR", "Same as --codec."},
			{"BLOSC_CLEVEL", "Same as --level."},
			{"BLOSC_SHUFFLE", "Same as --filters: NOSHUFFLE, SHUFFLE or BITSHUFFLE, after delta if BLOSC_DELTA=1."},
			{"BLOSC_DELTA", "Alone, 1 is the same as --filters delta,shuffle."},
			{"BLOSC_TYPESIZE, BLOSC_BLOCKSIZE", "Same as --typesize and --block."},
			{"BLOSC_SPLITMODE", "Same as --split: ALWAYS, NEVER, AUTO or FORWARD_COMPAT."},
			{"BLOSC_NTHREADS", "Same as --jobs."},
			{"BLOSC2_CONFIG", "The settings file; empty for none."},
			{"LC_ALL, LC_CTYPE, LANG", "If C or POSIX, messages are ASCII."},
			{"NO_COLOR", "If not empty, output is not coloured, and plot and view draw in ASCII."},
			{"COLORTERM", "If truecolor or 24bit, plot uses all colours on a terminal that shows characters; otherwise 256."},
			{"PAGER", "Pager for long output of cat on a terminal; default: less -FRSX, empty for none."},
		},
	},
	{
		name: "files",
		paragraphs: []string{
			"An output appears under its name once it is complete and on disk, with the mode, the modification time and, for root, the owner of its source. Existing files are not overwritten without --force, except by the verbs that change a frame in place: seal, compact and compress --append.",
		},
		items: [][2]string{
			{"~/.config/blosc2/config", "The settings file: lines of FLAG = VALUE for the long names of " + join(settable) + ", with comments after #. On other systems it is in the user's configuration folder."},
		},
	},
	{
		name: "examples",
		items: [][2]string{
			{"blosc2 t2m.f4", "Compress a file of 4-byte floating-point numbers to t2m.f4.b2frame."},
			{"blosc2 -d t2m.f4.b2frame", "Decompress it."},
			{"blosc2 -9 -r --rm data", "Compress all files in data at the highest level, and remove them."},
			{"tar -I blosc2 -cf x.tar.b2frame data", "Pack a folder; tar -I blosc2 -xf x.tar.b2frame unpacks it."},
			{"blosc2 cat x.b2nd 0,:,-1", "Print a window of an array."},
		},
	},
}
