package shuffle_test

import (
	"fmt"

	"github.com/seed03b80dae/blosc2/shuffle"
)

// Shuffle groups the upper bytes of four numbers of four bytes. They are all zero, and so
// compress to almost nothing.
func ExampleShuffle() {
	numbers := []byte{
		0x01, 0x02, 0, 0,
		0x05, 0x02, 0, 0,
		0x03, 0x02, 0, 0,
		0x07, 0x02, 0, 0,
	}
	shuffled := make([]byte, len(numbers))
	shuffle.Shuffle(shuffled, numbers, 4)
	fmt.Printf("% x\n", shuffled)

	back := make([]byte, len(numbers))
	shuffle.Unshuffle(back, shuffled, 4)
	fmt.Printf("% x\n", back)
	// Output:
	// 01 05 03 07 02 02 02 02 00 00 00 00 00 00 00 00
	// 01 02 00 00 05 02 00 00 03 02 00 00 07 02 00 00
}

// The bits of the bytes 0 to 7 are transposed: three rows of bits vary, five are
// constant.
func ExampleBitShuffle() {
	rows := make([]byte, 8)
	shuffle.BitShuffle(rows, []byte{0, 1, 2, 3, 4, 5, 6, 7}, 1)
	for _, row := range rows {
		fmt.Printf("%08b\n", row)
	}
	// Output:
	// 10101010
	// 11001100
	// 11110000
	// 00000000
	// 00000000
	// 00000000
	// 00000000
	// 00000000
}

func ExampleDelta() {
	series := []byte{10, 0, 11, 0, 9, 0, 10, 0} // numbers of two bytes each
	differences := make([]byte, len(series))
	shuffle.Delta(differences, series, 2)
	fmt.Println(differences)
	shuffle.Undelta(series, differences, 2)
	fmt.Println(series)
	// Output:
	// [10 0 1 0 2 0 3 0]
	// [10 0 11 0 9 0 10 0]
}

func ExampleIsRun() {
	zeros := make([]byte, 100)
	fmt.Println(shuffle.IsRun(zeros))
	shuffle.Fill(zeros, []byte{1, 2})
	fmt.Println(shuffle.IsRun(zeros))
	// Output:
	// 0 true
	// 0 false
}

func ExampleRepeats() {
	prices := make([]byte, 100)
	shuffle.Fill(prices, []byte{0x39, 0x30, 0, 0})
	fmt.Println(shuffle.Repeats(prices, 4), shuffle.Repeats(prices, 2))
	// Output: true false
}
