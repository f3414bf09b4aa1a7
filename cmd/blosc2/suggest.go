package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/pflag"
)

// nearest returns the name most similar to a misspelt word, or "".
func nearest(word string, names []string) string {
	best, least := "", max(1, len(word)/3)+1
	for _, name := range names {
		if len(word) >= 3 && strings.HasPrefix(name, word) {
			return name
		}
		if d := distance(word, name); d < least {
			best, least = name, d
		}
	}
	return best
}

// distance returns the edit distance of a and b: the number of letters to change,
// insert, delete or swap with a neighbour.
func distance(a, b string) int {
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row := make([]int, len(b)+1)
		row[0] = i + 1
		for j := range len(b) {
			change := 1
			if a[i] == b[j] {
				change = 0
			}
			row[j+1] = min(last[j]+change, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}

// foreignFlags maps flags of gzip, zstd and lz4 that this program lacks to what to use
// instead, or why they are not needed.
var foreignFlags = map[string]string{
	"long":          "--chunk and --block set how far apart data may repeat",
	"ultra":         smallest,
	"single-thread": "-T 1 uses one thread",
	"no-sparse":     "it is not needed, because programs read holes as zeros",
	"sparse":        "it is not needed, because zeros in decompressed files always become holes",
	"S":             "-o names the output, with any suffix",
	"M":             "it is not needed, because decompression holds only a few chunks in memory",
	"memory":        "it is not needed, because decompression holds only a few chunks in memory",
	"b":             "\"blosc2 bench FILE\" measures speeds and ratios",
	"B":             "--block SIZE sets the size of blocks, and --chunk SIZE that of chunks",
}

// smallest names the settings with the smallest output.
const smallest = "-9 and --auto archive make the smallest output"

// didYouMean adds the most similar flag to the error for an unknown one.
func (g *grammar) didYouMean(words []string, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return err
	}
	for _, w := range words {
		if _, errStat := os.Lstat(w); errStat == nil && strings.HasPrefix(w, "-") {
			return fmt.Errorf("%w; the file of that name is ./%s", err, printable(w))
		}
	}
	if hint := foreignFlags[unknown.GetSpecifiedName()]; hint != "" && g.digits {
		return fmt.Errorf("%w; %s", err, hint)
	}
	if unknown.GetSpecifiedShortnames() != "" {
		return err
	}
	var names []string
	g.VisitAll(func(f *pflag.Flag) {
		if len(f.Name) > 1 {
			names = append(names, f.Name)
		}
	})
	if name := nearest(unknown.GetSpecifiedName(), append(names, "help")); name != "" {
		return fmt.Errorf("%w; did you mean --%s?", err, name)
	}
	return err
}
