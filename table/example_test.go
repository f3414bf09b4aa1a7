package table_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed03b80dae/blosc2/table"
)

// A reading is a row of the table.
type reading struct {
	Site  string   `blosc2:"site,dictionary"`
	Value float64  `blosc2:"value"`
	Error *float64 `blosc2:"error"` // nil means null
}

// exampleTable writes a table to a file in a separate folder.
func exampleTable() (path string, remove func()) {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	specs, err := table.SpecsOf[reading]()
	if err != nil {
		panic(err)
	}
	b, err := table.NewBuilder(specs...)
	if err != nil {
		panic(err)
	}
	defer b.Close()
	e := 0.25
	if err := table.AppendRows(b, []reading{{"north", 1.5, nil}, {"south", 2.5, &e}, {"north", 3.5, nil}}); err != nil {
		panic(err)
	}
	path = filepath.Join(dir, "readings.b2z")
	if err := b.WriteFile(path); err != nil {
		panic(err)
	}
	return path, func() { os.RemoveAll(dir) }
}

// Rows are structs: a table is written, and some of its rows and columns are read.
func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "readings.b2z")

	specs, err := table.SpecsOf[reading]()
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := table.NewBuilder(specs...)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer b.Close()
	if err := table.AppendRows(b, []reading{{Site: "north", Value: 1.5}, {Site: "south", Value: 2.5}}); err != nil {
		fmt.Println(err)
		return
	}
	if err := b.WriteFile(path); err != nil {
		fmt.Println(err)
		return
	}

	t, err := table.OpenFile(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer t.Close()
	for r, err := range t.Rows(0, t.Len()) {
		if err != nil {
			fmt.Println(err)
			return
		}
		var v reading
		if err := r.Scan(&v); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(v.Site, v.Value)
	}
	// Output:
	// north 1.5
	// south 2.5
}

func ExampleOpenFile() {
	path, remove := exampleTable()
	defer remove()

	t, err := table.OpenFile(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer t.Close()
	for r, err := range t.Rows(1, t.Len(), "site", "error") {
		if err != nil {
			fmt.Println(err)
			return
		}
		var v reading
		if err := r.Scan(&v); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(r.Number, v.Site, v.Error != nil)
	}
	// Output:
	// 1 south true
	// 2 north false
}

func ExampleValues() {
	path, remove := exampleTable()
	defer remove()
	t, err := table.OpenFile(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer t.Close()
	c, err := t.Column("value")
	if err != nil {
		fmt.Println(err)
		return
	}
	sum := 0.0
	for b, err := range table.Values[float64](c) {
		if err != nil {
			fmt.Println(err)
			return
		}
		for i, v := range b.Values {
			if !b.IsNull(i) {
				sum += v
			}
		}
	}
	fmt.Println(sum)
	// Output: 7.5
}

func ExampleBuilder_AppendCSV() {
	const text = "id,name\n1,one\n2,\n"
	specs, err := table.InferCSV(strings.NewReader(text))
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := table.NewBuilder(specs...)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer b.Close()
	n, err := b.AppendCSV(strings.NewReader(text))
	fmt.Println(n, specs[0].Kind, specs[1].Kind, err)
	// Output: 2 int64 utf8 <nil>
}
