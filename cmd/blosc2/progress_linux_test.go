package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// Every verb that may take long shows a bar with the progress.
func TestBarOfVerbs(t *testing.T) {
	defer func(d time.Duration) { barEvery = d }(barEvery)
	barEvery = 0
	t.Chdir(t.TempDir())
	var rows strings.Builder
	rows.WriteString("a,b\n")
	for i := range 5000 {
		fmt.Fprintf(&rows, "%d,%d.5\n", i, i)
	}
	items := make([]byte, 1<<20)
	rand.NewChaCha8([32]byte{}).Read(items)
	for name, data := range map[string][]byte{"x.f4": items, "t.csv": []byte(rows.String())} {
		if err := os.WriteFile(name, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	for _, line := range []string{
		"compress --chunk 64K x.f4",
		"compress --chunk 64K --shape 512,512 -o x.b2nd x.f4",
		"compress --csv t.csv",
		"compress --append -o x.f4.b2frame x.f4",
		"decompress -f -o y x.f4.b2frame",
		"verify x.f4.b2frame",
		"repair -o r.b2frame x.f4.b2frame",
		"compact x.f4.b2frame",
		"seal --uniform --chunk 32K x.f4.b2frame",
		"seal --renew x.f4.b2frame",
		"info --stats x.f4.b2frame",
		"cat x.f4.b2frame",
		"slice -o w.npy x.b2nd 0:300",
		"plot -o x.png x.b2nd",
		"rechunk --chunks 100,100 -o z.b2nd x.b2nd",
		"convert -o z.npy x.b2nd",
		"convert -o zz.b2nd z.npy",
		"reduce --sum x.b2nd",
		"reduce --mean --axis 0 -o m.b2nd x.b2nd",
		"convert --shard 0/2 --chunks 64,512 --shape 512,512 -o shards x.f4",
		"convert --shard 1/2 --chunks 64,512 --shape 512,512 -o shards x.f4",
		"assemble -o a.b2nd shards",
		"tree create s.b2z x.b2nd",
		"tree add s.b2z z=x.b2nd",
		"zarr export x.b2nd x.zarr",
		"zarr import x.zarr i.b2nd",
		"zarr import x.zarr i.b2z",
	} {
		term := openTerminal(t, 100)
		out, err := os.Create("stdout")
		if err != nil {
			t.Fatal(err)
		}
		if status := run(append([]string{"blosc2"}, strings.Fields(line)...), null, out, term.slave); status != exitDone {
			t.Errorf("%s: status %d: %q", line, status, term.seen())
		}
		out.Close()
		term.slave.Close()
		<-term.done
		bar := regexp.MustCompile(`\r[^\r]*(  [1-9]\d* %  |[kM]B)[^\r]*\x1b\[K`)
		if !bar.MatchString(term.seen()) {
			t.Errorf("%s: no progress in %q", line, term.seen())
		}
		if _, last, _ := cutLast(term.seen(), "\r\x1b[K"); strings.Contains(last, "%") {
			t.Errorf("%s: the bar is not erased: %q", line, term.seen())
		}
	}
	if files, err := filepath.Glob(".*"); err != nil || len(files) > 0 {
		t.Errorf("%v is left, %v", files, err)
	}
}

// The bar appears, and moves on, while nothing is reported; a line of text erases it.
func TestBarTicks(t *testing.T) {
	term := openTerminal(t, 60)
	e := &env{stderr: term.slave}
	b := e.newBar("x", 100)
	defer b.end()
	term.await(t, `x  \[ +\] 0 B    0 %  \? left\x1b\[K`, func() {})
	b.add(50)
	term.await(t, `50 %.*50 %`, func() {})
	if other := e.newBar("y", 100); other.e != nil {
		t.Error("there are two bars")
	}
	e.note("text")
	term.await(t, `left\x1b\[K\r\x1b\[Kblosc2: text`, func() {})
}

func cutLast(s, sep string) (before, after string, ok bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return "", s, false
}
