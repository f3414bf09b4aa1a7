package main

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// The help of the program fits on a screen, and the flags that it names exist.
func TestToolHelp(t *testing.T) {
	lines := strings.Split(strings.TrimSuffix(toolHelp(), "\n"), "\n")
	if len(lines) > 50 {
		t.Errorf("%d lines, want at most 50", len(lines))
	}
	for _, line := range lines {
		if utf8.RuneCountInString(line) > helpWidth {
			t.Errorf("%q is wider than %d columns", line, helpWidth)
		}
	}
	g := grammarOf(nil)
	for _, entry := range commonFlags {
		for _, word := range strings.FieldsFunc(entry[0], func(r rune) bool { return r == ' ' || r == ',' }) {
			name, long := strings.CutPrefix(word, "--")
			short, isFlag := strings.CutPrefix(word, "-")
			if isFlag && !long && short != "lv" && g.ShorthandLookup(short) == nil || long && g.Lookup(name) == nil {
				t.Errorf("%s: no such flag", word)
			}
		}
	}
}

// Each topic of the manual has help, and no verb has the name of a topic.
func TestTopicHelp(t *testing.T) {
	for _, name := range topicNames() {
		if _, ok := verbNamed(name); ok || !strings.Contains(topicHelp(name), "\n    ") {
			t.Errorf("help %s: %q", name, topicHelp(name))
		}
	}
}
