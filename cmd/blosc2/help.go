package main

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/spf13/pflag"
)

// helpCmd is "blosc2 help".
type helpCmd struct {
	Verb string
}

func (c *helpCmd) define(g *grammar) {
	g.optional(&c.Verb, "VERB", "A verb or a topic: "+join(topicNames())+".")
}

// Run prints help about a verb or the program.
func (c *helpCmd) Run(e *env) error {
	if c.Verb == "" {
		return e.print(toolHelp())
	}
	if entry, ok := verbNamed(c.Verb); ok {
		return e.print(verbHelp(entry))
	}
	if text := topicHelp(c.Verb); text != "" {
		return e.print(text)
	}
	return misusef("help %s: %s", printable(c.Verb), noVerb(c.Verb))
}

// noVerb returns the error text for an unknown verb, with the nearest known one.
func noVerb(word string) string {
	if name := nearest(word, append(verbNames(), topicNames()...)); name != "" {
		return fmt.Sprintf("no such verb; did you mean %q?", name)
	}
	return "no such verb; the verbs are " + join(verbNames())
}

// grammarOf returns the grammar of a verb, or of the tool if entry is nil.
func grammarOf(entry *verbEntry) *grammar {
	g := newGrammar(&env{})
	if entry == nil {
		newTool(calledPlain).define(g)
	} else {
		entry.make().define(g)
	}
	g.BoolP("help", "h", false, "Print this help.")
	if g.digits {
		g.Lookup("level").Usage += " Also -0 to -9; --fast is -1 and --best is -9."
	}
	lists := strings.NewReplacer("{codecs}", join(codecNames()), "{filters}", join(filterNames()))
	g.VisitAll(func(f *pflag.Flag) { f.Usage = lists.Replace(f.Usage) })
	return g
}

// helpWidth is the width of the help, in columns.
const helpWidth = 80

const whatItIs = "Compresses typed binary data to Blosc2 frames and arrays, and reads all versions of them."

// commonFlags describes the flags that toolHelp shows. The help of topics describes all
// flags.
var commonFlags = [][2]string{
	{"-d, -t, -l, -lv", "Decompress, test or list the files, or describe them."},
	{"-c, -o OUT", "Write to the standard output, or to a file or a folder."},
	{"-f, -r, --rm", "Overwrite files, process folders, remove input files."},
	{"-q, -v", "Print only errors, or a line for each file."},
	{"-1 … -9", "Compress: -1 is fast, -9 is the smallest."},
	{"-T N", "Use N processors; default: all, up to 12."},
	{"--dtype TYPE", "NumPy TYPE of the items, such as f4; default: from the suffix."},
	{"--csv", "Make an array of comma-separated values."},
}

// toolHelp returns the help of the program on one screen: what it does without a verb,
// the verbs, and the flags that are used every day.
func toolHelp() string {
	var b strings.Builder
	b.WriteString("Usage: blosc2 [flags] [FILE…]\n       blosc2 VERB [flags] [arguments]\n\n")
	wrap(&b, "", whatItIs+" Without a verb it compresses each FILE to FILE"+frameSuffix+
		", or the standard input to the standard output; the flags are those of gzip, zstd and lz4. Input files are kept."+
		" unblosc2 is blosc2 -d, b2cat is blosc2 -dc. STORE:/KEY names a leaf of a store.")
	b.WriteString("\nVerbs:\n")
	for _, v := range verbs() {
		fmt.Fprintf(&b, "  %-10s  %s.\n", v.name, within(helpWidth-15, firstSentence(v.help)))
	}
	b.WriteString("\nFlags:\n")
	for _, f := range commonFlags {
		wrap(&b, fmt.Sprintf("  %-15s  ", f[0]), f[1])
	}
	b.WriteString("\nExit status: 0 done, 1 something failed, 2 invalid command line, 3 repair saved\na part; after a signal 128 and its number.\n" +
		"\"blosc2 help flags\" lists all flags, \"blosc2 help VERB\" describes a verb, and\n\"blosc2 man | man -l -\" shows the manual.\n")
	return b.String()
}

// within returns a list, cut at a comma, that is at most width columns wide.
func within(width int, text string) string {
	for utf8.RuneCountInString(text) > width && strings.Contains(text, ", ") {
		text = text[:strings.LastIndex(text, ", ")]
	}
	return text
}

// allFlags is the topic about the flags of command lines without a verb.
const allFlags = "flags"

// topicNames returns the words that may follow "blosc2 help" and are not verbs.
func topicNames() []string {
	names := []string{allFlags}
	for _, t := range topics {
		names = append(names, t.word())
	}
	return names
}

// topicHelp returns the help of a topic, or "" if there is no such topic.
func topicHelp(word string) string {
	var b strings.Builder
	if word == allFlags {
		b.WriteString("Usage: blosc2 [flags] [FILE…]\n")
		grammarOf(nil).describe(&b)
	}
	for _, t := range topics {
		if t.word() != word {
			continue
		}
		for _, p := range t.paragraphs {
			wrap(&b, "", p)
			b.WriteString("\n")
		}
		for _, i := range t.items {
			b.WriteString(i[0] + "\n")
			wrap(&b, "    ", i[1])
		}
	}
	return b.String()
}

// verbHelp returns the help of a verb.
func verbHelp(entry verbEntry) string {
	g := grammarOf(&entry)
	var b strings.Builder
	fmt.Fprintf(&b, "Usage: %s\n\n", g.usage(entry.name))
	wrap(&b, "", entry.help)
	if len(g.arguments) > 0 {
		b.WriteString("\nArguments:\n")
	}
	for _, a := range g.arguments {
		wrap(&b, fmt.Sprintf("  %-6s  ", a.name), a.help)
	}
	g.describe(&b)
	return b.String()
}

// usage returns the usage line of a verb.
func (g *grammar) usage(name string) string {
	text := "blosc2 " + name + " [flags]"
	for _, a := range g.arguments {
		word := a.name
		if a.many != nil {
			word += "…"
		}
		if a.optional {
			word = "[" + word + "]"
		}
		text += " " + word
	}
	return text
}

// describe writes the flags.
func (g *grammar) describe(b *strings.Builder) {
	b.WriteString("\nFlags:\n" + g.FlagUsagesWrapped(helpWidth))
}

// wrap writes a text after a head; further lines are indented to the same column.
func wrap(b *strings.Builder, head, text string) {
	line := head
	for _, word := range strings.Fields(text) {
		if utf8.RuneCountInString(line)+utf8.RuneCountInString(word) > helpWidth {
			b.WriteString(strings.TrimRight(line, " ") + "\n")
			line = strings.Repeat(" ", utf8.RuneCountInString(head))
		}
		line += word + " "
	}
	b.WriteString(strings.TrimRight(line, " ") + "\n")
}
