// Package cookbooktest_test holds the recipes of docs/cookbook.md as Examples.
// docs/cookbook.md is made from them:
//
//	go test ./internal/cookbooktest -update
package cookbooktest_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"testing"

	"go.uber.org/goleak"
)

// TestMain runs the recipes in a temporary folder, with a file of numbers, and
// checks that they leave no goroutine.
func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	home, err := os.Getwd()
	if err != nil {
		fmt.Println(err)
		return 1
	}
	repository = home + "/../.."
	dir, err := os.MkdirTemp("", "cookbook")
	if err != nil {
		fmt.Println(err)
		return 1
	}
	defer os.RemoveAll(dir)
	defer os.Chdir(home)
	if err := os.Chdir(dir); err != nil {
		fmt.Println(err)
		return 1
	}
	if err := os.WriteFile("numbers.f4", wave(50_000), 0o666); err != nil {
		fmt.Println(err)
		return 1
	}
	code := m.Run()
	if err := goleak.Find(); err != nil && code == 0 {
		fmt.Println(err)
		code = 1
	}
	return code
}

var repository string

// wave returns float32 numbers of a slow wave, as bytes.
func wave(n int) []byte {
	var b []byte
	for i := range n {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(math.Round(100*math.Sin(float64(i)/500)))))
	}
	return b
}
