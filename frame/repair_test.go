package frame_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/meta"
)

// A frame that is truncated anywhere is repaired to its complete chunks. Zeros replace
// the data that are missing according to the header.
func TestRepairTorn(t *testing.T) {
	sealed, unsealed, data, ends := small(t)
	held := []int{200, 300, 400, 500}
	for what, b := range map[string][]byte{"sealed": sealed, "unsealed": unsealed} {
		for n := range len(b) {
			have := 0
			for i, end := range ends {
				if n >= end {
					have = held[i]
				}
			}
			out, rep, err := repair(t, b[:n])
			if err != nil {
				if have > 0 {
					t.Errorf("%s, %d bytes: %v", what, n, err)
				}
				continue
			}
			want := bytes.Clone(data[:have])
			if what == "sealed" {
				want = append(want, make([]byte, len(data)-len(want))...)
			}
			mustHold(t, what, out, want)
			if rep.Complete() && !(what == "unsealed" && n >= len(b)) || rep.LostBytes() != int64(len(want)-len(bytes.TrimRight(want, "\x00")))&^3 && what == "unsealed" {
				t.Errorf("%s, %d bytes: %+v", what, n, rep)
			}
		}
	}
}

// If any single bit is flipped, everything is recovered, except perhaps the chunk with
// that bit. That chunk keeps its position.
func TestRepairFlips(t *testing.T) {
	sealed, unsealed, data, _ := small(t)
	for what, b := range map[string][]byte{"sealed": sealed, "unsealed": unsealed} {
		all, lost := 0, 0
		for bit := range 8 * len(b) {
			b[bit/8] ^= 1 << (bit % 8)
			out, rep, err := repair(t, b)
			b[bit/8] ^= 1 << (bit % 8)
			if err != nil {
				t.Errorf("%s: bit %d of byte %d: %v", what, bit%8, bit/8, err)
				continue
			}
			want := bytes.Clone(data)
			for _, l := range rep.Lost {
				if what == "unsealed" && l.Start == 400 {
					want = append(want[:400], make([]byte, l.End-400)...) // its length is only in the chunk
				}
				clear(want[l.Start:l.End])
			}
			if len(rep.Lost) == 0 {
				all++
			} else {
				lost++
			}
			got, _, err := readAll(out)
			if err != nil || !bytes.Equal(got, want) || len(rep.Lost) > 1 {
				t.Errorf("%s: bit %d of byte %d: %d bytes, %d chunks lost: %v", what, bit%8, bit/8, len(got), len(rep.Lost), err)
			}
		}
		t.Logf("%s: of %d flips %d lost nothing, %d lost one chunk", what, 8*len(b), all, lost)
	}
}

// A lost chunk that is not filled can be read neither by this library nor by C-Blosc2.
// The others can.
func TestRepairLost(t *testing.T) {
	m := newMaker(t, 1000, building{Checks: true})
	data := ramp(4700)
	for _, c := range cut(data, 1000) {
		m.chunk(c)
	}
	m.tail()
	b := m.sealed()
	b[len(m.head)+20+100] ^= 1
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in"), filepath.Join(dir, "out")
	if err := os.WriteFile(in, b, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := frame.RepairFile(in, in); err == nil {
		t.Error("repaired over itself")
	}
	rep, err := frame.RepairFile(in, out, frame.LeaveHoles())
	if err != nil || len(rep.Lost) != 1 || rep.Lost[0].N != 0 || rep.Lost[0].End != 1000 || rep.Chunks != 5 {
		t.Fatalf("%+v, %v", rep, err)
	}
	f, err := frame.OpenFile(out)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Chunk(nil, 0); !errors.Is(err, blosc2.ErrCorrupt) {
		t.Errorf("lost chunk: %v", err)
	}
	got := make([]byte, 3700)
	if _, err := f.ReadAt(got, 1000); err != nil || !bytes.Equal(got, data[1000:]) {
		t.Errorf("the others: %v", err)
	}
	for _, lib := range b2test.Oracles(t) {
		if _, err := lib.RunErr("read-range", "--chunk", "0", "--start", "0", "--stop", "10", out, filepath.Join(dir, "x")); err == nil {
			t.Errorf("%v reads the lost chunk", lib)
		}
		lib.Run(t, "read-range", "--chunk", "1", "--start", "0", "--stop", "250", out, filepath.Join(dir, "x"))
		if x, _ := os.ReadFile(filepath.Join(dir, "x")); !bytes.Equal(x, data[1000:2000]) {
			t.Errorf("%v: chunk 1 has %d bytes", lib, len(x))
		}
	}
}

// If the chunks are not in order, the rest of the index is used, or else the newest
// intact one. Other chunks that the header counts are lost, unless guessing is allowed.
func TestRepairOlderIndex(t *testing.T) {
	m := newMaker(t, 1000, building{Checks: true, Unordered: true})
	data := ramp(3500)
	for _, c := range cut(data, 1000)[:2] {
		m.chunk(c)
	}
	m.tail()
	for _, c := range cut(data, 1000)[2:] {
		m.chunk(c)
	}
	m.tail()
	b := m.sealed()
	b[len(b)-100] ^= 1
	out, rep, err := repair(t, b)
	if err != nil || rep.Found != "the rest of the index" || !rep.Complete() {
		t.Fatalf("%+v, %v", rep, err)
	}
	mustHold(t, "the index in part", out, data)
	clear(b[len(b)-120:])
	out, rep, err = repair(t, b)
	if err != nil || rep.Found != "an older index" || rep.LostBytes() != 1500 || rep.Saved() != 2 {
		t.Fatalf("%+v, %v", rep, err)
	}
	mustHold(t, "older index", out, append(bytes.Clone(data[:2000]), make([]byte, 1500)...))
	if out, _, err = repair(t, b, frame.GuessOrder()); err != nil {
		t.Fatal(err)
	}
	mustHold(t, "guessed", out, data)
}

// All frames in a file are repaired, also those after a frame that is torn or damaged.
func TestRepairMany(t *testing.T) {
	sealed, unsealed, data, ends := small(t)
	torn := unsealed[:ends[3]+40]
	sealed[ends[2]+40] ^= 1 // damages chunk 2
	all := append(append(append(append([]byte(nil), torn...), sealed...), unsealed...), "junk"...)
	out, rep, err := repair(t, all)
	if err != nil || rep.Frames != 3 || rep.Chunks != 9 || len(rep.Lost) != 1 || rep.Lost[0].Frame != 1 || rep.Lost[0].N != 2 {
		t.Fatalf("%+v, %v", rep, err)
	}
	want := append(append(bytes.Clone(data), data[:400]...), make([]byte, 100)...)
	want = append(want, data...)
	if got, _, err := walk(bytes.NewReader(out)); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes, want %d: %v", len(got), len(want), err)
	}
}

// If C-Blosc2 has edited a frame and its index is lost, its chunks are not assumed
// to be in order, unless GuessOrder is given.
func TestRepairForeign(t *testing.T) {
	data := ramp(4000)
	for _, lib := range b2test.Oracles(t) {
		path := sealedOf(t, data)
		lib.Run(t, "edit-frame", "--codec", "lz4", "--typesize", "4", "--delete", "1", "--append", "file:"+write(t, ramp(1000)), path)
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		want := append(append(bytes.Clone(data[:1000]), data[2000:]...), ramp(1000)...)
		out, _, err := repair(t, b)
		if err != nil {
			t.Fatal(err)
		}
		mustHold(t, "whole", out, want)
		_, f, err := readAll(b)
		if err != nil {
			t.Fatal(err)
		}
		at := int64(len(f.RawHeader())) + f.Header().CBytes
		lost := bytes.Clone(b)
		clear(lost[len(b)-35:]) // destroys the trailer, without which the index is not found
		if out, _, err = repair(t, lost, frame.GuessOrder()); err != nil {
			t.Fatal(err)
		}
		if got, _, err := readAll(out); err != nil || !bytes.Equal(got, append(bytes.Clone(data), ramp(1000)...)) {
			t.Errorf("%v: with an index that is passed over guessed %d bytes: %v", lib, len(got), err)
		}
		clear(b[at : at+100])
		if _, _, err := repair(t, b); err == nil {
			t.Errorf("%v: repaired without an index", lib)
		}
		if out, _, err = repair(t, b, frame.GuessOrder()); err != nil {
			t.Fatal(err)
		}
		if got, _, err := readAll(out); err != nil || !bytes.Equal(got, append(bytes.Clone(data), ramp(1000)...)) {
			t.Errorf("%v: guessed %d bytes: %v", lib, len(got), err)
		}
	}
}

// Chunks that were written but never committed are recovered with RecoverTail.
func TestRepairTail(t *testing.T) {
	m := newMaker(t, 1000, building{Checks: true})
	data := ramp(4000)
	m.chunk(data[:1000])
	m.tail()
	head := m.must(m.b.AppendSealed(nil))
	for _, c := range cut(data[1000:], 1000) {
		m.chunk(c)
	}
	b := append(head, m.wire[len(head):]...)
	out, _, err := repair(t, b)
	if err != nil {
		t.Fatal(err)
	}
	mustHold(t, "without the tail", out, data[:1000])
	out, rep, err := repair(t, b[:len(b)-5], frame.RecoverTail())
	if err != nil || rep.Tail != 2 {
		t.Fatal(rep, err)
	}
	mustHold(t, "with the tail", out, data[:3000])
}

// Metalayers whose names are invalid are renamed, and values that cannot be decoded are
// copied. The result names both.
func TestRepairLayers(t *testing.T) {
	p := chunk.Params{Codec: blosc2.CodecLZ4, Level: 5, TypeSize: 4, Filters: filters.Default(), PlainZeros: true}
	m := newMakerOf(t, p, 16, building{NoMark: true}, meta.Layer{Name: "unit", Value: []byte("kelvin")}, meta.Layer{Name: "unit_1", Value: []byte("other")})
	for _, name := range []string{"note", "none", "last"} {
		if err := m.b.SetVLMeta(name, bytes.Repeat([]byte(name), 50)); err != nil {
			t.Fatal(err)
		}
	}
	m.chunk(make([]byte, 16))
	m.tail()
	wire := m.sealed()
	for old, changed := range map[string]string{"\xa4note": "\xa4no\x00e", "\xa4none": "\xa4last", "\xa4unit": "\xa4u\x00it"} {
		if bytes.Count(wire, []byte(old)) != 1 {
			t.Fatalf("%q occurs %d times", old, bytes.Count(wire, []byte(old)))
		}
		wire = bytes.Replace(wire, []byte(old), []byte(changed), 1)
	}
	at := bytes.LastIndex(wire, []byte("none"))
	wire[at-20] ^= 0xff

	d := newDisk(nil, -1)
	rep, err := frame.Repair(d, bytes.NewReader(wire), int64(len(wire)))
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"u_it_1", "no_e_1", "last_1"}; !slices.Equal(rep.Renamed, want) {
		t.Errorf("renamed: %q, want %q", rep.Renamed, want)
	}
	if want := []string{"last"}; !slices.Equal(rep.Corrupt, want) {
		t.Errorf("corrupt: %q, want %q", rep.Corrupt, want)
	}
	if rep.Complete() {
		t.Error("complete")
	}
	r, err := frame.Open(bytes.NewReader(d.now), int64(len(d.now)))
	if err != nil {
		t.Fatal(err)
	}
	if value, ok := r.Header().Layer("u_it_1"); !ok || string(value) != "kelvin" {
		t.Errorf("metalayer: %q, %t", value, ok)
	}
	for name, was := range map[string]string{"no_e_1": "note", "last_1": "last"} {
		if value, ok, err := r.VLMeta(name); !ok || err != nil || string(value) != strings.Repeat(was, 50) {
			t.Errorf("vlmetalayer %q: %q, %t, %v", name, value, ok, err)
		}
	}
}
