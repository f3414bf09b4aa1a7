package meta_test

import (
	"fmt"

	"github.com/seed03b80dae/blosc2/meta"
)

// C-Blosc2 writes this descriptor for an array of 5 by 7 bytes.
func ExampleParseB2ND() {
	b := []byte("\x97\x00\x02" +
		"\x92\xd3\x00\x00\x00\x00\x00\x00\x00\x05\xd3\x00\x00\x00\x00\x00\x00\x00\x07" +
		"\x92\xd2\x00\x00\x00\x04\xd2\x00\x00\x00\x04" +
		"\x92\xd2\x00\x00\x00\x02\xd2\x00\x00\x00\x03" +
		"\x00\xdb\x00\x00\x00\x03|u1")
	a, err := meta.ParseB2ND(b)
	if err == nil {
		err = a.Validate(1)
	}
	fmt.Println(a.Shape, a.ChunkShape, a.BlockShape, a.ItemType(1), a.ChunkBytes(1), err)
	// Output: [5 7] [4 4] [2 3] |u1 24 <nil>
}

func ExampleParseDType() {
	d, err := meta.ParseDType("[('time', 'datetime64[ns]'), ('position', '>f4', (3,))]")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d)
	for _, f := range d.Fields {
		fmt.Println(f.Name, f.Offset, f.Type, f.Shape)
	}
	// Output:
	// [('time', '<M8[ns]'), ('position', '>f4', (3,))]
	// time 0 <M8[ns] []
	// position 8 >f4 [3]
}

func ExampleDecode() {
	value, err := meta.Encode(nil, map[string]any{"unit": "mV", "gain": 2.5})
	if err != nil {
		fmt.Println(err)
		return
	}
	v, err := meta.Decode(value)
	unit, _ := v.(meta.Map).Get("unit")
	fmt.Println(unit, meta.Text(value), err)
	// Output: mV {"gain": 2.5, "unit": "mV"} <nil>
}
