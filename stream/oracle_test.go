package stream_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/codecs"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/stream"
)

// A matrixCase is one set of parameters that C-Blosc2 and this library share.
type matrixCase struct {
	codec, filter          string
	level, typesize, chunk int
	length                 int
}

func (c matrixCase) String() string {
	return fmt.Sprintf("%s level %d, %s, typesize %d, %d bytes in chunks of %d", c.codec, c.level, c.filter, c.typesize, c.length, c.chunk)
}

// matrix returns the cases: all of them if BLOSC2_FULL is set, and otherwise each
// combination of the other parameters with one of nine lengths. The lengths differ
// from group to group, so every typesize meets every length.
func matrix() (cases []matrixCase) {
	step := 9
	if os.Getenv("BLOSC2_FULL") != "" {
		step = 1
	}
	group := 0
	for _, codec := range []string{"blosclz", "lz4", "lz4hc", "zlib", "zstd"} {
		for _, level := range []int{0, 1, 5, 9} {
			for _, filter := range []string{"none", "shuffle", "bitshuffle"} {
				for i, typesize := range []int{1, 2, 3, 4, 7, 8, 16, 255, 300} {
					chunk := 5000 / typesize * typesize
					lengths := []int{0, 1, 31, 32, 33, chunk - 1, chunk, chunk + 1, 3*chunk + 777}
					for at := (group + i) % step; at < len(lengths); at += step {
						cases = append(cases, matrixCase{codec, filter, level, typesize, chunk, lengths[at]})
					}
				}
				group++
			}
		}
	}
	return cases
}

// inParallel calls f with all cases, in as many goroutines as there are CPUs.
func inParallel(cases []matrixCase, f func(matrixCase)) {
	var next atomic.Int64
	var group sync.WaitGroup
	for range runtime.NumCPU() {
		group.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(cases) {
					return
				}
				f(cases[i])
			}
		})
	}
	group.Wait()
}

// payloadFor returns bytes with work for every codec: slow counters, a constant
// part and some noise.
func payloadFor(c matrixCase) []byte {
	b := make([]byte, c.length)
	for i := range b {
		switch item := i / c.typesize; {
		case i%c.typesize < 2:
			b[i] = byte(item * 3 >> (8 * (i % c.typesize)))
		case i > 9000:
			b[i] = byte(uint32(i*i) * 2654435761 >> 13)
		}
	}
	return b
}

// C-Blosc2 reads the frames of this library: from a file that was sealed in place,
// and from an unsealed stream that frame.Seal has sealed.
func TestMatrixWrite(t *testing.T) {
	libs := b2test.Oracles(t)
	dir := t.TempDir()
	var files, number atomic.Int64
	cases := matrix()
	inParallel(cases, func(c matrixCase) {
		data := payloadFor(c)
		for _, unsealed := range []bool{false, true} {
			file := filepath.Join(dir, fmt.Sprint(number.Add(1)))
			if err := writeCase(file, c, data, unsealed); err != nil {
				t.Errorf("%v, unsealed first %v: %v", c, unsealed, err)
				continue
			}
			for _, lib := range libs {
				got, err := lib.Decode(t, "read-frame", file)
				if err != nil || !bytes.Equal(got, data) {
					t.Errorf("%v, unsealed first %v: library %d read %d bytes, %v", c, unsealed, lib.Major, len(got), err)
				}
			}
			files.Add(1)
			os.Remove(file)
		}
	})
	t.Logf("%d cases: %d frames of ours read by each of %d libraries", len(cases), files.Load(), len(libs))
}

// writeCase writes a frame to a file, directly or through a pipe and Seal.
func writeCase(file string, c matrixCase, data []byte, unsealed bool) error {
	id, _ := codecs.ByName(c.codec)
	pipeline, err := filters.Parse(c.filter)
	if err != nil {
		return err
	}
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	defer f.Close()
	var sink io.Writer = f
	if unsealed {
		sink = onlyWriter{f}
	}
	w, err := stream.NewWriter(sink, stream.Codec(id), stream.Level(c.level), stream.Filters(pipeline), stream.TypeSize(c.typesize),
		stream.ChunkSize(c.chunk), stream.Workers(1), stream.Checks(c.length%2 == 0))
	if err != nil {
		return err
	}
	if _, err := w.Write(data[:len(data)/c.chunk*c.chunk]); err != nil {
		return err
	}
	if unsealed {
		if err := w.Flush(); err != nil {
			return err
		}
	}
	if _, err := w.Write(data[len(data)/c.chunk*c.chunk:]); err != nil {
		return err
	}
	if err := w.Close(); err != nil || !unsealed {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	return frame.Seal(f, info.Size())
}

// This library reads the frames of C-Blosc2: from a file by the index, and from a
// pipe through a spool.
func TestMatrixRead(t *testing.T) {
	libs := b2test.Oracles(t)
	dir := t.TempDir()
	var count atomic.Int64
	inParallel(matrix(), func(c matrixCase) {
		n := count.Add(1)
		data := payloadFor(c)
		in, out := filepath.Join(dir, fmt.Sprint(n)), filepath.Join(dir, fmt.Sprint(n, ".b2frame"))
		if err := os.WriteFile(in, data, 0o666); err != nil {
			t.Error(err)
			return
		}
		for _, lib := range libs {
			_, err := lib.RunErr("write-frame", "--codec", c.codec, "--clevel", strconv.Itoa(c.level), "--filters", c.filter,
				"--typesize", strconv.Itoa(c.typesize), "--chunksize", strconv.Itoa(c.chunk), in, out)
			if err != nil {
				t.Errorf("%v: %v", c, err)
				continue
			}
			b, err := os.ReadFile(out)
			if err != nil {
				t.Error(err)
				continue
			}
			for name, r := range map[string]io.Reader{"file": bytes.NewReader(b), "pipe": io.MultiReader(bytes.NewReader(b))} {
				got, err := readAll(t, r, stream.Workers(1))
				if err != nil || !bytes.Equal(got, data) {
					t.Errorf("%v: from a %s of library %d: %d bytes, %v", c, name, lib.Major, len(got), err)
				}
			}
			os.Remove(out)
		}
		os.Remove(in)
	})
	t.Logf("%d frames of each of %d libraries read", count.Load(), len(libs))
}

// C-Blosc2 edits frames that a Writer made, and then reads the same as a Reader,
// from a file and from a pipe; an edit that keeps every length may be mistaken for
// damage.
func TestEdited(t *testing.T) {
	dir := t.TempDir()
	more := filepath.Join(dir, "more")
	data := numbers(35_000)
	must(t, os.WriteFile(more, noise(10_000), 0o666))
	edits := map[string][]string{
		"append":         {"--append", "file:" + more},
		"insert":         {"--insert", "1=file:" + more},
		"update":         {"--update", "2=file:" + more},
		"delete":         {"--delete", "1"},
		"delete, append": {"--delete", "3", "--append", "file:" + more},
		"vlmeta":         {"--add-vlmetalayer", "v:=0102"},
		"metalayer":      {"--set-metalayer", "m:=616263"},
	}
	count, refused := 0, 0
	for _, lib := range b2test.Oracles(t) {
		for name, edit := range edits {
			for _, checks := range []bool{false, true} {
				for _, committed := range []bool{false, true} {
					file := filepath.Join(dir, "frame")
					f, err := os.Create(file)
					must(t, err)
					w := newWriter(t, f, stream.ChunkSize(10_000), stream.Checks(checks), stream.Metalayer("m", []byte("xyz")))
					_, err = w.Write(data[:5000])
					must(t, err)
					if committed {
						must(t, w.Checkpoint())
					}
					_, err = w.Write(data[5000:])
					must(t, err)
					must(t, w.Close())
					must(t, f.Close())
					what := fmt.Sprintf("%s by library %d, checks %v, committed %v", name, lib.Major, checks, committed)
					if _, err := lib.RunErr(append(append([]string{"edit-frame", "--codec", "lz4"}, edit...), file)...); err != nil {
						if lib.Major > 2 { // 2.17.1 rejects edits that would vary the chunk size
							t.Errorf("%s: %v", what, err)
						}
						continue
					}
					want, err := lib.Decode(t, "read-frame", file)
					must(t, err)
					b, err := os.ReadFile(file)
					must(t, err)
					for kind, r := range map[string]io.Reader{"file": bytes.NewReader(b), "pipe": io.MultiReader(bytes.NewReader(b))} {
						got, err := readAll(t, r)
						switch {
						case err == nil && bytes.Equal(got, want):
							count++
						case name == "metalayer" && checks && errors.Is(err, blosc2.ErrChecksum):
							refused++
						default:
							t.Errorf("%s, from a %s: %d bytes of %d, %v", what, kind, len(got), len(want), err)
						}
					}
				}
			}
		}
	}
	t.Logf("%d edited frames read, %d taken for damaged", count, refused)
	if count == 0 {
		t.Error("no frame was read")
	}
}

// C-Blosc2 reads every kind of frame that a Writer makes, as stated here.
func TestLibrariesRead(t *testing.T) {
	data := numbers(10_500)
	write := func(seal bool, opts []stream.WriterOption, steps func(w *stream.Writer)) []byte {
		f := tempFile(t)
		var out io.Writer = f
		if seal {
			out = onlyWriter{f}
		}
		w := newWriter(t, out, append(opts, stream.ChunkSize(2000))...)
		steps(w)
		must(t, w.Close())
		if info, err := f.Stat(); seal && err == nil {
			must(t, frame.Seal(f, info.Size()))
		}
		b, err := os.ReadFile(f.Name())
		must(t, err)
		return b
	}
	all := func(w *stream.Writer) { must(t, second(w.Write(data))) }
	halves := func(between func() error) func(w *stream.Writer) {
		return func(w *stream.Writer) {
			must(t, second(w.Write(data[:5300])))
			must(t, between())
			must(t, second(w.Write(data[5300:])))
		}
	}
	var sixteen []stream.WriterOption
	for i := range 16 {
		sixteen = append(sixteen, stream.Metalayer(fmt.Sprint("m", i), []byte{byte(i)}))
	}
	plain := write(false, nil, all)
	for name, c := range map[string]struct {
		b    []byte
		want []byte
		only int // the library that reads it, 0 for both
	}{
		"empty":                  {write(false, nil, func(*stream.Writer) {}), nil, 0},
		"empty, early flush":     {write(false, nil, func(w *stream.Writer) { must(t, w.Flush()) }), nil, 0},
		"empty, flushed, sealed": {write(true, nil, func(w *stream.Writer) { must(t, w.Flush()) }), nil, 0},
		"grown last chunk":       {write(false, nil, func(w *stream.Writer) { halves(w.Flush)(w) }), data, 0},
		"checkpoint":             {write(false, nil, func(w *stream.Writer) { halves(w.Checkpoint)(w) }), data, 0},
		"variable chunks":        {write(false, []stream.WriterOption{stream.VariableChunks()}, func(w *stream.Writer) { halves(w.Flush)(w) }), data, 3},
		"flushed pipe, sealed":   {write(true, nil, func(w *stream.Writer) { halves(w.Flush)(w) }), data, 3},
		"sixteen metalayers":     {write(false, sixteen, all), data, 0},
		"trailing bytes":         {append(bytes.Clone(plain), "and something else"...), data, 0},
		"two frames":             {append(bytes.Clone(plain), plain...), data, 0}, // the library reads only the first frame
		"spooled":                {write(true, []stream.WriterOption{stream.Spool(1000)}, all), data, 0},
	} {
		file := filepath.Join(t.TempDir(), "frame")
		must(t, os.WriteFile(file, c.b, 0o666))
		for _, lib := range b2test.Oracles(t) {
			info, err := lib.RunErr("info", file)
			if want := fmt.Sprintf(`"nbytes": %d`, len(c.want)); err != nil || !bytes.Contains(info, []byte(want)) {
				t.Errorf("%s: library %d: %v, %s", name, lib.Major, err, info)
			}
			if len(c.want) == 0 {
				continue
			}
			got, err := lib.Decode(t, "read-frame", file)
			if right := err == nil && bytes.Equal(got, c.want); right != (c.only == 0 || c.only == lib.Major) {
				t.Errorf("%s: library %d read %d bytes, %v", name, lib.Major, len(got), err)
			}
		}
	}
	// An unsealed frame is rejected, not treated as empty.
	file := filepath.Join(t.TempDir(), "unsealed")
	must(t, os.WriteFile(file, flushed(t, data, 2000), 0o666))
	for _, lib := range b2test.Oracles(t) {
		if _, err := lib.RunErr("info", file); err == nil {
			t.Errorf("library %d opens an unsealed frame", lib.Major)
		}
	}
}

// second returns the error of a call that also returns a number.
func second(_ int, err error) error { return err }
