package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/frame"
)

// verifyCmd is "blosc2 verify".
type verifyCmd struct {
	JSON bool
	jobsFlag
	Recursive bool
	Files     []string
	asNotes   bool // verdicts are printed to standard error
}

func (c *verifyCmd) define(g *grammar) {
	c.jobsFlag.define(g)
	g.BoolVarP(&c.Recursive, "recursive", "r", false, "Process the files in folders and their subfolders.")
	g.BoolVar(&c.JSON, "json", false, "Print a line of JSON for each file.")
	g.rest(&c.Files, "FILE", "Frames, arrays, chunks, folders of sparse frames, or stores.")
}

// Run verifies each file and continues after failures.
func (c *verifyCmd) Run(e *env) error {
	if c.Jobs = c.workers(); c.Jobs == 0 {
		c.Jobs = runtime.GOMAXPROCS(0)
	}
	failed, unread := 0, 0
	files, err := e.expand(c.Files, c.Recursive)
	files = folders(files)
	files, errStores := e.leaves(files)
	err = errors.Join(err, errStores)
	for _, name := range files {
		v, err := c.verify(e, name)
		if err != nil {
			v.fault(0, err)
			var pe *fs.PathError
			if errors.As(err, &pe) || errors.Is(err, errNotSparse) {
				unread++
			}
		}
		c.report(e, v)
		if !v.Sound {
			failed++
		}
		if err := c.print(e, v); err != nil {
			return err
		}
	}
	if n := len(files); failed > 0 && n > 1 {
		e.report(errors.New(unsound(failed-unread, unread, count(int64(n), "file"))))
	}
	if failed > 0 {
		return errReported
	}
	return err
}

// report prints the faults of a file. The last one that repair mends has that advice.
func (c *verifyCmd) report(e *env, v *verdict) {
	for i := len(v.Faults) - 1; i >= 0; i-- {
		f := &v.Faults[i]
		advised := repairable(v.File, f.err)
		if v.Kind == kindFrame || v.Kind == kindArray {
			advised = cutOff(f.err)
		}
		if advised != f.err {
			f.err = advised
			break
		}
	}
	truncated := -1 // number of a frame that is shorter than its header says
	for _, f := range v.Faults {
		if errors.Is(f.err, io.ErrUnexpectedEOF) {
			if f.Frame == truncated {
				continue // the part at the end, which has the same cause
			}
			if f.Part == string(blosc2.PartHeader) {
				truncated = f.Frame
			}
		}
		e.report(&fileError{name: publicName(v.File), err: f.err})
	}
}

// unsound returns the summary of failures in some of all files.
func unsound(faulty, unread int, all string) string {
	switch {
	case unread == 0:
		return fmt.Sprintf("%d of %s are not sound", faulty, all)
	case faulty == 0:
		return fmt.Sprintf("%d of %s cannot be read", unread, all)
	}
	return fmt.Sprintf("%d of %s are not sound, and %d cannot be read", faulty, all, unread)
}

// A verdict is the result of verifying a file.
type verdict struct {
	File       string  `json:"file"`
	Kind       string  `json:"kind,omitempty"`
	Sound      bool    `json:"sound"`
	Schema     string  `json:"schema"`
	Frames     int     `json:"frames"`
	Chunks     int64   `json:"chunks"`
	NBytes     int64   `json:"nbytes"`         // bytes of the items
	Checked    int64   `json:"checked"`        // chunks that were compared with their digests
	Unchecked  int64   `json:"unchecked"`      // chunks without a digest
	Superseded int64   `json:"superseded"`     // chunks that no index refers to any longer
	Records    bool    `json:"records"`        // headers and indexes were checked too
	Unsealed   int     `json:"unsealed"`       // frames that are not sealed
	Open       int     `json:"open"`           // frames that their writers have not closed
	Flushed    int64   `json:"flushed"`        // bytes of the open frames that are not committed
	Trailing   int64   `json:"trailing"`       // bytes after the last frame
	Lost       bool    `json:"lost,omitempty"` // repaired: the vlmetalayer b2lost lists lost chunks
	Note       string  `json:"note,omitempty"` // what the items mean, if they are not data
	Faults     []fault `json:"faults"`
}

// A fault is one error in a file.
type fault struct {
	Frame  int    `json:"frame"`
	Part   string `json:"part,omitempty"`
	Chunk  int64  `json:"chunk"`  // number of the chunk, or -1
	Block  int    `json:"block"`  // number of the block, or -1
	Offset int64  `json:"offset"` // offset in the file, or -1 if it is not known
	What   string `json:"what"`
	err    error
}

func (v *verdict) fault(frameNumber int, err error) {
	f := fault{Frame: frameNumber, Chunk: -1, Block: -1, Offset: -1, What: plain(err), err: err}
	var fe *blosc2.FormatError
	if errors.As(err, &fe) {
		f.Part, f.Chunk, f.Block, f.Offset = string(fe.Part), fe.Chunk, fe.Block, fe.Offset
	}
	v.Faults = append(v.Faults, f)
	v.Sound = false
}

func (c *verifyCmd) verify(e *env, name string) (*verdict, error) {
	v := &verdict{File: name, Sound: true, Faults: []fault{}}
	file, err := e.openAnywhere(name)
	if err != nil {
		return v, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return v, err
	}
	if info.IsDir() && !isSparse(name) {
		return v, errNotSparse
	}
	if info.IsDir() {
		v.Kind, v.Frames = kindSparse, 1
		return v, v.sparse(name, c.Jobs)
	}
	var all []fault
	found, tries := map[string]int{}, 0 // in how many attempts a fault was found
	err = settled(file, func() error {
		*v = verdict{File: name, Sound: true, Faults: []fault{}}
		err := c.once(e, v, file)
		tries++
		for _, f := range v.Faults {
			if found[f.What]++; found[f.What] == 1 {
				all = append(all, f)
			}
		}
		if err != nil || v.Sound {
			return err
		}
		return errUnsound
	})
	switch err {
	case errUnsound:
		err = nil
	case errTooFast: // only what most attempts found is not due to the writer
		v.Faults = append([]fault{}, slices.DeleteFunc(all, func(f fault) bool { return 2*found[f.What] <= tries })...)
		if v.Sound = len(v.Faults) == 0; !v.Sound {
			err = nil
		}
	}
	return v, err
}

// once verifies a file that is not a folder once.
func (c *verifyCmd) once(e *env, v *verdict, file file) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	name := v.File
	head := make([]byte, min(sniffLen, info.Size()))
	if _, err := file.ReadAt(head, 0); err != nil {
		return err
	}
	if v.Kind, err = sniff(head, info.Size()); err != nil {
		if isPlain(name, err) {
			err = e.notCompressed(name, "")
		}
		return err
	}
	v.Frames = 1
	if v.Kind == kindChunk {
		return v.chunk(file, info.Size())
	}
	bar := e.newBar(name, info.Size())
	defer bar.end()
	report, err := frame.Verify(file, info.Size(), frame.Workers(c.Jobs),
		bar.rewritten())
	if err != nil {
		return err
	}
	v.take(report)
	if !v.Sound {
		return nil
	}
	f, err := frame.Open(file, info.Size())
	if err != nil {
		return err
	}
	return cmp.Or(v.metadata(f), otherBlocks(report))
}

// take copies the results of a report into the verdict.
func (v *verdict) take(r *frame.Report) {
	v.Frames, v.Chunks, v.NBytes = r.Frames, r.Chunks, r.NBytes
	v.Checked, v.Unchecked, v.Superseded, v.Records = r.Checked, r.Unchecked, r.Superseded, r.Records
	v.Unsealed, v.Trailing = r.Unsealed, r.Trailing
	v.Open, v.Flushed = r.Open, r.Flushed
	for i, f := range r.Faults {
		if i > 0 && errors.Is(f.Err, blosc2.ErrNotSequential) && r.Faults[i-1].Frame == f.Frame {
			continue // nothing more is known about a frame that cannot be opened
		}
		v.fault(f.Frame, f.Err)
	}
}

// sparse verifies a sparse frame.
func (v *verdict) sparse(name string, workers int) error {
	f, err := frame.OpenFS(os.DirFS(name))
	if err != nil {
		return err
	}
	report, err := f.Verify(frame.Workers(workers))
	if err != nil {
		return err
	}
	v.take(report)
	return cmp.Or(v.metadata(f), otherBlocks(report))
}

// otherBlocks returns an error if chunks of an array have other blocks than the array, as
// b2nd.AppendFile wrote them with Auto before 29 November 2026.
func otherBlocks(r *frame.Report) error {
	if r.OtherBlocks == 0 {
		return nil
	}
	return fmt.Errorf("blocks of another size than those of the array in %s: C-Blosc2 cannot read it; rechunk repairs it", count(r.OtherBlocks, "chunk"))
}

// metadata looks for the list of lost chunks of a repaired frame, and verifies the
// metadata of a frame that holds an array.
func (v *verdict) metadata(f *frame.Reader) error {
	if !v.Sound {
		return nil
	}
	_, lost, err := f.VLMeta(frame.LostName)
	if v.Lost = lost; err != nil || !isArray(f.Metalayers()) {
		return err
	}
	v.Kind = kindArray
	if err := meansNothing(f); errors.Is(err, blosc2.ErrUnsupported) {
		v.Note = strings.TrimSuffix(plain(err), ": "+blosc2.ErrUnsupported.Error())
	} else if err != nil {
		return err
	}
	a, err := b2nd.FromFrame(f)
	if err == nil && v.Frames == 1 {
		v.NBytes = a.Size() // the report counts the padding of chunks, too
	}
	return err
}

// chunk decodes a bare chunk.
func (v *verdict) chunk(file file, size int64) error {
	if m := shardOf(file, size); m != nil {
		return fmt.Errorf("is shard %d of %d, which assemble joins and checks", m.Shard, m.Plan.Shards())
	}
	n := &counter{Writer: io.Discard}
	_, err := decompressChunk(n, file, false)
	v.Chunks, v.Unchecked, v.NBytes = 1, 1, n.n
	return err
}

// print writes the verdict to standard output. Except for JSON, faults have been
// reported already.
func (c *verifyCmd) print(e *env, v *verdict) error {
	if c.JSON {
		v.Schema = "blosc2.verify/1"
		return newJSON(e.stdout).Encode(v)
	}
	if !v.Sound || e.quiet {
		return nil
	}
	if c.asNotes {
		if e.verbose || len(c.Files) == 1 {
			e.note("%s: sound: %s", v.File, strings.Join(v.remarks(), ", "))
		}
		return nil
	}
	return e.print(fmt.Sprintf("%s: %s: %s\n", shown(v.File), e.paint(e.stdout, green, "sound"), strings.Join(v.remarks(), ", ")))
}

// remarks returns sentences about what was checked and what could not be checked.
func (v *verdict) remarks() []string {
	all := []string{count(v.Chunks, "chunk"), count(v.NBytes, "byte")}
	if v.Frames > 1 {
		all = append(all, count(int64(v.Frames), "frame"))
	}
	switch {
	case v.Checked == v.Chunks && v.Records:
		all = append(all, "all digests match")
	case v.Checked > 0:
		all = append(all, count(v.Checked, "chunk")+" with a matching digest", commas(v.Unchecked)+" without a digest")
	default:
		all = append(all, "no digests")
	}
	if !v.Records && v.Checked > 0 {
		all = append(all, "header or index without a digest")
	}
	switch {
	case v.Open > 0 && v.Flushed > 0:
		all = append(all, "not closed by its writer", count(v.Flushed, "byte")+" flushed but not committed")
	case v.Open > 0:
		all = append(all, "not closed by its writer")
	case v.Unsealed > 0:
		all = append(all, "not sealed")
	}
	if v.Superseded > 0 {
		all = append(all, count(v.Superseded, "chunk")+" replaced by later ones")
	}
	if v.Trailing > 0 {
		all = append(all, count(v.Trailing, "byte")+" after the frame")
	}
	if v.Lost {
		all = append(all, "repaired, with some data lost (blosc2 info lists what)")
	}
	if v.Note != "" {
		all = append(all, v.Note)
	}
	return all
}
