package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/seed03b80dae/blosc2/filters"
)

// A verb is an action of the program. Only the verb on the command line is
// created, to keep the program's start fast.
type verb interface {
	// define adds the verb's flags and arguments to the grammar.
	define(g *grammar)
	// Run performs the action.
	Run(e *env) error
}

// A checker is a verb that checks for flags that cannot be combined.
type checker interface {
	check(g *grammar) error
}

// A grammar describes a command line: flags, and arguments in order. The parser,
// the help, the completions and the man page use it.
type grammar struct {
	*pflag.FlagSet
	arguments []argument
	digits    bool // -0 … -9 are levels, not arguments
	longOnly  bool // flags of verbs have no letters, because the letters are those of gzip
}

// An argument is a word that is not a flag.
type argument struct {
	name, help string
	optional   bool
	one        *string   // destination of a single word
	many       *[]string // destination of the word and of all words after it
}

// These are the keys of the annotations of flags.
const (
	noteValues = "values" // possible values, for completions
	noteFile   = "file"   // the value is a file's name
	noteSee    = "see"    // the flag is a synonym of another, and not in the help
)

func newGrammar(e *env) *grammar {
	g := &grammar{FlagSet: pflag.NewFlagSet("blosc2", pflag.ContinueOnError)}
	g.SortFlags = false
	g.Usage = func() {} // print nothing for --help, which is also returned as an error
	g.SetNormalizeFunc(oneSpelling)
	g.BoolVarP(&e.quiet, "quiet", "q", e.quiet, "Print only errors, no notes and no progress bar.")
	g.BoolVarP(&e.verbose, "verbose", "v", e.verbose, "Print a line for each file.")
	g.StringVar(&e.endpoint, "endpoint", e.endpoint, "`URL` of the store for names such as s3://BUCKET/KEY, gs:// and az://; default: from the environment.")
	g.BoolVar(&e.noBar, "no-progress", e.noBar, "Do not show a progress bar.")
	return g
}

// oneSpelling maps names of flags in other tools to ours.
func oneSpelling(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	switch name {
	case "uncompress":
		name = "decompress"
	case "to-stdout":
		name = "stdout"
	case "output":
		name = "out"
	case "overwrite":
		name = "force"
	}
	return pflag.NormalizedName(name)
}

// letter returns the letter of a verb's flag, or "" if the letters are those of
// gzip.
func (g *grammar) letter(short string) string {
	if g.longOnly {
		return ""
	}
	return short
}

func (g *grammar) note(flag, kind string, values ...string) {
	f := g.Lookup(flag)
	if f.Annotations == nil {
		f.Annotations = map[string][]string{}
	}
	f.Annotations[kind] = values
}

// synonym makes a flag another spelling of a second flag. The help does not show it.
func (g *grammar) synonym(flag, of string) {
	g.Lookup(flag).Hidden = true
	g.note(flag, noteSee, of)
}

// text defines a flag with a text; *to is nil if the flag is not given.
func (g *grammar) text(to **string, name, short, help string) {
	g.FuncP(name, short, help, func(s string) error {
		*to = &s
		return nil
	})
}

var (
	errNumber  = errors.New("must be a whole number")
	errNatural = errors.New("must be a whole number, 0 or more")
)

// number defines a flag with a whole number; *to is nil if it is not given.
func (g *grammar) number(to **int, name, short, help string) {
	g.FuncP(name, short, help, func(s string) error {
		n, err := strconv.Atoi(strings.TrimSpace(s)) // see negative, which adds a space
		if err != nil {
			return errNumber
		}
		*to = &n
		return nil
	})
}

// whole defines a flag with an integer.
func (g *grammar) whole(to *int, name, short, help string) {
	g.FuncP(name, short, help, func(s string) error {
		n, err := strconv.Atoi(strings.TrimSpace(s))
		if err != nil {
			return errNumber
		}
		*to = n
		return nil
	})
}

// natural defines a flag with an integer that is not negative.
func (g *grammar) natural(to *int, name, short, help string) {
	g.FuncP(name, short, help, func(s string) error {
		n, err := strconv.Atoi(strings.TrimSpace(s))
		if err != nil || n < 0 {
			return errNatural
		}
		*to = n
		return nil
	})
}

// choice defines a flag with one of several values.
func (g *grammar) choice(to *string, name, help string, values ...string) {
	g.Func(name, help, func(s string) error {
		if !slices.Contains(values, s) {
			return fmt.Errorf("must be one of %s", join(values))
		}
		*to = s
		return nil
	})
	g.note(name, noteValues, values...)
}

// bytes defines a flag with a size in bytes.
func (g *grammar) bytes(to *size, name, help string) {
	g.Func(name, help, func(s string) error { return to.UnmarshalText([]byte(s)) })
}

// levels defines the flags -0 to -9, --fast and --best.
func (g *grammar) levels(to *int) {
	g.digits = true
	for n := range 10 {
		g.level(to, n, strconv.Itoa(n), strconv.Itoa(n))
	}
	g.level(to, 1, "fast", "")
	g.level(to, 9, "best", "")
}

func (g *grammar) level(to *int, n int, name, short string) {
	g.BoolFuncP(name, short, "", func(value string) error {
		if value != "true" && name == "fast" {
			return errors.New("takes no value: --fast is -1, and --auto memory is faster")
		}
		if value != "true" {
			return errors.New("takes no value")
		}
		*to = n
		return nil
	})
	g.synonym(name, "level")
}

// given reports whether the command line has a flag, or one of its synonyms.
func (g *grammar) given(flag string) bool {
	given := g.Changed(flag)
	g.Visit(func(f *pflag.Flag) { given = given || slices.Equal(f.Annotations[noteSee], []string{flag}) })
	return given
}

func (g *grammar) argument(to *string, name, help string) {
	g.arguments = append(g.arguments, argument{name: name, help: help, one: to})
}

func (g *grammar) optional(to *string, name, help string) {
	g.arguments = append(g.arguments, argument{name: name, help: help, one: to, optional: true})
}

// rest takes all remaining arguments, at least one.
func (g *grammar) rest(to *[]string, name, help string) {
	g.arguments = append(g.arguments, argument{name: name, help: help, many: to})
}

// files takes all remaining arguments; if there are none, *to is unchanged.
func (g *grammar) files(to *[]string, help string) {
	g.arguments = append(g.arguments, argument{name: "FILE", help: help, many: to, optional: true})
}

// These are the help texts of flags and arguments that several verbs have.
const (
	typeSizeHelp = "Size of an item, or of a record of several, in `BYTES`; default: chosen, from the type, the suffix (.f4, .i8, …) or the data."
	dtypeHelp    = "NumPy `TYPE` of the items, if the file does not store it."
	viewHelp     = "Array, frame or chunk; frames and chunks are read as arrays of one dimension."
	windowHelp   = "Index as in NumPy: for each dimension an index or START:STOP:STEP, separated by commas; ... for any number of dimensions; the name of a field in brackets"
)

// parse reads the words after the verb.
func (g *grammar) parse(words []string) error {
	words, err := g.negative(words)
	if err != nil {
		return err
	}
	if err := g.Parse(words); err != nil {
		return g.didYouMean(words, err)
	}
	given := g.Args()
	if err := g.checkOldFlag(given); err != nil {
		return err
	}
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
		return fmt.Errorf("unexpected argument %s", printable(given[0]))
	}
	return nil
}

// checkOldFlag returns an error for -f FILTER. The flag once meant --filters; now it is
// short for --force in all verbs.
func (g *grammar) checkOldFlag(given []string) error {
	if g.Lookup("filters") == nil || !g.Changed("force") || len(given) == 0 {
		return nil
	}
	if _, err := os.Lstat(given[0]); err == nil {
		return nil
	}
	if _, err := filters.Parse(given[0]); err != nil || strings.Trim(given[0], "0123456789:,") == "" { // a number is more likely meant for another flag
		return nil
	}
	return fmt.Errorf("%s: no such file; -f is --force, and --filters %[1]s sets the filters", given[0])
}

// negative allows windows and shapes that begin with a minus, such as -1,:, in verbs
// without digits as flags. It puts a space before them, which their parsers ignore. In
// other verbs it rejects levels of two digits, of which pflag would use the last digit,
// and -t4, which would mean -t -4.
func (g *grammar) negative(words []string) ([]string, error) {
	words = slices.Clone(words)
	for i, w := range words {
		switch {
		case w == "--":
			return words, nil
		case len(w) < 2 || w[0] != '-' || w[1] < '0' || w[1] > '9':
		case !g.digits:
			words[i] = " " + w
		case len(w) > 2 && isNumber(w[1:]) && !g.takesValue(words, i):
			return nil, fmt.Errorf("level %s: must be 0 to 9; %s", w[1:], smallest)
		}
		if digits, ok := strings.CutPrefix(w, "-t"); ok && g.longOnly && isNumber(digits) && !g.takesValue(words, i) {
			return nil, fmt.Errorf("%s: -t tests the files; --typesize %s sets the size of an item", w, digits)
		}
	}
	return words, nil
}

// isNumber reports whether a word consists of digits.
func isNumber(w string) bool { return w != "" && strings.Trim(w, "0123456789") == "" }

// takesValue reports whether words[i] is the value of the flag before it.
func (g *grammar) takesValue(words []string, i int) bool {
	if i == 0 {
		return false
	}
	w := words[i-1]
	var f *pflag.Flag
	switch {
	case strings.HasPrefix(w, "--"):
		f = g.Lookup(w[2:])
	case len(w) > 1 && w[0] == '-':
		f = g.ShorthandLookup(w[len(w)-1:])
	}
	return f != nil && f.NoOptDefVal == ""
}
