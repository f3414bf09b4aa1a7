// Package examples_test checks the examples: the manifest against the types of
// Kubernetes, and the others by running them.
package examples_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	batch "k8s.io/api/batch/v1"
	"sigs.k8s.io/yaml"
)

// The manifest has the fields of a Job with their types, and no other fields.
func TestJob(t *testing.T) {
	text, err := os.ReadFile("job.yaml")
	if err != nil {
		t.Fatal(err)
	}
	docs := strings.Split(string(text), "\n---\n")
	if len(docs) != 2 {
		t.Fatalf("%d documents, want 2", len(docs))
	}
	for i, doc := range docs {
		var job batch.Job
		if err := yaml.UnmarshalStrict([]byte(doc), &job); err != nil {
			t.Fatal(err)
		}
		if job.APIVersion != "batch/v1" || job.Kind != "Job" || job.Name == "" || len(job.Spec.Template.Spec.Containers) != 1 {
			t.Errorf("document %d is %s %s %q", i, job.APIVersion, job.Kind, job.Name)
		}
		if s := job.Spec; i == 0 && (s.CompletionMode == nil || *s.CompletionMode != batch.IndexedCompletion || s.Completions == nil ||
			!strings.HasSuffix(s.Template.Spec.Containers[0].Args[1], "/100") || *s.Completions != 100) {
			t.Error("the job is not indexed, or its number of shards is another one than its completions")
		}
	}
}

// program builds the command and returns the PATH with it.
func program(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "build", "-o", filepath.Join(dir, "blosc2"), ".")
	cmd.Dir = filepath.Join(root, "cmd", "blosc2")
	cmd.Env = append(os.Environ(), "GOWORK="+filepath.Join(root, "go.work"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return dir + string(os.PathListSeparator) + os.Getenv("PATH")
}

// sample writes an input of some megabytes.
func sample(t *testing.T, dir string) string {
	t.Helper()
	data := bytes.Repeat([]byte("numbers, numbers, and noise 0123456789"), 300000)
	name := filepath.Join(dir, "in.f4")
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

func run(t *testing.T, path string, env []string, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env = append(append(os.Environ(), "PATH="+path), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v: %s", name, err, out)
	}
}

// same compares a file with the one that a single process makes. The settings are those
// of shards, which are not chosen automatically.
func same(t *testing.T, path, in, got string) {
	t.Helper()
	whole := filepath.Join(t.TempDir(), "whole")
	run(t, path, nil, "sh", "-c", "blosc2 compress --auto off -o '"+whole+"' \""+in+"\"")
	a, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(got)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a, b) {
		t.Error("other bytes than those of one process")
	}
}

func TestMake(t *testing.T) {
	if _, err := exec.LookPath("make"); err != nil {
		missing(t, "make")
	}
	path, dir := program(t), t.TempDir()
	in, out := sample(t, dir), filepath.Join(dir, "out.b2frame")
	run(t, path, nil, "make", "-j2", "INPUT="+in, "OUT="+out, "SHARDS=10")
	same(t, path, in, out)
}

func TestParallel(t *testing.T) {
	if out, err := exec.Command("parallel", "--version").Output(); err != nil || !bytes.Contains(out, []byte("GNU")) {
		missing(t, "GNU parallel")
	}
	path, dir := program(t), t.TempDir()
	dir = filepath.Join(dir, "it's a dir") // the paths contain spaces and quotes
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	in, out := sample(t, dir), filepath.Join(dir, "out.b2frame")
	run(t, path, nil, "./parallel.sh", in, filepath.Join(dir, "the shards"), out, "7")
	same(t, path, in, out)
}

// The Slurm script runs as Slurm would run it, one task after the other.
func TestSlurm(t *testing.T) {
	path, dir := program(t), t.TempDir()
	in, out, folder := sample(t, dir), filepath.Join(dir, "out.b2frame"), filepath.Join(dir, "shards")
	for _, task := range []string{"2", "0", "1"} {
		run(t, path, []string{"SLURM_ARRAY_TASK_ID=" + task, "SLURM_ARRAY_TASK_MAX=2"}, "./slurm.sh", in, folder)
	}
	run(t, path, nil, "sh", "-c", "blosc2 assemble -o "+out+" "+folder)
	same(t, path, in, out)
}

func missing(t *testing.T, what string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatal("missing, and CI=true: " + what)
	}
	t.Skip("skipped for want of " + what)
}
