package main

import (
	"github.com/seed03b80dae/blosc2/stream"
)

const (
	// smallOutput is the largest input, in bytes, that is held in memory together with
	// its output, if there are many. Writing such an output directly to a file would take
	// ten system calls.
	smallOutput = 1 << 20

	// smallAlone is the same for a single input: to fill memory that is used only once
	// takes longer than these calls. 8 KiB are read and written in 0.95 of the time if
	// they are held, 16 to 512 KiB in 1.02 to 1.19.
	smallAlone = 8 << 10
)

// A smallEncoder holds the state that small files reuse one after another.
type smallEncoder struct {
	in      []byte
	out     memory
	sizes   guesser
	enc     encoding // the encoding that options are made from
	dtype   string
	options []stream.WriterOption
}

// writeSmall compresses an input that is held in memory, and then writes the output.
func (j *compression) writeSmall(e *env, in *input, name string) error {
	m := &j.cmd.small.out
	m.reset()
	var err error
	if e.many && !e.verbose && j.array == nil && !j.cmd.ChunkOnly {
		m.b, err = stream.Compress(m.b, in.held, j.smallOptions()...)
		j.done = stream.Stats{Bytes: int64(len(in.held)), Stored: int64(len(m.b)), Chunks: 1}
	} else {
		err = j.run(m, &bar{})
	}
	if err != nil && isMisuse(err) {
		return err
	}
	if err != nil {
		return &fileError{in.name, err, intact(j.done.Bytes)}
	}
	j.settle(e)
	if !j.cmd.Force {
		if done, err := e.putUnnamed(name, m.b, in.info); done {
			return withName(name, err)
		}
	}
	out, err := e.createLike(name, j.cmd.outFlags, in.info)
	if err != nil {
		return err
	}
	if _, err := out.File.Write(m.b); err != nil {
		return e.abandon(out, name, 0, err)
	}
	return e.commit(out)
}

// workers returns the number of workers, one if the input fits in one chunk.
func (j *compression) workers() int {
	if j.small || j.cmd.Jobs == 0 && j.size > 0 && j.size <= int64(j.enc.flags.Chunk) {
		return 1
	}
	return j.cmd.workers()
}

// smallOptions returns the options. It reuses the options of the previous file if they
// are equal.
func (j *compression) smallOptions() []stream.WriterOption {
	s := &j.cmd.small
	if len(j.layers) > 0 {
		return j.options(&bar{})
	}
	if s.options == nil || s.enc != *j.enc || s.dtype != j.dtype {
		s.enc, s.dtype = *j.enc, j.dtype
		s.options = j.options(&bar{})
	}
	return s.options
}
