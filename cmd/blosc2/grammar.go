package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// A verb is something that the program does. It is made when the command line
// asks for it, so that a start takes no longer for the others.
type verb interface {
	// define tells the grammar of the verb's flags and arguments.
	define(g *grammar)
	// Run does it.
	Run(e *env) error
}

// A grammar is what can stand on a command line: flags, and arguments in order.
type grammar struct {
	*pflag.FlagSet
	arguments []argument
}

// An argument is a word without a flag.
type argument struct {
	name, help string
	optional   bool
	one        *string   // where it goes,
	many       *[]string // or it and all behind it
}

func newGrammar(e *env) *grammar {
	g := &grammar{FlagSet: pflag.NewFlagSet("blosc2", pflag.ContinueOnError)}
	g.SortFlags = false
	g.Usage = func() {} // for --help, which comes back as an error too
	g.BoolVarP(&e.quiet, "quiet", "q", e.quiet, "No progress bar and no notes.")
	return g
}

// text is a flag of which it matters whether it was given.
func (g *grammar) text(to **string, name, short, help string) {
	g.FuncP(name, short, help, func(s string) error {
		*to = &s
		return nil
	})
}

// number is likewise.
func (g *grammar) number(to **int, name, short, help string) {
	g.FuncP(name, short, help, func(s string) error {
		n, err := strconv.Atoi(s)
		*to = &n
		return err
	})
}

// choice is a flag with one of some values.
func (g *grammar) choice(to *string, name, help string, values ...string) {
	g.Func(name, help, func(s string) error {
		if !slices.Contains(values, s) {
			return fmt.Errorf("there are %s", join(values))
		}
		*to = s
		return nil
	})
}

// bytes is a flag with a number of bytes.
func (g *grammar) bytes(to *size, name, help string) {
	g.Func(name, help, func(s string) error { return to.UnmarshalText([]byte(s)) })
}

func (g *grammar) argument(to *string, name, help string) {
	g.arguments = append(g.arguments, argument{name: name, help: help, one: to})
}

func (g *grammar) optional(to *string, name, help string) {
	g.arguments = append(g.arguments, argument{name: name, help: help, one: to, optional: true})
}

// rest takes all the arguments that are left, one at least.
func (g *grammar) rest(to *[]string, name, help string) {
	g.arguments = append(g.arguments, argument{name: name, help: help, many: to})
}

// What several verbs say about their flags and arguments.
const (
	typeSizeHelp = "`BYTES` of an item; else from the suffix (.f4, .i8, …) or from a sample."
	dtypeHelp    = "NumPy `TYPE` of the items, where the file does not tell it."
	viewHelp     = "Array, frame or chunk; the latter two are arrays of one dimension."
	windowHelp   = "START:STOP:STEP or the number of an item for each dimension, with commas between, as in NumPy"
)

// parse reads the words behind the verb.
func (g *grammar) parse(words []string) error {
	if err := g.Parse(negative(words)); err != nil {
		return err
	}
	given := g.Args()
	for _, a := range g.arguments {
		switch {
		case len(given) > 0 && a.many != nil:
			*a.many, given = given, nil
		case len(given) > 0:
			*a.one, given = given[0], given[1:]
		case !a.optional:
			return fmt.Errorf("%s is missing", a.name)
		}
	}
	if len(given) > 0 {
		return fmt.Errorf("unexpected argument %s", given[0])
	}
	return nil
}

// negative has the parser take arguments such as -1,: for windows and shapes, not
// for flags, of which none is a digit: a space before them, which nobody minds,
// does that.
func negative(words []string) []string {
	words = slices.Clone(words)
	for i, w := range words {
		if w == "--" {
			break
		}
		if len(w) > 1 && w[0] == '-' && '0' <= w[1] && w[1] <= '9' {
			words[i] = " " + w
		}
	}
	return words
}

// parse gives the verb that a command line asks for, nil where it asks for
// help, which is given then.
func (e *env) parse(words []string) (verb, error) {
	all := newGrammar(e)
	all.SetInterspersed(false) // flags behind the verb are the verb's
	err := all.Parse(words)
	switch {
	case errors.Is(err, pflag.ErrHelp):
		return nil, e.helpAll(all)
	case err != nil:
		return nil, misusef("%v", err)
	case all.NArg() == 0:
		return nil, misusef("there are %s", join(verbNames()))
	}
	for _, v := range verbs {
		if v.name != all.Arg(0) {
			continue
		}
		verb, g := v.make(), newGrammar(e)
		verb.define(g)
		err := g.parse(all.Args()[1:])
		if errors.Is(err, pflag.ErrHelp) {
			return nil, e.help(v.name, v.help, g)
		}
		if err != nil {
			return nil, misusef("%s: %v", v.name, err)
		}
		return verb, nil
	}
	return nil, misusef("%s: there are %s", all.Arg(0), join(verbNames()))
}

func verbNames() []string {
	var names []string
	for _, v := range verbs {
		names = append(names, v.name)
	}
	return names
}

// helpWidth is how wide help is.
const helpWidth = 80

// helpAll tells what verbs there are.
func (e *env) helpAll(g *grammar) error {
	var b strings.Builder
	b.WriteString("Usage: blosc2 VERB [flags] [arguments]\n\n")
	wrap(&b, "", "Compresses typed binary data to Blosc2 frames and arrays, and reads every generation of them.")
	b.WriteString("\nVerbs:\n")
	for _, v := range verbs {
		wrap(&b, fmt.Sprintf("  %-10s  ", v.name), v.help)
	}
	g.describe(&b)
	b.WriteString("\n\"blosc2 VERB --help\" tells more.\n")
	_, err := io.WriteString(e.stdout, b.String())
	return err
}

// help tells about one of them.
func (e *env) help(name, what string, g *grammar) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Usage: blosc2 %s [flags]", name)
	for _, a := range g.arguments {
		word := a.name
		if a.many != nil {
			word += "…"
		}
		if a.optional {
			word = "[" + word + "]"
		}
		b.WriteString(" " + word)
	}
	b.WriteString("\n\n")
	wrap(&b, "", what)
	b.WriteString("\nArguments:\n")
	for _, a := range g.arguments {
		wrap(&b, fmt.Sprintf("  %-6s  ", a.name), a.help)
	}
	g.describe(&b)
	_, err := io.WriteString(e.stdout, b.String())
	return err
}

// describe tells about the flags.
func (g *grammar) describe(b *strings.Builder) {
	g.BoolP("help", "h", false, "This text.")
	lists := strings.NewReplacer("{codecs}", codecNames(), "{filters}", filterNames())
	g.VisitAll(func(f *pflag.Flag) { f.Usage = lists.Replace(f.Usage) })
	b.WriteString("\nFlags:\n" + g.FlagUsagesWrapped(helpWidth))
}

// wrap writes a text behind a head, and in the same column where it takes
// several lines.
func wrap(b *strings.Builder, head, text string) {
	line := head
	for _, word := range strings.Fields(text) {
		if len(line)+len(word) > helpWidth {
			b.WriteString(strings.TrimRight(line, " ") + "\n")
			line = strings.Repeat(" ", len(head))
		}
		line += word + " "
	}
	b.WriteString(strings.TrimRight(line, " ") + "\n")
}
