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
	g.optional(&c.Verb, "VERB", "The verb; without it, the command line without a verb is described.")
}

// Run prints help about a verb or the program.
func (c *helpCmd) Run(e *env) error {
	var text string
	if c.Verb == "" {
		text = toolHelp()
	} else {
		entry, ok := verbNamed(c.Verb)
		if !ok {
			return misusef("help %s: %s", printable(c.Verb), noVerb(c.Verb))
		}
		text = verbHelp(entry)
	}
	return e.print(text)
}

// noVerb returns the error text for an unknown verb, with the nearest known one.
func noVerb(word string) string {
	if name := nearest(word, verbNames()); name != "" {
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
	lists := strings.NewReplacer("{codecs}", codecNames(), "{filters}", filterNames())
	g.VisitAll(func(f *pflag.Flag) { f.Usage = lists.Replace(f.Usage) })
	return g
}

// helpWidth is the width of the help, in columns.
const helpWidth = 80

const whatItIs = "Compresses typed binary data to Blosc2 frames and arrays, and reads all versions of them."

// toolHelp returns the help of the command line without a verb, with the verbs.
func toolHelp() string {
	var b strings.Builder
	b.WriteString("Usage: blosc2 [flags] [FILE…]\n       blosc2 VERB [flags] [arguments]\n\n")
	wrap(&b, "", whatItIs+" Without a verb it compresses each FILE to FILE"+frameSuffix+
		", or the standard input to the standard output; the flags are those of gzip, zstd and lz4. Input files are kept.")
	b.WriteString("\nVerbs:\n")
	for _, v := range verbs() {
		wrap(&b, fmt.Sprintf("  %-10s  ", v.name), v.help)
	}
	grammarOf(nil).describe(&b)
	b.WriteString("\nExit status: 0 done, 1 something failed, 2 invalid command line.\n\"blosc2 help VERB\" describes a verb; \"blosc2 man | man -l -\" shows the manual.\n")
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
