package main

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/tune"
)

// freeSearch is the time that a stream may take for choosing at no cost: only the time
// beyond it counts.
const freeSearch = 25 * time.Millisecond

// searchMegabytes and archiveMegabytes are the lengths of the streams, the latter for
// Archive, which compresses slowly and may take 150 ms to choose.
const (
	searchMegabytes  = 64
	archiveMegabytes = 4
)

// searchMixes is the number of mixes of files that are streamed.
const searchMixes = 3

// A choosing is the time that a stream took to choose and to compress.
type choosing struct {
	data            string
	chosen, encoded time.Duration
	first           time.Duration // time to choose for the first chunk
}

// share returns the time for choosing beyond freeSearch, as a percentage of the time
// for compressing.
func (c *choosing) share() float64 {
	return 100 * float64(max(c.chosen-freeSearch, 0)) / float64(c.encoded)
}

// choose streams chunks for an aim on one thread.
func choose(name string, aim tune.Aim, typesize int, chunks [][]byte) (*choosing, error) {
	p := chunk.Default()
	p.TypeSize = typesize
	s := tune.NewStream(tune.Search{Aim: aim, Params: p, Keep: tune.KeepTypeSize})
	enc, err := chunk.NewEncoder(p)
	if err != nil {
		return nil, err
	}
	c := &choosing{data: name}
	var out []byte
	for i, src := range chunks {
		begun := time.Now()
		p, err := s.Next(src)
		if err != nil {
			return nil, err
		}
		chosen := time.Since(begun)
		if c.chosen += chosen; i == 0 {
			c.first = chosen
		}
		begun = time.Now()
		if err := enc.Reset(p); err != nil {
			return nil, err
		}
		if out, err = enc.Encode(out[:0], src); err != nil {
			return nil, err
		}
		c.encoded += time.Since(begun)
	}
	return c, nil
}

// streamed returns chunks that next returns, at least one, until they have size bytes
// in all.
func streamed(size int, next func() []byte) (chunks [][]byte) {
	for n := 0; n < size; {
		b := next()
		b = b[:min(len(b), chunkSize)]
		chunks = append(chunks, b)
		n += len(b)
	}
	return chunks
}

// benchSearch writes search.md. It holds the time for choosing of streams that repeat
// one file, and of streams of random parts of files. Each time is the least of several
// runs.
func benchSearch(dir string, data []dataset, reps int, progress func(string)) error {
	if len(data) == 0 {
		return errors.New("the section search needs a file in -data")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(dir, "search.md"))
	if err != nil {
		return err
	}
	defer f.Close()
	fmt.Fprintf(f, "# Time to choose\n\n%s. Streams of %d MiB, %d for archive, in chunks of 1 MiB, one thread, the least of %s; ms.\n\n", machine(), searchMegabytes, archiveMegabytes, runs(reps))
	fmt.Fprintln(f, "| aim | streams | first search, at most | choosing, mean | most | compressing then | most beyond 25 ms, % |\n|---|---|---|---|---|---|---|")
	for _, aim := range regretAims {
		size := searchMegabytes << 20
		if aim == tune.Archive {
			size = archiveMegabytes << 20
		}
		var files, mixes []*choosing
		for _, d := range data {
			progress(fmt.Sprintf("search: %s, %v", d.name, aim))
			at := 0
			chunks := streamed(size, func() []byte {
				if at >= len(d.bytes) {
					at = 0
				}
				b := d.bytes[at:]
				at += chunkSize
				return b
			})
			c, err := least(reps, d.name, aim, d.typesize, chunks)
			if err != nil {
				return err
			}
			files = append(files, c)
		}
		for seed := range uint64(searchMixes) {
			rnd := rand.New(rand.NewPCG(seed, 1))
			var d dataset
			left := 0
			chunks := streamed(size, func() []byte {
				if left == 0 {
					d, left = data[rnd.IntN(len(data))], 1+rnd.IntN(4)
				}
				left--
				at := rnd.IntN(max(len(d.bytes)-chunkSize, 1))
				at -= at % d.typesize
				return d.bytes[at:min(at+chunkSize, len(d.bytes))]
			})
			c, err := least(reps, fmt.Sprintf("mix %d", seed+1), aim, 8, chunks)
			if err != nil {
				return err
			}
			mixes = append(mixes, c)
		}
		writeChoosing(f, aim, "one file", files)
		writeChoosing(f, aim, "a mix", mixes)
	}
	return f.Close()
}

// least returns the run that took the least time to choose.
func least(reps int, name string, aim tune.Aim, typesize int, chunks [][]byte) (best *choosing, err error) {
	for range reps {
		c, err := choose(name, aim, typesize, chunks)
		if err != nil {
			return nil, err
		}
		if best == nil || c.chosen < best.chosen {
			best = c
		}
	}
	return best, nil
}

func writeChoosing(w io.Writer, aim tune.Aim, label string, list []*choosing) {
	var first, sum time.Duration
	most, share := list[0], list[0]
	for _, c := range list {
		first, sum = max(first, c.first), sum+c.chosen
		if c.chosen > most.chosen {
			most = c
		}
		if c.share() > share.share() {
			share = c
		}
	}
	ms := func(d time.Duration) float64 { return d.Seconds() * 1e3 }
	fmt.Fprintf(w, "| %v | %s | %.1f | %.1f | %.1f (%s) | %.0f | %.1f (%s) |\n", aim, label, ms(first), ms(sum)/float64(len(list)), ms(most.chosen), most.data, ms(most.encoded), share.share(), share.data)
}
