package b2test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

func TestFormulas(t *testing.T) {
	made := map[string]string{} // SHA-256 by formula
	for _, e := range Corpus(t) {
		if e.Payload == nil || e.Payload.Formula == "" {
			continue
		}
		digest, ok := made[e.Payload.Formula]
		if !ok {
			b, err := Formula(e.Payload.Formula)
			if err != nil {
				t.Errorf("%s: %v", e.Path, err)
				continue
			}
			digest = Digest(b)
			made[e.Payload.Formula] = digest
		}
		if digest != e.Payload.SHA256 {
			t.Errorf("%s: formula %s makes other bytes", e.Path, e.Payload.Formula)
		}
	}
	if len(made) < 100 {
		t.Errorf("only %d formulas in the manifest", len(made))
	}
	t.Logf("%d formulas", len(made))
}

func TestFormulaErrors(t *testing.T) {
	for _, expr := range []string{"", "steps", "steps(1", "steps(1,2)x", "nothing(1)", "ramp(i3,4)", "first(9,zeros(8))", "steps(-1,2)", "zeros(1,2,3)", "ramp(zeros(1))"} {
		if b, err := Formula(expr); err == nil {
			t.Errorf("Formula(%q) = %d bytes", expr, len(b))
		}
	}
}

func TestCorpusFiles(t *testing.T) {
	entries := Corpus(t)
	for _, e := range entries {
		if (e.Payload == nil) == (e.Reject == "") {
			t.Errorf("%s: needs either a payload or a reason to reject it", e.Path)
		}
		if e.Kind == "sframe" || len(e.Files) > 0 {
			for name, f := range e.Files {
				b, err := os.ReadFile(filepath.Join(e.File(), name))
				if err != nil || int64(len(b)) != f.Size || Digest(b) != f.SHA256 {
					t.Errorf("%s/%s: not as the manifest says (%v)", e.Path, name, err)
				}
			}
			continue
		}
		e.Offset = 0
		if b := e.Bytes(t); int64(len(b)) != e.Size || Digest(b) != e.SHA256 {
			t.Errorf("%s: not as the manifest says", e.Path)
		}
	}
	t.Logf("%d files", len(entries))
}

func TestOracles(t *testing.T) {
	payload, err := Formula("steps(4,1000)")
	if err != nil {
		t.Fatal(err)
	}
	for _, lib := range Oracles(t) {
		dir := t.TempDir()
		in, out := filepath.Join(dir, "in"), filepath.Join(dir, "out.b2frame")
		if err := os.WriteFile(in, payload, 0o666); err != nil {
			t.Fatal(err)
		}
		lib.Run(t, "write-frame", "--typesize", "4", "--chunksize", "1000", in, out)
		got, err := lib.Decode(t, "read-frame", out)
		if err != nil || !bytes.Equal(got, payload) {
			t.Errorf("C-Blosc2 %d: %d bytes, %v", lib.Major, len(got), err)
		}
		if _, err := lib.RunErr("read-frame", in, out); err == nil {
			t.Errorf("C-Blosc2 %d read a frame where there is none", lib.Major)
		}
	}
}
