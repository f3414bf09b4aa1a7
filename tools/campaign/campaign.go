package main

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/seed03b80dae/blosc2/codecs/codectest"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/internal/kernels"
)

const (
	largest   = 300 << 10 // largest number of bytes of data of a round
	mutations = 12        // number of damaged copies of each stream
)

// A campaign counts and keeps the findings of its rounds. It is for one goroutine.
type campaign struct {
	folder         string
	corpus         [][]byte
	src, dst, in   guarded
	rounds         int
	streams        int
	damaged, found int
	accepted       map[string]int // counts damaged streams by codec and by the decoders that accept them
	seed           uint64
}

func newCampaign(folder, corpus string) (*campaign, error) {
	c := &campaign{folder: folder, accepted: map[string]int{}}
	for _, g := range []*guarded{&c.src, &c.dst, &c.in} {
		if err := g.allocate(2*largest + 4096); err != nil {
			return nil, err
		}
	}
	if corpus == "" {
		return c, nil
	}
	err := filepath.WalkDir(corpus, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		if len(b) > 0 {
			c.corpus = append(c.corpus, b)
		}
		return err
	})
	return c, err
}

// round runs everything on the data of a seed.
func (c *campaign) round(seed uint64) {
	c.seed = seed
	c.rounds++
	r := rand.New(rand.NewPCG(seed, 0xb105c2))
	defer kernels.Use(kernels.Current())
	data, name := c.data(r)
	data = c.filter(r, data)
	for i := range formats {
		f := &formats[i]
		for _, enc := range f.encoders {
			stream := c.encode(r, f, enc, data, name)
			if stream == nil {
				continue
			}
			c.streams++
			c.good(f, enc.name, stream, data)
			for range mutations {
				c.damaged++
				bad, size := mutate(r, stream), len(data)
				if r.IntN(4) == 0 {
					size = max(0, size-20+r.IntN(41))
				}
				c.bad(f, bad, size)
			}
		}
		if len(c.corpus) > 0 {
			c.damaged++
			stream := c.corpus[r.IntN(len(c.corpus))]
			c.bad(f, mutate(r, stream[:min(len(stream), largest)]), r.IntN(largest))
		}
	}
}

// data returns bytes of some shape or of the corpus, and their name.
func (c *campaign) data(r *rand.Rand) ([]byte, string) {
	n := r.IntN(1 << (4 + r.IntN(15)))
	if n = min(n, largest); r.IntN(6) == 0 {
		n = []int{64 << 10, 64<<10 + 1, 64<<10 - 1, 128 << 10, 128<<10 + 1, 64<<10 + 11}[r.IntN(6)]
	}
	shapes := codectest.Shapes()
	i := r.IntN(len(shapes) + min(len(c.corpus), 4))
	if i < len(shapes) {
		return shapes[i].Seeded(n, r.Uint64()), shapes[i].Name
	}
	b := c.corpus[r.IntN(len(c.corpus))]
	from := r.IntN(len(b))
	return b[from:min(len(b), from+n)], "corpus"
}

var pipelines = []string{"none", "none", "shuffle", "bitshuffle", "delta", "shuffle,bytedelta", "delta,shuffle"}

// filter filters data and undoes it, with every tier.
func (c *campaign) filter(r *rand.Rand, data []byte) []byte {
	p, err := filters.Parse(pipelines[r.IntN(len(pipelines))])
	if err != nil {
		panic(err)
	}
	prm := filters.Params{TypeSize: []int{1, 2, 3, 4, 7, 8, 8, 12, 16, 32}[r.IntN(10)]}
	prm.Ref, prm.Block = data, 1
	var first []byte
	for _, tier := range kernels.Tiers() {
		kernels.Use(tier)
		src := c.src.end(data)
		dst := c.dst.bytes(len(data))
		out, err := p.Forward(dst, make([]byte, len(data)), src, prm)
		if err != nil {
			c.finding("filter", fmt.Sprintf("%v of typesize %d: %v", p, prm.TypeSize, err), data)
			return data
		}
		if first == nil {
			first = bytes.Clone(out)
		}
		if !bytes.Equal(first, out) {
			c.finding("filter", fmt.Sprintf("%v of typesize %d: %v produces other bytes", p, prm.TypeSize, tier), data)
		}
		back := c.dst.bytes(len(data))
		if err := p.Backward(back, make([]byte, len(data)), c.src.end(first), prm); err != nil || !bytes.Equal(back, data) {
			c.finding("filter", fmt.Sprintf("%v of typesize %d, %v: does not round-trip: %v", p, prm.TypeSize, tier, err), data)
		}
	}
	return first
}

// encode returns the stream of data, or nil if it does not shrink, and compares the
// streams of all tiers.
func (c *campaign) encode(r *rand.Rand, f *format, enc encoder, data []byte, shape string) (stream []byte) {
	level, variant := 1+r.IntN(9), r.IntN(4)
	tiers := kernels.Tiers()
	if enc.foreign {
		tiers = tiers[len(tiers)-1:]
	}
	what := fmt.Sprintf("%s by %s of %d bytes of %s, level %d, variant %d", f.name, enc.name, len(data), shape, level, variant)
	room := len(data) + r.IntN(2)*(len(data)/4+1024)
	for i, tier := range tiers {
		kernels.Use(tier)
		var out []byte
		var err error
		if fault := protect(func() { out, err = enc.encode(c.dst.bytes(room), c.src.end(data), level, variant) }); fault != "" {
			c.finding(f.name, what+", "+tier.String()+": "+fault, data)
			return nil
		}
		switch {
		case err != nil:
			c.finding(f.name, fmt.Sprintf("%s, %v: %v", what, tier, err), data)
			return nil
		case i == 0:
			stream = bytes.Clone(out)
		case !bytes.Equal(stream, out):
			c.finding(f.name, fmt.Sprintf("%s: %v produces other bytes", what, tier), data)
		}
	}
	if len(stream) == 0 {
		return nil
	}
	return stream
}

// good checks that all decoders decode a stream to data.
func (c *campaign) good(f *format, by string, stream, data []byte) {
	for _, o := range c.decodeAll(f, stream, len(data)) {
		if o.err != nil {
			c.finding(f.name, fmt.Sprintf("%s rejects a stream of %s: %v", o.name, by, o.err), stream)
		} else if !bytes.Equal(o.out, data) {
			c.finding(f.name, fmt.Sprintf("%s decodes a stream of %s to other data", o.name, by), stream)
		}
	}
}

// bad decodes a damaged stream. All our tiers must behave identically, and all
// decoders that accept it must return the same data.
func (c *campaign) bad(f *format, stream []byte, size int) {
	outcomes := c.decodeAll(f, stream, size)
	var accept, refuse []string
	var first *outcome
	for i := range outcomes {
		o := &outcomes[i]
		if o.err != nil {
			refuse = append(refuse, o.name)
			continue
		}
		accept = append(accept, o.name)
		if first == nil {
			first = o
		} else if !bytes.Equal(first.out, o.out) {
			c.finding(f.name, fmt.Sprintf("%s and %s decode a damaged stream differently, size %d", first.name, o.name, size), stream)
		}
	}
	if len(accept) == 0 || len(refuse) == 0 {
		return
	}
	c.accepted[fmt.Sprintf("%s: %s accept, %s reject", f.name, strings.Join(accept, " "), strings.Join(refuse, " "))]++
	ours := func(name string) bool { return strings.HasPrefix(name, "ours/") }
	if !f.mixed && slices.ContainsFunc(accept, ours) && slices.ContainsFunc(refuse, ours) {
		c.finding(f.name, fmt.Sprintf("our tiers differ on a damaged stream, size %d: %v accept, %v reject", size, accept, refuse), stream)
	}
}

type outcome struct {
	name string
	out  []byte
	err  error
}

// decodeAll decodes with our decoders, on every tier, and with all others.
func (c *campaign) decodeAll(f *format, stream []byte, size int) (outcomes []outcome) {
	run := func(name string, decode func(dst, src []byte) error) {
		dst := c.dst.bytes(size)
		var err error
		if fault := protect(func() { err = decode(dst, c.in.end(stream)) }); fault != "" {
			c.finding(f.name, fmt.Sprintf("%s, size %d: %s", name, size, fault), stream)
			return
		}
		outcomes = append(outcomes, outcome{name, bytes.Clone(dst), err})
	}
	for _, tier := range kernels.Tiers() {
		kernels.Use(tier)
		run("ours/"+tier.String(), f.ours)
	}
	for _, d := range f.others {
		run(d.name, d.decode)
	}
	return outcomes
}

// protect calls f and returns its panic, if any.
func protect(f func()) (fault string) {
	defer func() {
		if p := recover(); p != nil {
			fault = fmt.Sprintf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	f()
	return ""
}

// mutate returns a damaged copy of a stream.
func mutate(r *rand.Rand, stream []byte) []byte {
	b := bytes.Clone(stream)
	for range 1 + r.IntN(3) {
		i := r.IntN(len(b))
		if r.IntN(2) == 0 {
			i = r.IntN(min(len(b), 40)) // damage headers and tables more often
		}
		switch r.IntN(6) {
		case 0:
			b[i] ^= 1 << r.IntN(8)
		case 1:
			b[i] = byte(r.Uint32())
		case 2:
			b[i] = 0xff
		case 3:
			copy(b[i:], stream[r.IntN(len(stream)):])
		case 4:
			b = b[:i+1]
		case 5:
			b = slices.Insert(b, i, byte(r.Uint32()))
		}
	}
	return b
}

// finding records a finding, with the stream or the data.
func (c *campaign) finding(format, what string, b []byte) {
	c.found++
	line, _, _ := strings.Cut(what, "\n")
	fmt.Printf("FINDING %d, seed %d: %s: %s\n", c.found, c.seed, format, line)
	if c.found > 1000 {
		return // enough findings are kept
	}
	name := filepath.Join(c.folder, fmt.Sprintf("%s-%d-%d", format, c.seed, c.found))
	err := os.MkdirAll(c.folder, 0o777)
	if err == nil {
		err = os.WriteFile(name+".bin", b, 0o666)
	}
	if err == nil {
		err = os.WriteFile(name+".txt", []byte(what+"\n"), 0o666)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "campaign: finding not kept:", err)
	}
}

func (c *campaign) summary(w io.Writer) {
	fmt.Fprintf(w, "%d rounds, %d streams, %d damaged streams, kernels %v\n", c.rounds, c.streams, c.damaged, kernels.Tiers())
	var lines []string
	for line := range c.accepted {
		lines = append(lines, line)
	}
	slices.Sort(lines)
	for _, line := range lines {
		fmt.Fprintf(w, "%8d damaged, %s\n", c.accepted[line], line)
	}
	fmt.Fprintf(w, "%d findings\n", c.found)
}
