package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"
)

// manCmd is "blosc2 man".
type manCmd struct{}

func (*manCmd) define(*grammar) {}

// Run prints the manual page as roff.
func (*manCmd) Run(e *env) error {
	var m manual
	m.line(`.TH BLOSC2 1 "" "blosc2" "User Commands"`)
	m.section("NAME")
	m.line(`blosc2, unblosc2, b2cat \- compress and decompress typed binary data`)
	m.section("SYNOPSIS")
	m.usage("blosc2 [flags] [FILE…]")
	m.usage("unblosc2 [flags] [FILE…]")
	m.usage("b2cat [flags] [FILE…]")
	for _, v := range verbs() {
		m.usage(grammarOf(&v).usage(v.name))
	}
	m.section("DESCRIPTION")
	m.paragraph(whatItIs)
	m.paragraph("Without a verb, blosc2 compresses each FILE to FILE" + frameSuffix + " and keeps it, or compresses the standard input to the standard output. unblosc2 is blosc2 -d, b2cat is blosc2 -dc. A file whose name is that of a verb is written as ./FILE or after --.")
	m.section("OPTIONS")
	m.flags(grammarOf(nil))
	m.section("VERBS")
	for _, v := range verbs() {
		g := grammarOf(&v)
		m.line(".SS " + roff(g.usage(v.name)))
		m.paragraph(v.help)
		for _, a := range g.arguments {
			m.item(a.name, a.help)
		}
		m.flags(g)
	}
	for _, t := range topics {
		m.section(strings.ToUpper(t.name))
		for _, p := range t.paragraphs {
			m.paragraph(p)
		}
		for _, i := range t.items {
			m.item(i[0], i[1])
		}
	}
	m.section("SEE ALSO")
	m.line(".BR zstd (1),\n.BR gzip (1),\n.BR lz4 (1),\n.BR tar (1)")
	_, err := io.WriteString(e.stdout, m.String())
	return err
}

// A manual is a text in roff.
type manual struct{ strings.Builder }

func (m *manual) line(s string)    { m.WriteString(s + "\n") }
func (m *manual) section(s string) { m.line(".SH " + s) }

func (m *manual) paragraph(s string) {
	m.line(".PP")
	m.line(roff(s))
}

func (m *manual) usage(s string) {
	m.line(".B " + roff(s))
	m.line(".br")
}

func (m *manual) item(head, text string) {
	m.line(".TP")
	m.line(".B " + roff(head))
	m.line(roff(text))
}

func (m *manual) flags(g *grammar) {
	g.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		head := "--" + f.Name
		if f.Shorthand != "" {
			head = "-" + f.Shorthand + ", " + head
		}
		if value != "" {
			head += " " + value
		}
		m.item(head, usage)
	})
}

// roff escapes characters that have a meaning in roff.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "…", `\&...`, "×", `\(mu`, "≤", `\(<=`, "'", `\(aq`).Replace(s)
	var b strings.Builder
	for _, r := range s {
		if r > 126 {
			fmt.Fprintf(&b, `\[u%04X]`, r)
		} else {
			b.WriteRune(r)
		}
	}
	if s = b.String(); strings.HasPrefix(s, ".") {
		s = `\&` + s
	}
	return s
}
