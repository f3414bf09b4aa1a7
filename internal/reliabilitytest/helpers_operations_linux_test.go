//go:build amd64

package reliabilitytest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/fsio"
	"github.com/seed03b80dae/blosc2/stream"
)

func oldFrame(t *testing.T) []byte { return sealedFrame(t) }

// An operation changes or makes the file "f" of a folder, by a path.
type operation struct {
	do      func(dir string) error         // the operation, run in a separate process
	args    []string                       // arguments of the command, which is run instead of do; DIR is the folder
	old     func(t *testing.T) []byte      // contents of f before; nil if there is no f
	in      func(t *testing.T) []byte      // contents of the file "in", which does not change
	read    func(b []byte) ([]byte, error) // returns the contents of f, which is changed in place
	dir     bool                           // f is a folder
	rescues bool                           // an unreadable part is reported, but is not a failure
}

var operations = map[string]operation{
	"Replace": {
		old: func(t *testing.T) []byte { return []byte("old") },
		do: func(dir string) error {
			return fsio.Replace(filepath.Join(dir, "f"), func(file *os.File) error {
				for i := range 3 {
					if _, err := file.Write(pattern(i*1000, 1000)); err != nil {
						return err
					}
				}
				return nil
			})
		},
	},
	"CompactFile": {
		old: func(t *testing.T) []byte { b, _ := edited(t, sealedFrame(t), pattern(0, held)); return b },
		do:  func(dir string) error { return frame.CompactFile(filepath.Join(dir, "f")) },
	},
	"RepairFile": {
		in:      oldFrame,
		rescues: true,
		do: func(dir string) error {
			rep, err := frame.RepairFile(filepath.Join(dir, "in"), filepath.Join(dir, "f"))
			if err == nil {
				for _, l := range rep.Lost {
					fmt.Println(l.Err)
				}
			}
			return err
		},
	},
	"SealFile": {
		old:  func(t *testing.T) []byte { return unsealed(t, pattern(0, held)) },
		read: frameIs,
		do:   func(dir string) error { return frame.SealFile(filepath.Join(dir, "f")) },
	},
	"RenewFile": {
		old:  oldFrame,
		read: frameIs,
		do:   func(dir string) error { return frame.RenewFile(filepath.Join(dir, "f")) },
	},
	"OpenFile": {
		old:  func(t *testing.T) []byte { return written(t, pattern(0, held), true, long(true)...) },
		read: frameIs,
		do: func(dir string) error {
			e, err := frame.EditFile(filepath.Join(dir, "f"))
			if err != nil {
				return err
			}
			err = errors.Join(e.Append(pattern(held, 200)), e.SetVLMeta("note", []byte("more")), e.Commit())
			if err == nil {
				err = errors.Join(e.Append(pattern(held+200, more-held-200)), e.Commit())
			}
			return errors.Join(err, e.Close())
		},
	},
	"AppendFile": {
		old:  oldFrame,
		read: frameIs,
		do: func(dir string) error {
			w, err := stream.AppendFile(filepath.Join(dir, "f"), stream.Workers(1))
			if err != nil {
				return err
			}
			_, err = w.Write(pattern(held, 200))
			if err == nil {
				err = errors.Join(w.Flush(), w.Checkpoint())
			}
			if err == nil {
				_, err = w.Write(pattern(held+200, more-held-200))
			}
			return errors.Join(err, w.Close())
		},
	},
	"AppendFile to an open log": {
		old:  openLog,
		read: frameIs,
		do: func(dir string) error {
			w, err := stream.AppendFile(filepath.Join(dir, "f"), stream.Workers(1))
			if err != nil {
				return err
			}
			_, err = w.Write(pattern(held, 200))
			if err == nil {
				err = errors.Join(w.Flush(), w.Checkpoint())
			}
			if err == nil {
				_, err = w.Write(pattern(held+200, more-held-200))
			}
			return errors.Join(err, w.Close())
		},
	},
	"SealFile of an open log": {
		old:  openLog,
		read: frameIs,
		do:   func(dir string) error { return frame.SealFile(filepath.Join(dir, "f")) },
	},
	"b2nd.EditFile": {
		old:  func(t *testing.T) []byte { b, _ := array(t); return b },
		read: func(b []byte) ([]byte, error) { return content("array", b) },
		do: func(dir string) error {
			e, err := b2nd.EditFile(filepath.Join(dir, "f"))
			if err != nil {
				return err
			}
			return errors.Join(editArray(e), e.Close())
		},
	},
	"sparse": {
		old:  func(t *testing.T) []byte { return []byte{} },
		read: func(b []byte) ([]byte, error) { return b, nil },
		dir:  true,
		do: func(dir string) error {
			s, err := frame.EditSparse(frame.OSDir(filepath.Join(dir, "f")))
			if err != nil {
				return err
			}
			return errors.Join(s.Append(pattern(held, more-held)), s.SetVLMeta("note", []byte("n")), s.Commit())
		},
	},
	"command compress":       {args: []string{"compress", "-j1", "-o", "DIR/f", "DIR/in"}, in: rawData},
	"command compress over":  {args: []string{"compress", "-j1", "--force", "-o", "DIR/f", "DIR/in"}, in: rawData, old: oldFrame},
	"command compress spool": {args: []string{"compress", "-j1", "--spool", "-o", "DIR/f", "DIR/in"}, in: rawData},
	"command compress array": {args: []string{"compress", "-j1", "--shape", "100,30", "--dtype", "<f4", "-o", "DIR/f", "DIR/in"}, in: rawData},
	"command append":         {args: []string{"compress", "-j1", "--append", "-o", "DIR/f", "DIR/in"}, in: func(*testing.T) []byte { return pattern(held, more-held) }, old: oldFrame, read: frameIs},
	"command decompress":     {args: []string{"decompress", "-j1", "--force", "-o", "DIR/f", "DIR/in"}, in: oldFrame, old: rawData},
	"command slice":          {args: []string{"slice", "-o", "DIR/f", "DIR/in", "2:5"}, in: func(t *testing.T) []byte { b, _ := array(t); return b }},
	"command compact":        {args: []string{"compact", "DIR/f"}, old: func(t *testing.T) []byte { b, _ := edited(t, sealedFrame(t), pattern(0, held)); return b }},
	"command repair":         {args: []string{"repair", "-o", "DIR/f", "DIR/in"}, in: oldFrame, rescues: true},
	"command seal":           {args: []string{"seal", "DIR/f"}, old: func(t *testing.T) []byte { return unsealed(t, pattern(0, held)) }, read: frameIs},
}

// frameIs reads a frame.
func frameIs(b []byte) ([]byte, error) { return content("frame", b) }

// openLog returns a log after its writer died, after a commit and a flush.
func openLog(t *testing.T) []byte {
	d := newDisk(nil)
	w, err := stream.NewWriter(d, common()...)
	must(t, err)
	_, err = w.Write(pattern(0, held-300))
	must(t, errors.Join(err, w.Checkpoint()))
	_, err = w.Write(pattern(held-300, 300))
	must(t, errors.Join(err, w.Flush()))
	w.Abort(nil)
	return d.b
}

func rawData(*testing.T) []byte { return pattern(0, 12_000) }
