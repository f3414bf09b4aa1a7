package cookbooktest_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/stream"
)

// Keep a log for months. Flushed data survive the death of the process; a Flush
// costs the new bytes. A Checkpoint survives a crash of the machine, and C-Blosc2
// reads it.
func Example_log() {
	w, err := stream.AppendFile("log.b2frame", stream.TypeSize(8))
	if err != nil {
		log.Fatal(err)
	}
	defer w.Abort(nil)
	for i := range int64(1000) {
		if _, err := stream.WriteSlice(w.Writer, []int64{i, i * i}); err != nil {
			log.Fatal(err)
		}
		if err := w.Flush(); err != nil {
			log.Fatal(err)
		}
	}
	if err := w.Checkpoint(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(w.Stats().Bytes, w.Close())
	// Output: 16000 <nil>
}

// Continue after a crash. AppendFile accepts a file in any state that a killed
// writer leaves; Recovered returns how much was flushed but not committed.
func Example_recover() {
	w, err := stream.AppendFile("crash.b2frame", stream.TypeSize(8))
	if err != nil {
		log.Fatal(err)
	}
	if _, err := w.Write(make([]byte, 800)); err != nil {
		log.Fatal(err)
	}
	if err := w.Flush(); err != nil {
		log.Fatal(err)
	}
	left, err := os.ReadFile("crash.b2frame") // as a crash would leave it here
	if err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile("left.b2frame", left, 0o666); err != nil {
		log.Fatal(err)
	}

	w, err = stream.AppendFile("left.b2frame", stream.TypeSize(8))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(w.Recovered(), w.Close())
	// Output: 800 <nil>
}

// Begin a new file each day, or at some size. A finished file is an ordinary frame;
// several of them are one stream, and ConcatFiles joins them. With Uniform all
// chunks have one size, which C-Blosc2 2 and python-blosc2 need.
func Example_rotate() {
	for day := range 2 {
		w, err := stream.AppendFile("today.b2frame", stream.TypeSize(8))
		if err != nil {
			log.Fatal(err)
		}
		for w.Offset() < 8000 { // or until midnight
			if _, err := stream.WriteSlice(w.Writer, []int64{int64(day), w.Offset()}); err != nil {
				log.Fatal(err)
			}
			if err := w.Flush(); err != nil {
				log.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			log.Fatal(err)
		}
		if err := os.Rename("today.b2frame", fmt.Sprintf("day%d.b2frame", day)); err != nil {
			log.Fatal(err)
		}
	}
	if err := frame.ConcatFiles("all.b2frame", []string{"day0.b2frame", "day1.b2frame"}, frame.Uniform()); err != nil {
		log.Fatal(err)
	}
	f, err := frame.OpenFile("all.b2frame")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	fmt.Println(f.Size(), f.NumChunks())
	// Output: 16000 1
}

// Read a log while it is being written, like tail -f.
func Example_follow() {
	f, err := stream.FollowFile(context.Background(), "lines.b2frame") // it need not exist yet
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	done := make(chan error)
	go func() {
		w, err := stream.AppendFile("lines.b2frame", stream.TypeSize(1))
		for i := 0; i < 3 && err == nil; i++ {
			if _, err = fmt.Fprintf(w, "line %d\n", i); err == nil {
				err = w.Flush()
			}
		}
		if err == nil {
			err = w.Close()
		}
		done <- err
	}()
	if _, err := io.Copy(os.Stdout, f); err != nil {
		log.Fatal(err)
	}
	fmt.Println(<-done)
	// Output:
	// line 0
	// line 1
	// line 2
	// <nil>
}

// Check a file and save its intact parts. Verify compares every digest and decodes
// every chunk; Repair fills lost chunks with zeros or NaN.
func Example_repair() {
	if err := compress("numbers.f4", "damaged.b2frame", stream.ChunkSize(65536)); err != nil {
		log.Fatal(err)
	}
	file, err := os.OpenFile("damaged.b2frame", os.O_RDWR, 0)
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	if _, err := file.WriteAt([]byte("damage"), 300); err != nil {
		log.Fatal(err)
	}
	info, err := file.Stat()
	if err != nil {
		log.Fatal(err)
	}
	report, err := frame.Verify(file, info.Size())
	if err != nil {
		log.Fatal(err)
	}
	repaired, err := frame.RepairFile("damaged.b2frame", "repaired.b2frame")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(report.Faults) > 0, repaired.Chunks, "chunks,", len(repaired.Lost), "lost")
	// Output: true 4 chunks, 1 lost
}
