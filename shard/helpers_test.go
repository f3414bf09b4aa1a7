package shard_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/parts"
	"github.com/seed03b80dae/blosc2/shard"
	"github.com/seed03b80dae/blosc2/stream"
)

func TestMain(m *testing.M) {
	if folder := os.Getenv(workerFolder); folder != "" {
		work(folder)
		return
	}
	goleak.VerifyTestMain(m)
}

// numbers returns n bytes: some parts are constant, some are regular and some are
// noise.
func numbers(n int) []byte {
	b := make([]byte, n)
	noise := rand.NewChaCha8([32]byte{byte(n)})
	for i := 0; i < n; i += 5000 {
		part := b[i:min(i+5000, n)]
		switch i / 5000 % 3 {
		case 1:
			for j := range part {
				part[j] = byte(j / 8 >> (8 * (j % 8)))
			}
		case 2:
			noise.Read(part)
		}
	}
	return b
}

// whole returns the file that one stream.Writer makes.
func whole(t testing.TB, data []byte, opts ...stream.WriterOption) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "whole")
	w, err := stream.CreateFile(path, opts...)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return readFile(t, path)
}

// wholeArray returns the file that one b2nd.Writer makes.
func wholeArray(t testing.TB, spec b2nd.Spec, data []byte, opts ...stream.WriterOption) []byte {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "whole"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	w, err := b2nd.NewWriter(file, spec, opts...)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return readFile(t, file.Name())
}

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// inMemory makes all shards of a plan.
func inMemory(t testing.TB, p *shard.Plan, data []byte, opts ...stream.Option) []shard.Shard {
	t.Helper()
	shards := make([]shard.Shard, p.Shards())
	for k := range shards {
		var b bytes.Buffer
		m, err := p.WriteShard(&b, k, p.FromReaderAt(bytes.NewReader(data)), opts...)
		if err != nil {
			t.Fatal(err)
		}
		shards[k] = shard.Shard{Manifest: m, Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b.Bytes())), nil }}
	}
	return shards
}

func assemble(t testing.TB, shards []shard.Shard) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := shard.Assemble(&b, shards); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// work makes shards of the plan of TestWorkersKilled.
func work(folder string) {
	p, err := killPlan()
	data := bytes.NewReader(numbers(killBytes))
	for _, s := range strings.Fields(os.Getenv(workerShards)) {
		k, _ := strconv.Atoi(s)
		if err == nil {
			err = shard.WriteShardFile(folder, p, k, p.FromReaderAt(data))
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

const workerFolder = "BLOSC2_SHARD_FOLDER"

// An upload is an object of a store that is as strict as S3.
type upload struct {
	rules  parts.Rules
	parts  map[int][]byte
	put    int64 // total number of bytes put
	object []byte
}

func (u *upload) Rules() parts.Rules { return u.rules }

func (u *upload) Abort(context.Context) error {
	u.parts = map[int][]byte{}
	return nil
}

func (u *upload) Put(_ context.Context, n int, body io.ReadSeeker, size int64) (string, error) {
	b, err := io.ReadAll(body)
	if err != nil {
		return "", err
	}
	// Read a part of the body again, as a client that repeats a request does.
	if _, err := body.Seek(size/3, io.SeekStart); err != nil {
		return "", err
	}
	again, err := io.ReadAll(body)
	if err != nil || !bytes.Equal(again, b[size/3:]) {
		return "", fmt.Errorf("part %d is different when it is read again, or %v", n, err)
	}
	if int64(len(b)) != size || n < 1 || u.rules.Count > 0 && n > u.rules.Count || u.rules.Max > 0 && size > u.rules.Max {
		return "", fmt.Errorf("part %d of %d bytes, of which %d came", n, size, len(b))
	}
	u.parts[n] = b
	u.put += size
	return fmt.Sprint("tag", n, size), nil
}

func (u *upload) Complete(_ context.Context, parts []parts.Part) error {
	u.object = nil
	for i, p := range parts {
		b, ok := u.parts[p.Number]
		switch {
		case !ok || p.Tag != fmt.Sprint("tag", p.Number, len(b)):
			return fmt.Errorf("no part %d", p.Number)
		case i > 0 && p.Number <= parts[i-1].Number:
			return errors.New("part numbers do not ascend")
		case int64(len(b)) < u.rules.Min && i < len(parts)-1:
			return fmt.Errorf("part %d of %d is too short: %d", i, len(parts), len(b))
		}
		u.object = append(u.object, b...)
	}
	return nil
}

var ofS3 = parts.Rules{Min: 5 << 20, Max: 5 << 30, Count: 10_000, Shared: true}

const killBytes = 6 << 20

// These variables make the test binary a worker.
const (
	workerShards = "BLOSC2_SHARD_NUMBERS"
)

func killPlan() (*shard.Plan, error) {
	return shard.NewPlan(killBytes, killShards, stream.ChunkSize(100000), stream.Level(9))
}

const (
	killShards = 5
)
