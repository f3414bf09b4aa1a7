package stream_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"log"
	"math"
	"os"
	"path/filepath"
	"sort"

	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/stream"
)

// One goroutine appends to a log while another reads it.
func ExampleFollowFile() {
	dir, err := os.MkdirTemp("", "follow")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "log.b2frame")

	f, err := stream.FollowFile(context.Background(), path)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	go func() {
		w, err := stream.AppendFile(path)
		if err != nil {
			log.Fatal(err)
		}
		for i := range 3 {
			fmt.Fprintf(w, "line %d\n", i)
			if err := w.Flush(); err != nil {
				log.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			log.Fatal(err)
		}
	}()
	if _, err := io.Copy(os.Stdout, f); err != nil {
		log.Fatal(err)
	}
	// Output:
	// line 0
	// line 1
	// line 2
}

// Records of 16 bytes, a time and a value, are searched by time while they are
// being written. A search among n records reads 8 bytes log2(n) times, and each
// read decodes a block, unless it is the last one read; a BlockCache keeps the
// first blocks for the next search. After a flush Refresh reads only the new bytes.
func ExampleFollowFile_search() {
	dir, err := os.MkdirTemp("", "search")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "log.b2frame")
	w, err := stream.AppendFile(path, stream.TypeSize(8))
	if err != nil {
		log.Fatal(err)
	}
	defer w.Abort(nil)
	record := func(time int64, value float64) {
		b := binary.LittleEndian.AppendUint64(nil, uint64(time))
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(value))
		if _, err := w.Write(b); err != nil {
			log.Fatal(err)
		}
	}
	for i := range int64(100_000) {
		record(1000+10*i, float64(i)/2)
	}
	if err := w.Flush(); err != nil {
		log.Fatal(err)
	}

	f, err := frame.OpenFile(path, frame.UseCache(frame.NewBlockCache(8<<20)))
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	// search returns the value of the first record at a time or after it.
	search := func(time int64) (value float64, ok bool) {
		const size = 16
		var b [size]byte
		n := int(f.Size() / size)
		i := sort.Search(n, func(i int) bool {
			if _, e := f.ReadAt(b[:8], int64(i)*size); e != nil {
				err = e
			}
			return int64(binary.LittleEndian.Uint64(b[:])) >= time
		})
		if i == n || err != nil {
			return 0, false
		}
		_, err = f.ReadAt(b[:], int64(i)*size)
		return math.Float64frombits(binary.LittleEndian.Uint64(b[8:])), err == nil || err == io.EOF
	}
	fmt.Println(search(500_005))
	fmt.Println(search(1_001_000))

	record(1_001_000, -1)
	if err := w.Flush(); err != nil {
		log.Fatal(err)
	}
	if f, err = f.Refresh(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(search(1_001_000))
	// Output:
	// 24950.5 true
	// 0 false
	// -1 true
}
