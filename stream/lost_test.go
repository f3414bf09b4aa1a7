package stream_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/stream"
)

// lostLogs are logs whose writer was killed: chunks and an open chunk that were
// flushed, after a commit or without one.
func lostLogs(t *testing.T) map[string]struct{ b, data []byte } {
	data := numbers(9100)
	logs := make(map[string]struct{ b, data []byte })
	for _, committed := range []int{0, 2500, 4000} {
		for _, end := range []int{8000, 9100} {
			path := filepath.Join(t.TempDir(), "log")
			w, err := stream.CreateFile(path, stream.ChunkSize(1000), stream.TypeSize(8), stream.Workers(1))
			must(t, err)
			write := func(b []byte) {
				_, err := w.Write(b)
				must(t, err)
				must(t, w.Flush())
			}
			if committed > 0 {
				write(data[:committed])
				must(t, w.Checkpoint())
			}
			write(data[committed:5300])
			write(data[5300:end])
			b := mustRead(t, path)
			w.Abort(errors.New("killed"))
			logs[fmt.Sprintf("%d committed, %d flushed", committed, end)] = struct{ b, data []byte }{b, data[:end]}
		}
	}
	return logs
}

// Damage to flushed data is reported by readers and Verify; Append does not overwrite
// intact data after the damage, and Repair saves these data.
func TestLost(t *testing.T) {
	for name, log := range lostLogs(t) {
		whole, err := frame.Open(bytes.NewReader(log.b), int64(len(log.b)), frame.AllowTorn())
		must(t, err)
		if whole.Lost() != nil || whole.Size() != int64(len(log.data)) {
			t.Fatalf("%s: %d bytes, %v", name, whole.Size(), whole.Lost())
		}
		var errs, shorter, refused, lostChunks int
		step := 11
		if len(log.data) > 9000 && !strings.HasPrefix(name, "4000") {
			step = 1
		}
		for at := 0; at < len(log.b); at += step {
			b := bytes.Clone(log.b)
			b[at] ^= 1 << (at * 5 % 8)
			where := fmt.Sprintf("%s: byte %d", name, at)
			rep, err := frame.Verify(bytes.NewReader(b), int64(len(b)))
			must(t, err)
			f, err := frame.Open(bytes.NewReader(b), int64(len(b)), frame.AllowTorn())
			if err != nil {
				errs++
				continue
			}
			if f.Size() > int64(len(log.data)) || f.Size() < int64(len(log.data)) && f.Lost() == nil {
				t.Errorf("%s: %d bytes of %d, and nothing is lost", where, f.Size(), len(log.data))
			}
			if f.Lost() == nil {
				continue
			}
			shorter++
			if _, err := f.Item(nil, f.NumChunks()); err != f.Lost() {
				t.Errorf("%s: reading ends with %v", where, err)
			}
			if rep.Sound() {
				t.Errorf("%s: Verify finds nothing", where)
			}
			d := &disk{b: bytes.Clone(b)}
			w, err := stream.Append(d, int64(len(b)), stream.Workers(1))
			switch {
			case err != nil:
				refused++
				if !bytes.Equal(d.b, b) {
					t.Errorf("%s: refused, but changed", where)
				}
				if !errors.Is(err, blosc2.ErrCorrupt) && !errors.Is(err, blosc2.ErrChecksum) {
					t.Errorf("%s: %v", where, err)
				}
				if w, err = stream.Append(d, int64(len(b)), stream.Workers(1), stream.DropDamaged()); err != nil {
					t.Errorf("%s: %v", where, err)
					continue
				}
			case int64(len(log.data))-f.Size() > 1000: // more is lost than the damaged bytes
				t.Errorf("%s: gone on at %d, before %v", where, f.Size(), f.Lost())
			}
			if w.Lost() == nil || w.Offset() != f.Size() {
				t.Errorf("%s: goes on at %d of %d: %v", where, w.Offset(), f.Size(), w.Lost())
			}
			_, err = w.Write([]byte("new data"))
			must(t, errors.Join(err, w.Flush()))
			if now, err := frame.Open(d, int64(len(d.b)), frame.AllowTorn()); err != nil || now.Lost() != nil || now.Size() != f.Size()+8 {
				t.Errorf("%s: after Append and Flush: %d bytes, lost %v, %v", where, now.Size(), now.Lost(), err)
			}
			must(t, w.Close())
			out := new(disk)
			saved, err := frame.Repair(out, bytes.NewReader(b), int64(len(b)))
			if err != nil {
				t.Errorf("%s: repair: %v", where, err)
				continue
			}
			got, err := stream.Decompress(nil, out.b)
			for _, l := range saved.Lost {
				if lostChunks++; l.End <= int64(len(got)) {
					copy(got[l.Start:l.End], log.data[l.Start:])
				}
			}
			if err != nil || !bytes.HasPrefix(log.data, got) || len(saved.Lost) > 1 {
				t.Errorf("%s: repair loses %v: %v", where, saved.Lost, err)
			}
			if least := len(log.data) - len(log.data)%1000; len(got) < least || len(got) < len(log.data) && saved.Complete() {
				t.Errorf("%s: repair saves %d bytes of %d: %+v", where, len(got), len(log.data), saved)
			}
		}
		t.Logf("%s: %d bytes, %d are errors, %d lose something, of which %d are refused and %d cost a chunk", name, len(log.b), errs, shorter, refused, lostChunks)
	}
}

// Damage to the committed bytes of the open chunk loses that chunk; the others are read
// and repaired. A writer must not continue after the damage.
func TestLostCommitted(t *testing.T) {
	data := numbers(2700)
	path := filepath.Join(t.TempDir(), "log")
	w, err := stream.CreateFile(path, stream.ChunkSize(1000), stream.TypeSize(8), stream.Workers(1))
	must(t, err)
	_, err = w.Write(data[:2500])
	must(t, errors.Join(err, w.Checkpoint()))
	_, err = w.Write(data[2500:])
	must(t, errors.Join(err, w.Flush()))
	log := mustRead(t, path)
	w.Abort(errors.New("killed"))
	open := bytes.LastIndex(log, data[2000:])
	if open < 0 {
		t.Fatal("no open chunk")
	}
	intact, err := frame.Open(bytes.NewReader(log), int64(len(log)), frame.AllowTorn())
	must(t, err)
	for at := open; at < open+500; at++ {
		b := bytes.Clone(log)
		b[at] ^= 1 << (at % 8)
		f, err := frame.Open(bytes.NewReader(b), int64(len(b)), frame.AllowTorn())
		if err != nil {
			t.Fatalf("byte %d: %v", at, err)
		}
		if f.Size() != 2500 || !errors.Is(f.Lost(), blosc2.ErrChecksum) {
			t.Errorf("byte %d: %d bytes, lost %v", at, f.Size(), f.Lost())
		}
		for n := range int64(2) {
			if got, err := f.Chunk(nil, n); err != nil || !bytes.Equal(got, data[n*1000:][:1000]) {
				t.Errorf("byte %d: chunk %d: %v", at, n, err)
			}
		}
		if _, err := f.Chunk(nil, 2); !errors.Is(err, blosc2.ErrChecksum) {
			t.Errorf("byte %d: chunk 2: %v", at, err)
		}
		if n, err := f.ReadAt(make([]byte, 8), 2400); !errors.Is(err, blosc2.ErrChecksum) {
			t.Errorf("byte %d: ReadAt: %d, %v", at, n, err)
		}
		if now, err := f.Refresh(int64(len(b))); err != nil || now.Lost() == nil || now.Size() != 2500 {
			t.Errorf("byte %d: Refresh: %v, %v", at, now, err)
		}
		if rep, err := frame.Verify(bytes.NewReader(b), int64(len(b))); err != nil || len(rep.Faults) != 1 {
			t.Errorf("byte %d: Verify: %v, %v", at, rep.Faults, err)
		}
		for _, opt := range []stream.WriterOption{stream.Workers(1), stream.DropDamaged(), stream.DropTail()} {
			d := &disk{b: bytes.Clone(b)}
			if _, err := stream.Append(d, int64(len(b)), opt); !errors.Is(err, blosc2.ErrChecksum) || !bytes.Equal(d.b, b) {
				t.Errorf("byte %d: Append: %v", at, err)
			}
		}
		out := new(disk)
		rep, err := frame.Repair(out, bytes.NewReader(b), int64(len(b)))
		must(t, err)
		got, err := stream.Decompress(nil, out.b)
		if err != nil || len(got) < 2000 || !bytes.Equal(got[:2000], data[:2000]) || len(rep.Lost) != 1 || rep.Lost[0].N != 2 || rep.Complete() {
			t.Errorf("byte %d: repair saves %d bytes, loses %v: %v", at, len(got), rep.Lost, err)
		}
	}
	for at := open + 500; at < open+700; at++ { // damage bytes that were flushed but not committed
		b := bytes.Clone(log)
		b[at] ^= 1 << (at % 8)
		f, err := frame.Open(bytes.NewReader(b), int64(len(b)), frame.AllowTorn())
		must(t, err)
		if got, err := f.Chunk(nil, 2); err != nil || !bytes.Equal(got, data[2000:2500]) || f.Lost() == nil {
			t.Errorf("byte %d: %d bytes, %v, lost %v", at, len(got), err, f.Lost())
		}
	}
	if intact.Size() != 2700 || intact.Lost() != nil {
		t.Errorf("undamaged: %d bytes, lost %v", intact.Size(), intact.Lost())
	}
}

// Damage to 64 bytes loses only the chunks that hold them.
func TestLost64(t *testing.T) {
	for name, log := range lostLogs(t) {
		tail := len(log.data) % 1000
		if tail == 0 {
			continue // nothing intact follows the last chunk
		}
		open := bytes.LastIndex(log.b, log.data[len(log.data)-tail:]) - 96
		noise, saved := rand.NewChaCha8([32]byte{1}), 0
		for at := 0; at+64 <= len(log.b); at += 7 {
			b := bytes.Clone(log.b)
			noise.Read(b[at : at+64])
			where := fmt.Sprintf("%s: bytes %d to %d", name, at, at+64)
			f, err := frame.Open(bytes.NewReader(b), int64(len(b)), frame.AllowTorn())
			if err != nil || f.Lost() == nil {
				if err == nil && f.Size() < int64(len(log.data)) && at >= 162 && at+64 <= open { // the damage is between the header and the open chunk
					t.Errorf("%s: %d bytes of %d, and nothing is lost", where, f.Size(), len(log.data))
				}
				continue
			}
			out := new(disk)
			rep, err := frame.Repair(out, bytes.NewReader(b), int64(len(b)))
			if err != nil {
				t.Errorf("%s: repair: %v", where, err)
				continue
			}
			got, err := stream.Decompress(nil, out.b)
			for _, l := range rep.Lost {
				if l.End <= int64(len(got)) {
					copy(got[l.Start:l.End], log.data[l.Start:])
				}
			}
			if err != nil || !bytes.HasPrefix(log.data, got) || len(rep.Lost) > 2 {
				t.Errorf("%s: repair loses %v of %d: %v", where, rep.Lost, len(got), err)
			}
			if at+64 <= open && len(got) < len(log.data) || len(got) < len(log.data)-tail || len(got) < len(log.data) && rep.Complete() {
				t.Errorf("%s: repair saves %d bytes of %d: %+v", where, len(got), len(log.data), rep)
			}
			saved++
		}
		t.Logf("%s: %d repaired", name, saved)
	}
}

// A log that is truncated within a chunk has lost flushed data.
func TestLostByCut(t *testing.T) {
	for name, log := range lostLogs(t) {
		most := 90 // cuts within the open chunk
		if strings.HasPrefix(name, "0 ") {
			most = len(log.b) - 200
		}
		for cut := 1; cut < most; cut += 13 {
			b := log.b[:len(log.b)-cut]
			f, err := frame.Open(bytes.NewReader(b), int64(len(b)), frame.AllowTorn())
			if err != nil {
				continue // the cut removed committed data too
			}
			if n := f.NumChunks(); n > 0 && f.Lost() == nil { // a cut between two chunks cannot be noticed
				it, err := f.Item(nil, n-1)
				must(t, err)
				rest := b[min(it.Offset+int64(len(it.Chunk))+16, int64(len(b))):]
				if len(rest) < 32 || bytes.Equal(rest[:16], make([]byte, 16)) { // a cut within or before the header of a chunk cannot be noticed
					continue
				}
			}
			if f.Size() < int64(len(log.data)) && f.Lost() == nil {
				t.Errorf("%s: cut off by %d: %d bytes of %d, and nothing is lost", name, cut, f.Size(), len(log.data))
			}
		}
	}
}

// A Follower of a log reports lost data, and does not wait for them.
func TestFollowLost(t *testing.T) {
	log := lostLogs(t)["2500 committed, 9100 flushed"]
	path := filepath.Join(t.TempDir(), "log")
	i := bytes.LastIndex(log.b, log.data[9000:9100])
	log.b[i+50] ^= 1
	must(t, os.WriteFile(path, log.b, 0o666))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	f, err := stream.FollowFile(ctx, path)
	must(t, err)
	defer f.Close()
	var got []byte
	buf := make([]byte, 1000)
	for err == nil {
		var n int
		n, err = f.Read(buf)
		got = append(got, buf[:n]...)
	}
	if !bytes.Equal(got, log.data[:9000]) || !errors.Is(err, blosc2.ErrChecksum) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

// readCounting counts the reads of a source.
type readCounting struct {
	*bytes.Reader
	n int
}

func (r *readCounting) ReadAt(p []byte, off int64) (int, error) {
	r.n++
	return r.Reader.ReadAt(p, off)
}

// The search for lost data is bounded, for any contents of the file.
func TestLostSearchIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	w, err := stream.CreateFile(path, stream.ChunkSize(8<<20), stream.TypeSize(8), stream.Workers(1))
	must(t, err)
	data := make([]byte, 9<<20)
	rand.NewChaCha8([32]byte{1}).Read(data)
	_, err = w.Write(data[:100])
	must(t, errors.Join(err, w.Flush())) // so that the chunk is open
	_, err = w.Write(data[100:])
	must(t, errors.Join(err, w.Flush()))
	b := mustRead(t, path)
	w.Abort(errors.New("killed"))
	first := bytes.Index(b, data[1000:1100]) - 1000
	if first < 0 {
		t.Fatal("the data are not stored")
	}
	record := append([]byte("B2CK\x00\x01\x00\x00"), make([]byte, 8)...)
	for at := first - 32; at+16 < first+8<<20; at += 16 {
		copy(b[at:], record)
	}
	b = bytes.ReplaceAll(b, []byte("B2CK\x04\x01"), []byte("B2CK\x04\x09")) // change the open chunks' records, so that none of them ends the search
	r := &readCounting{Reader: bytes.NewReader(b)}
	f, err := frame.Open(r, int64(len(b)), frame.AllowTorn())
	must(t, err)
	if f.Size() != 0 || r.n > 300_000 {
		t.Errorf("%d bytes, %d reads", f.Size(), r.n)
	}
	t.Logf("%d reads, lost: %v", r.n, f.Lost())
}

// Repair reports dropped bytes after a frame, and missing committed bytes.
func TestRepairSaysWhatIsGone(t *testing.T) {
	data := numbers(3000)
	one, err := stream.Compress(nil, data, stream.ChunkSize(1000), stream.TypeSize(8))
	must(t, err)
	two := append(bytes.Clone(one), one...)
	two[len(one)+3] ^= 1 // damages the magic number of the second frame
	rep, err := frame.Repair(new(disk), bytes.NewReader(two), int64(len(two)))
	must(t, err)
	if rep.Trailing != int64(len(one)) || rep.Complete() || rep.Frames != 1 {
		t.Errorf("%+v", rep)
	}
	two[len(one)+3] ^= 1
	if rep, err = frame.Repair(new(disk), bytes.NewReader(two), int64(len(two))); err != nil || !rep.Complete() || rep.Frames != 2 {
		t.Errorf("undamaged: %+v, %v", rep, err)
	}

	path := filepath.Join(t.TempDir(), "log")
	w, err := stream.CreateFile(path, stream.ChunkSize(1000), stream.TypeSize(8), stream.Workers(1))
	must(t, err)
	for _, part := range [][]byte{data[:1200], data[1200:1500]} {
		_, err = w.Write(part)
		must(t, errors.Join(err, w.Checkpoint()))
	}
	log := mustRead(t, path)
	w.Abort(errors.New("killed"))
	if rep, err := frame.Repair(new(disk), bytes.NewReader(log), int64(len(log))); err != nil || !rep.Complete() {
		t.Errorf("undamaged log: %+v, %v", rep, err)
	}
	tried := 0
	for size := len(log) / 2; size < len(log); size++ {
		rep, err := frame.Repair(new(disk), bytes.NewReader(log[:size]), int64(size))
		if err != nil {
			continue
		}
		if rep.Complete() && rep.NBytes < 1500 {
			t.Errorf("cut to %d of %d bytes: %d of 1500 saved, and nothing is said: %+v", size, len(log), rep.NBytes, rep)
		}
		tried++
	}
	if tried == 0 {
		t.Error("no cut log was repaired")
	}
}
