package main

// A topic is a section of the manual that no grammar holds.
type topic struct {
	name       string
	paragraphs []string
	items      [][2]string
}

var topics = []topic{
	{
		name: "exit status",
		items: [][2]string{
			{"0", "Everything was done."},
			{"1", "Something failed; each failure is one line on the standard error. Of several files the others are done all the same."},
			{"2", "The command line is invalid; nothing was done."},
			{"3", "repair saved a part: what is lost is on the standard error, and in the vlmetalayer b2lost of the new file."},
			{"129, 130, 143", "SIGHUP, SIGINT or SIGTERM ended the program, as a shell reports it."},
		},
	},
	{
		name:       "environment",
		paragraphs: []string{"Flags overrule the environment, which overrules the file of settings. BLOSC_WARN, BLOSC_TRACE, BLOSC_NOLOCK and other variables of C-Blosc2 have no meaning here."},
		items: [][2]string{
			{"BLOSC_COMPRESSOR", "As --codec."},
			{"BLOSC_CLEVEL", "As --level."},
			{"BLOSC_SHUFFLE", "As --filters: NOSHUFFLE, SHUFFLE or BITSHUFFLE; with BLOSC_DELTA=1, delta before that."},
			{"BLOSC_TYPESIZE, BLOSC_BLOCKSIZE", "As --typesize and --block."},
			{"BLOSC_SPLITMODE", "As --split: ALWAYS, NEVER, AUTO or FORWARD_COMPAT."},
			{"BLOSC_NTHREADS", "As --jobs."},
			{"BLOSC2_CONFIG", "The file of settings; empty for none."},
			{"LC_ALL, LC_CTYPE, LANG", "C or POSIX: messages are ASCII."},
			{"NO_COLOR", "If not empty, nothing is coloured."},
			{"PAGER", "What shows long output of cat on a terminal; less -FRSX unless set, and none if empty."},
		},
	},
	{
		name: "files",
		paragraphs: []string{
			"An output appears under its name when it is whole and on the disk, with the mode, the modification time and, for root, the owner of its source. Nothing that exists is overwritten without --force, except by the verbs that change a frame where it is: seal, compact and compress --append.",
		},
		items: [][2]string{
			{"~/.config/blosc2/config", "Settings: lines of FLAG = VALUE for the long names of " + join(settable) + ", with comments after #. Other systems have other folders for the settings of users."},
		},
	},
	{
		name: "examples",
		items: [][2]string{
			{"blosc2 t2m.f4", "Compress a file of 4-byte floating-point numbers to t2m.f4.b2frame."},
			{"blosc2 -d t2m.f4.b2frame", "The way back."},
			{"blosc2 -9 -r --rm data", "Compress all files below data, as small as possible, and remove them."},
			{"tar -I blosc2 -cf x.tar.b2frame data", "Pack a folder; tar -I blosc2 -xf x.tar.b2frame unpacks it."},
			{"blosc2 cat x.b2nd 0,:,-1", "Print a window of an array."},
		},
	},
}
