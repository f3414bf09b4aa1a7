package tree_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/tree"
)

// numbers returns an array of n numbers in a frame.
func numbers(n int64) ([]byte, error) {
	spec, err := b2nd.SpecOf[int64](n)
	if err != nil {
		return nil, err
	}
	var buf bytes.Buffer
	w, err := b2nd.NewWriter(&buf, spec)
	if err != nil {
		return nil, err
	}
	items := make([]int64, n)
	for i := range items {
		items[i] = int64(i)
	}
	if _, err := b2nd.WriteSlice(w, items); err != nil {
		return nil, err
	}
	err = w.Close()
	return buf.Bytes(), err
}

// exampleStore makes a store of two arrays, in a separate folder.
func exampleStore() (path string, remove func()) {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	x, err := numbers(10)
	if err != nil {
		panic(err)
	}
	path = filepath.Join(dir, "results.b2z")
	err = tree.WriteFile(path, tree.Contents{
		Items:    []tree.Item{tree.Bytes("/run1/x", x), tree.Bytes("/run2/x", x)},
		Metadata: map[string]meta.Map{"/run1": {{Key: "operator", Value: "me"}}},
	})
	if err != nil {
		panic(err)
	}
	return path, func() { os.RemoveAll(dir) }
}

// Two arrays are written to a store, and an item of one is read.
func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "results.b2z")

	x, err := numbers(10) // x holds a frame
	if err != nil {
		fmt.Println(err)
		return
	}
	items := []tree.Item{tree.Bytes("/run1/x", x), tree.Bytes("/run2/x", x)}
	if err := tree.WriteFile(path, tree.Contents{Items: items}); err != nil {
		fmt.Println(err)
		return
	}

	s, err := tree.OpenFile(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	n, err := s.Node("/run2/x")
	if err != nil {
		fmt.Println(err)
		return
	}
	a, err := n.Array()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer a.Close()
	v, err := b2nd.Read[int64](a, b2nd.Window{{Start: 3, Stop: 5}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(v)
	// Output: [3 4]
}

func ExampleOpenFile() {
	path, remove := exampleStore()
	defer remove()

	s, err := tree.OpenFile(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	for key := range s.Keys() {
		fmt.Println(key)
	}
	n, err := s.Node("/run1/x")
	if err != nil {
		fmt.Println(err)
		return
	}
	a, err := n.Array()
	if err != nil {
		fmt.Println(err)
		return
	}
	items, err := b2nd.Read[int64](a, b2nd.Window{{Start: 3, Stop: 6}})
	fmt.Println(n.Kind(), a.Shape(), items, err)
	// Output:
	// /run1/x
	// /run2/x
	// array [10] [3 4 5] <nil>
}

func ExampleWriteFile() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	x, err := numbers(1000)
	if err != nil {
		fmt.Println(err)
		return
	}
	path := filepath.Join(dir, "new.b2z")
	err = tree.WriteFile(path, tree.Contents{Items: []tree.Item{tree.Bytes("/x", x)}})
	fmt.Println(err)
	fmt.Println(tree.UpdateFile(path, tree.Contents{Items: []tree.Item{tree.Bytes("/more/x", x)}}))
	// Output:
	// <nil>
	// <nil>
}

// A store is an fs.FS, whose files are the frames.
func ExampleStore_Open() {
	path, remove := exampleStore()
	defer remove()
	s, err := tree.OpenFile(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	err = fs.WalkDir(s, ".", func(name string, e fs.DirEntry, err error) error {
		fmt.Println(name, e.IsDir())
		return err
	})
	fmt.Println(err)
	// Output:
	// . true
	// run1 true
	// run1/__vlmeta__ false
	// run1/x false
	// run2 true
	// run2/x false
	// <nil>
}
