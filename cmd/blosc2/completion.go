package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// completionCmd is "blosc2 completion".
type completionCmd struct {
	Shell string
}

func (c *completionCmd) define(g *grammar) {
	g.argument(&c.Shell, "SHELL", "bash, zsh or fish. In bash: source <(blosc2 completion bash).")
}

// Run prints the script for a shell.
func (c *completionCmd) Run(e *env) error {
	var text string
	switch c.Shell {
	case "bash":
		text = bashCompletion(completions())
	case "zsh":
		text = zshCompletion(completions())
	case "fish":
		text = fishCompletion(completions())
	default:
		return misusef("completion %s: must be bash, zsh or fish", printable(c.Shell))
	}
	_, err := io.WriteString(e.stdout, text)
	return err
}

// A completion describes what can follow a verb, or blosc2 alone.
type completion struct {
	verb, help string // verb is "" for blosc2 without a verb
	flags      []flagCompletion
	words      []string // possible arguments; if empty, they are files
}

// A flagCompletion is a flag and its possible values.
type flagCompletion struct {
	long, short, help string
	takes             bool     // the flag takes a value
	values            []string // known values; if empty, any value is possible
	file              bool     // the value is a file's name
}

// completions lists the grammars of the tool and of every verb.
func completions() []completion {
	all := []completion{complete(nil)}
	for _, v := range verbs() {
		all = append(all, complete(&v))
	}
	return all
}

func complete(entry *verbEntry) completion {
	var c completion
	if entry != nil {
		c.verb, c.help = entry.name, entry.help
		switch entry.name {
		case "help":
			c.words = append(verbNames(), topicNames()...)
		case "completion":
			c.words = []string{"bash", "zsh", "fish"}
		case "man":
			c.words = []string{""}
		}
	}
	grammarOf(entry).VisitAll(func(f *pflag.Flag) {
		if f.Hidden && len(f.Name) > 1 {
			return
		}
		name, usage := pflag.UnquoteUsage(f)
		fc := flagCompletion{long: f.Name, short: f.Shorthand, help: firstSentence(usage), takes: name != ""}
		if len(f.Name) == 1 { // a flag for a level, such as -5
			fc.long, fc.help = "", "level "+f.Name
		}
		fc.values = f.Annotations[noteValues]
		_, fc.file = f.Annotations[noteFile]
		switch {
		case f.Name == "codec":
			fc.values = codecNames()
		case f.Name == "filters":
			fc.values = filterNames()
		case f.Name == "level":
			fc.values = strings.Fields("0 1 2 3 4 5 6 7 8 9")
		}
		c.flags = append(c.flags, fc)
	})
	return c
}

// firstSentence returns the part of a help text that is short enough for a menu.
func firstSentence(text string) string {
	for _, end := range []string{". ", "; ", ": "} {
		text, _, _ = strings.Cut(text, end)
	}
	return strings.TrimSuffix(text, ".")
}

// spelt lists the spellings of the flags.
func (c *completion) spelt() []string {
	var all []string
	for _, f := range c.flags {
		all = append(all, f.spelt()...)
	}
	slices.Sort(all)
	return all
}

func (f *flagCompletion) spelt() []string {
	var all []string
	if f.short != "" {
		all = append(all, "-"+f.short)
	}
	if f.long != "" {
		all = append(all, "--"+f.long)
	}
	return all
}

func bashCompletion(all []completion) string {
	var b strings.Builder
	b.WriteString(`# bash completion for blosc2, made by "blosc2 completion bash".
_blosc2() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} verb= word flags words=
    COMPREPLY=()
    if [[ ${COMP_WORDS[0]##*/} == blosc2 ]]; then
        for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
            case $word in
            -q|--quiet|-v|--verbose) continue ;;
`)
	fmt.Fprintf(&b, "            %s) verb=$word ;;\n", strings.Join(verbNames(), "|"))
	b.WriteString("            esac\n            break\n        done\n    fi\n    case $verb in\n")
	for _, c := range all {
		pattern := c.verb
		if pattern == "" {
			pattern = `""`
		}
		fmt.Fprintf(&b, "    %s)\n        flags=%q\n        words=%q\n        case $prev in\n", pattern, strings.Join(c.spelt(), " "), strings.Join(c.words, " "))
		for _, f := range c.flags {
			if !f.takes {
				continue
			}
			reply := "return"
			switch {
			case f.values != nil:
				reply = fmt.Sprintf("COMPREPLY=($(compgen -W %q -- \"$cur\")); return", strings.Join(f.values, " "))
			case f.file:
				reply = `COMPREPLY=($(compgen -f -- "$cur")); return`
			}
			fmt.Fprintf(&b, "        %s) %s ;;\n", strings.Join(f.spelt(), "|"), reply)
		}
		b.WriteString("        esac ;;\n")
	}
	fmt.Fprintf(&b, `    esac
    if [[ $cur == -* ]]; then
        COMPREPLY=($(compgen -W "$flags" -- "$cur"))
    elif [[ -n $words ]]; then
        COMPREPLY=($(compgen -W "$words" -- "$cur"))
    else
        COMPREPLY=($(compgen -f -- "$cur"))
        if [[ -z $verb && COMP_CWORD -eq 1 && ${COMP_WORDS[0]##*/} == blosc2 ]]; then
            COMPREPLY+=($(compgen -W %q -- "$cur"))
        fi
    fi
}
complete -o filenames -F _blosc2 blosc2 unblosc2 b2cat
`, strings.Join(verbNames(), " "))
	return b.String()
}

func zshCompletion(all []completion) string {
	var b strings.Builder
	b.WriteString("#compdef blosc2 unblosc2 b2cat\n# zsh completion for blosc2, made by \"blosc2 completion zsh\".\n\n_blosc2_verbs() {\n  local -a verbs=(\n")
	for _, c := range all[1:] {
		fmt.Fprintf(&b, "    %s\n", shellQuote(strings.ReplaceAll(c.verb+":"+firstSentence(c.help), "\n", " ")))
	}
	b.WriteString("  )\n  _describe -t verbs verb verbs\n}\n\n_blosc2() {\n  local verb=\n  if [[ ${words[1]:t} == blosc2 && CURRENT -gt 2 ]]; then\n    verb=${words[2]}\n  fi\n  case $verb in\n")
	for _, c := range all[1:] {
		fmt.Fprintf(&b, "  %s)\n    shift words; (( CURRENT-- ))\n", c.verb)
		c.zshArguments(&b)
		b.WriteString("    ;;\n")
	}
	b.WriteString("  *)\n    [[ $words[CURRENT] != -* && ${words[1]:t} == blosc2 && CURRENT -eq 2 ]] && _blosc2_verbs\n")
	all[0].zshArguments(&b)
	b.WriteString("    ;;\n  esac\n}\n\nif [[ $zsh_eval_context[-1] == loadautofunc ]]; then\n  _blosc2 \"$@\"\nelse\n  compdef _blosc2 blosc2 unblosc2 b2cat\nfi\n")
	return b.String()
}

func (c *completion) zshArguments(b *strings.Builder) {
	b.WriteString("    _arguments -s -S")
	for _, f := range c.flags {
		action := ""
		switch {
		case f.values != nil:
			action = ":" + "value:(" + strings.Join(f.values, " ") + ")"
		case f.file:
			action = ":file:_files"
		case f.takes:
			action = ":value: "
		}
		escape := strings.NewReplacer("[", `\[`, "]", `\]`, ":", `\:`)
		for _, word := range f.spelt() {
			suffix := ""
			if f.takes {
				suffix = "+"
				if strings.HasPrefix(word, "--") {
					suffix = "="
				}
			}
			b.WriteString(" \\\n      " + shellQuote(word+suffix+"["+escape.Replace(f.help)+"]"+action))
		}
	}
	argument := "*:file:_files"
	if c.words != nil {
		argument = "*:word:(" + strings.Join(c.words, " ") + ")"
	}
	b.WriteString(" \\\n      " + shellQuote(argument) + "\n")
}

// shellQuote returns s as one word of a command line.
func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

func fishCompletion(all []completion) string {
	var b strings.Builder
	names := strings.Join(verbNames(), " ")
	b.WriteString("# fish completion for blosc2, made by \"blosc2 completion fish\".\n")
	for _, c := range all {
		when := "not __fish_seen_subcommand_from " + names
		if c.verb != "" {
			fmt.Fprintf(&b, "complete -c blosc2 -n '__fish_is_first_arg' -a %s -d %s\n", c.verb, fishQuote(firstSentence(c.help)))
			when = "__fish_seen_subcommand_from " + c.verb
		}
		if c.words != nil {
			fmt.Fprintf(&b, "complete -c blosc2 -n '%s' -f -a %s\n", when, fishQuote(strings.Join(c.words, " ")))
		}
		for _, f := range c.flags {
			line := fmt.Sprintf(" -d %s", fishQuote(f.help))
			if f.short != "" {
				line += " -s " + f.short
			}
			if f.long != "" {
				line += " -l " + f.long
			}
			switch {
			case f.values != nil:
				line += " -x -a " + fishQuote(strings.Join(f.values, " "))
			case f.file:
				line += " -r"
			case f.takes:
				line += " -x"
			}
			fmt.Fprintf(&b, "complete -c blosc2 -n '%s'%s\n", when, line)
			if c.verb == "" {
				fmt.Fprintf(&b, "complete -c unblosc2%s\ncomplete -c b2cat%s\n", line, line)
			}
		}
	}
	return b.String()
}

func fishQuote(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(s) + "'"
}
