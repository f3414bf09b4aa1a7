package frame_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/meta"
)

// A model holds the expected contents of a frame: its decoded chunks.
type model [][]byte

func (m model) bytes() []byte { return bytes.Join(m, nil) }

// step makes the same random change to a frame and to its model.
func step(rng *rand.Rand, e *frame.Editor, m model, size int) (model, error) {
	n := rng.IntN(len(m) + 1)
	data := ramp(size)
	rng.Shuffle(3, func(i, j int) { data[i], data[j] = data[j], data[i] })
	m = append(model(nil), m...)
	switch what := rng.IntN(6); {
	case what == 0 && n < len(m)-1:
		m[n] = data
		return m, e.Update(int64(n), data)
	case what == 1 && n < len(m):
		return append(m[:n], m[n+1:]...), e.Delete(int64(n))
	case what == 2 && n < len(m):
		return append(m[:n], append(model{data}, m[n:]...)...), e.Insert(int64(n), data)
	case what == 3:
		return m, e.SetVLMeta("note", data[:10])
	default:
		data = data[:1+rng.IntN(size)]
		all := append(m.bytes(), data...)
		return model(cut(all, size)), e.Append(data)
	}
}

// A frame that is changed at random has the expected contents after every commit. This
// library and both genuine ones read them, and the genuine ones can append to the frame.
func TestEdit(t *testing.T) {
	const size = 1000
	libs := b2test.Oracles(t)
	more, appended := "file:"+write(t, ramp(size)), 0
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 1))
		mk := newMaker(t, size, building{Checks: seed%2 == 0, NoMark: seed%5 == 4}, meta.Layer{Name: "mine", Value: []byte("xyz")})
		m := model(cut(ramp(rng.IntN(5*size)+1), size))
		for _, c := range m {
			mk.chunk(c)
		}
		mk.tail()
		d := newDisk(mk.sealed(), -1)
		for round := range 4 {
			e, err := frame.Edit(d, int64(len(d.now)))
			if err != nil {
				t.Fatal(seed, err)
			}
			for range 1 + rng.IntN(6) {
				if m, err = step(rng, e, m, size); err != nil {
					t.Fatal(seed, round, err)
				}
			}
			if err := e.Commit(); err != nil {
				t.Fatal(seed, round, err)
			}
			if e.Size() != int64(len(m.bytes())) || e.NumChunks() != int64(len(m)) {
				t.Errorf("seed %d: %d bytes in %d chunks", seed, e.Size(), e.NumChunks())
			}
			if err := e.Close(); err != nil {
				t.Fatal(err)
			}
			got, _, err := readAll(d.now)
			if err != nil || !bytes.Equal(got, m.bytes()) {
				t.Fatalf("seed %d, round %d: %d bytes, want %d: %v", seed, round, len(got), len(m.bytes()), err)
			}
			if w, _, err := walk(bytes.NewReader(d.now)); err == nil && !bytes.Equal(w, m.bytes()) {
				t.Errorf("seed %d: walked wrong bytes", seed)
			} else if err != nil && !errors.Is(err, blosc2.ErrNotSequential) {
				t.Errorf("seed %d: walked: %v", seed, err)
			}
		}
		for _, lib := range libs {
			file := write(t, d.now)
			if got, err := lib.Decode(t, "read-frame", file); err != nil || !bytes.Equal(got, m.bytes()) {
				t.Errorf("seed %d: %v: %d bytes, want %d: %v", seed, lib, len(got), len(m.bytes()), err)
			}
			if len(m) < 2 || len(m[len(m)-1]) < size {
				continue
			}
			lib.Run(t, "edit-frame", "--codec", "zstd", "--typesize", "4", "--append", more, "--delete", "0", "--append", more, file)
			want := bytes.Join(append(append(model(nil), m[1:]...), ramp(size), ramp(size)), nil)
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got, _, err := readAll(b); err != nil || !bytes.Equal(got, want) {
				t.Errorf("seed %d: appended by %v: %d bytes, want %d: %v", seed, lib, len(got), len(want), err)
			}
			appended++
		}
	}
	t.Logf("C-Blosc2 appended to %d of the results", appended)
	if appended == 0 {
		t.Error("none")
	}
}

// After an append an ordered frame is still ordered, and is read front to back. The
// append writes only the new data and one index.
func TestAppendStaysOrdered(t *testing.T) {
	m, data := segments(t, true)
	d := newDisk(m.sealed(), -1)
	for range 3 {
		e, err := frame.Edit(d, int64(len(d.now)))
		if err != nil {
			t.Fatal(err)
		}
		more := ramp(1700)
		if err := e.Append(more); err != nil {
			t.Fatal(err)
		}
		if err := e.Commit(); err != nil {
			t.Fatal(err)
		}
		data = append(data, more...)
		mustHold(t, "appended", d.now, data)
		for _, lib := range b2test.Oracles(t) {
			if got, err := lib.Decode(t, "read-frame", write(t, d.now)); err != nil || !bytes.Equal(got, data) {
				t.Errorf("%v: %d bytes, want %d: %v", lib, len(got), len(data), err)
			}
		}
	}
}

// Chunks can be appended to an empty frame, of ours and of C-Blosc2, and all
// chunks can be deleted.
func TestEditEmpty(t *testing.T) {
	m := newMaker(t, 1000, building{Checks: true})
	d := newDisk(m.must(m.b.AppendEmpty(nil)), -1)
	data := ramp(2500)
	for round := range 2 {
		e, err := frame.Edit(d, int64(len(d.now)))
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(e.Append(data), e.Commit()); err != nil {
			t.Fatal(err)
		}
		if got, _, err := readAll(d.now); err != nil || !bytes.Equal(got, data) {
			t.Fatalf("round %d: %d bytes: %v", round, len(got), err)
		}
		for _, lib := range b2test.Oracles(t) {
			if got, err := lib.Decode(t, "read-frame", write(t, d.now)); err != nil || !bytes.Equal(got, data) {
				t.Errorf("%v: %d bytes, want %d: %v", lib, len(got), len(data), err)
			}
		}
		for range 3 {
			if err := e.Delete(0); err != nil {
				t.Fatal(err)
			}
		}
		if err := e.Commit(); err != nil {
			t.Fatal(err)
		}
		mustHold(t, "emptied", d.now, nil)
		for _, lib := range b2test.Oracles(t) {
			if got, err := lib.Decode(t, "read-frame", write(t, d.now)); err != nil || len(got) != 0 {
				t.Errorf("%v: %d bytes: %v", lib, len(got), err)
			}
		}
	}
}

// Metalayers and vlmetalayers are changed. Invalid changes return errors.
func TestEditMeta(t *testing.T) {
	path := sealedOf(t, ramp(2500), meta.Layer{Name: "mine", Value: []byte("xyz")})
	e, err := frame.EditFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	err = errors.Join(e.SetMetalayer("mine", []byte("abc")), e.SetVLMeta("note", nil), e.SetVLMeta("other", []byte("first")), e.SetVLMeta("other", []byte("second")), e.SetVLMeta("none", nil))
	if err != nil {
		t.Fatal(err)
	}
	for what, err := range map[string]error{
		"longer metalayer":  e.SetMetalayer("mine", []byte("abcd")),
		"unknown metalayer": e.SetMetalayer("yours", []byte("abc")),
		"the mark":          e.SetMetalayer(meta.StreamName, make([]byte, 30)),
		"no name":           e.SetVLMeta("", []byte("x")),
		"long name":         e.SetVLMeta(strings.Repeat("x", 32), []byte("x")),
		"insert of a part":  e.Insert(0, ramp(999)),
		"insert after part": e.Insert(3, ramp(1000)),
		"update too long":   e.Update(2, ramp(1001)),
		"update of none":    e.Update(3, ramp(1000)),
		"update by nothing": e.Update(0, nil),
		"delete of none":    e.Delete(-1),
		"chunk of none":     func() error { _, err := e.Chunk(nil, 3); return err }(),
	} {
		if !errors.Is(err, blosc2.ErrOption) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := e.Commit(); err != nil {
		t.Fatal(err)
	}
	for _, lib := range b2test.Oracles(t) {
		info := string(lib.Run(t, "info", path))
		for _, want := range []string{"616263", "7365636f6e64", "other"} {
			if !strings.Contains(info, want) {
				t.Errorf("%v: %s is missing in %s", lib, want, info)
			}
		}
		if strings.Contains(info, "note") {
			t.Errorf("%v: the deleted vlmetalayer is still there", lib)
		}
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	mustHold(t, "edited", b, ramp(2500))
	if old, ok := e.Reader().Metalayer("mine"); !ok || string(old) != "xyz" {
		t.Errorf("the frame as it was opened has %q", old)
	}
}

// After a filter that would change its data, a short chunk is not filled up, and Append
// returns an error. If the last chunk is full, Append succeeds.
func TestAppendLossy(t *testing.T) {
	p := chunk.Default()
	p.TypeSize, p.PlainZeros = 4, true
	p.Filters.IDs[4], p.Filters.Metas[4] = blosc2.FilterTruncPrec, 10
	for n, want := range map[int]error{1500: blosc2.ErrUnsupported, 2000: nil} {
		m := newMakerOf(t, p, 1000, building{Checks: true})
		for _, c := range cut(ramp(n), 1000) {
			m.chunk(c)
		}
		m.tail()
		d := newDisk(m.sealed(), -1)
		e, err := frame.Edit(d, int64(len(d.now)))
		if err != nil {
			t.Fatal(err)
		}
		if err := e.Append(ramp(1000)); !errors.Is(err, want) {
			t.Errorf("after %d bytes: %v", n, err)
		}
	}
}

// Chunks can be reordered, and space inserted between them, without writing the chunks
// again.
func TestRearrange(t *testing.T) {
	data := ramp(4000)
	m := newMaker(t, 1000, building{Checks: true})
	for _, c := range cut(data, 1000) {
		m.chunk(c)
	}
	m.tail()
	d := newDisk(m.sealed(), -1)
	e, err := frame.Edit(d, int64(len(d.now)))
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Rearrange([]int64{1, 1}); !errors.Is(err, blosc2.ErrOption) {
		t.Errorf("a chunk twice: %v", err)
	}
	check := func(order []int64) {
		t.Helper()
		var want []byte
		for _, n := range order {
			one := make([]byte, 1000)
			if n >= 0 {
				copy(one, data[1000*n:])
			}
			want = append(want, one...)
		}
		if got, _, err := readAll(d.now); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%v: %d bytes: %v", order, len(got), err)
		}
		for _, lib := range b2test.Oracles(t) {
			if got, err := lib.Decode(t, "read-frame", write(t, d.now)); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%v: %v: %d bytes: %v", lib, order, len(got), err)
			}
		}
	}
	order := []int64{3, -1, 0, -1, 1, 2}
	if err := errors.Join(e.Rearrange(order), e.Commit()); err != nil {
		t.Fatal(err)
	}
	check(order)
	if err := errors.Join(e.Rearrange([]int64{1, 3, -1}), e.Commit()); err != nil {
		t.Fatal(err)
	}
	check([]int64{-1, -1, -1}) // all chunks are the same, so the index is one repeated value
}

// Chunks that were written after a frame but not committed are cut off, or recovered as
// far as they are intact.
func TestRecoverTail(t *testing.T) {
	data := ramp(5300)
	for lose := range 300 {
		m := newMaker(t, 1000, building{Checks: true})
		m.chunk(data[:1000])
		m.chunk(data[1000:1400])
		m.tail()
		head := m.must(m.b.AppendSealed(nil))
		m.grow(data[1000:2000])
		m.chunk(data[2000:3000])
		m.tail()
		ends := []int{len(m.wire)}
		for _, c := range cut(data[3000:], 1000) {
			m.chunk(c)
			ends = append(ends, len(m.wire))
		}
		b := append(bytes.Clone(head), m.wire[len(head):]...)
		b = b[:len(b)-lose]
		want := data[:3000]
		for i, end := range ends[1:] {
			if len(b) >= end {
				want = data[:min(3000+1000*(i+1), len(data))]
			}
		}
		if len(b) < ends[0] {
			t.Fatal("too much is lost")
		}
		d := newDisk(b, -1)
		e, err := frame.Edit(d, int64(len(b)), frame.RecoverTail())
		if err != nil || e.Size() != int64(len(want)) {
			t.Fatal(lose, e.Size(), len(want), err)
		}
		mustHold(t, "recovered", d.now, want)
		if err := errors.Join(e.Append(data[len(want):]), e.Commit()); err != nil {
			t.Fatal(err)
		}
		mustHold(t, "continued", d.now, data)
		d = newDisk(b, -1)
		if _, err := frame.Edit(d, int64(len(b))); err != nil {
			t.Fatal(err)
		}
		mustHold(t, "cut off", d.now, data[:1400])
	}
}

// A header at an odd offset in a file, which spans sectors, is also replaced
// safely.
func TestPowerCutAtOffset(t *testing.T) {
	const base = 400
	data := ramp(1500)
	before, after := 0, 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 3))
		m := newMaker(t, 1000, building{Checks: seed%2 == 0})
		m.chunk(data[:1000])
		m.tail()
		old := m.sealed()
		d := newDisk(append(make([]byte, base), old...), rng.IntN(6))
		m.chunk(data[1000:])
		m.tail()
		head := m.must(m.b.AppendSealed(nil))
		_, err := d.WriteAt(m.wire[len(old):], base+int64(len(old)))
		if err == nil {
			err = d.Sync()
		}
		if err == nil {
			err = frame.WriteHeader(d, d.Sync, base, head, int64(len(m.wire)))
		}
		b := d.now
		if err != nil {
			b = d.crash(rng)
		}
		switch got, _, rerr := readAll(b[base:]); {
		case rerr == nil && bytes.Equal(got, data):
			after++
		case rerr == nil && err != nil && bytes.Equal(got, data[:1000]):
			before++
		default:
			t.Fatalf("seed %d: %d bytes, %v; %v", seed, len(got), rerr, err)
		}
	}
	t.Logf("%d as before, %d as after", before, after)
}

// If the power fails at any moment, the frame is as before or as after the commit.
// Committed data remain.
func TestPowerCut(t *testing.T) {
	const size = 700
	for name, layers := range map[string][]meta.Layer{
		"short header": nil,
		"long header":  {{Name: "long", Value: bytes.Repeat([]byte("x"), 1200)}},
	} {
		crashes, before, after := 0, 0, 0
		for seed := range uint64(400) {
			rng := rand.New(rand.NewPCG(seed, 7))
			mk := newMaker(t, size, building{Checks: seed%3 != 0, NoMark: seed%7 == 6}, layers...)
			m := model(cut(ramp(2*size+300), size))
			for _, c := range m {
				mk.chunk(c)
			}
			mk.tail()
			d := newDisk(mk.sealed(), rng.IntN(30))
			old, err := m, error(nil)
			e, err := frame.Edit(d, int64(len(d.now)))
			for range 3 { // three commits
				if err != nil {
					break
				}
				for range 3 {
					if m, err = step(rng, e, m, size); err != nil {
						break
					}
				}
				if err != nil || len(m) == 0 {
					break
				}
				if err = e.Commit(); err == nil {
					old = m
				}
			}
			if !errors.Is(err, errPower) {
				continue
			}
			crashes++
			for range 5 {
				b := d.crash(rng)
				got, _, err := readAll(b)
				switch {
				case err == nil && bytes.Equal(got, old.bytes()):
					before++
				case err == nil && bytes.Equal(got, m.bytes()):
					after++
				default:
					t.Fatalf("%s, seed %d: %d bytes, %d before, %d after: %v", name, seed, len(got), len(old.bytes()), len(m.bytes()), err)
				}
				again := newDisk(b, -1)
				e, err := frame.Edit(again, int64(len(b)))
				if err != nil {
					t.Fatalf("%s, seed %d: reopened: %v", name, seed, err)
				}
				if err := errors.Join(e.Append([]byte("1234")), e.Commit()); err != nil {
					t.Fatalf("%s, seed %d: append: %v", name, seed, err)
				}
				if now, _, err := readAll(again.now); err != nil || !bytes.Equal(now, append(bytes.Clone(got), "1234"...)) {
					t.Fatalf("%s, seed %d: %d bytes after append, %d before: %v", name, seed, len(now), len(got), err)
				}
			}
		}
		t.Logf("%s: %d power cuts; of the frames found %d were as before, %d as after", name, crashes, before, after)
		if before == 0 || after == 0 {
			t.Errorf("%s: the cuts don't show both states", name)
		}
	}
}
