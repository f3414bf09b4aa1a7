package ndlz

import (
	"bytes"
	"math/rand"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/codecs/internal/arraytest"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

func array(side, rows, cols int) arraytest.Array {
	return arraytest.Array{Codec: "ndlz", ID: blosc2.CodecNDLZ, Meta: uint8(side), DType: "|u1", TypeSize: 1, BlockShape: []int32{int32(rows), int32(cols)}}
}

// tokens counts the records of a stream by their kind.
func tokens(t *testing.T, stream []byte, side, rows, cols int, count map[byte]int) {
	t.Helper()
	g, err := geometryOf(side)
	if err != nil {
		t.Fatal(err)
	}
	d := decoder{g: g, src: stream, pos: headLen}
	for row := 0; row < rows; row += side {
		for col := 0; col < cols; col += side {
			count[stream[d.pos]]++
			if _, err := d.cell(min(side, rows-row) * min(side, cols-col)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestOracle tries blocks of all shapes in both directions: this package decodes
// what C-Blosc2 encodes, and vice versa. Every kind of record must occur.
func TestOracle(t *testing.T) {
	const blocks = 25
	for _, lib := range b2test.Oracles(t) {
		for _, side := range []int{4, 8} {
			ours, theirs := map[byte]int{}, map[byte]int{}
			rng := rand.New(rand.NewSource(int64(side)))
			for _, shape := range [][2]int{{32, 32}, {33, 47}, {16, 9}, {5, 64}, {64, 130}, {31, 30}, {400, 200}} {
				rows, cols := shape[0], shape[1]
				a := array(side, rows, cols)
				var payload []byte
				for range blocks {
					payload = append(payload, image(rng, side, rows, cols)...)
				}
				streams := a.Encode(t, lib, payload)
				var e Encoder
				for i, s := range streams {
					want := payload[i*rows*cols:][:rows*cols]
					if s != nil {
						got := make([]byte, rows*cols)
						if err := Decode(got, s, side); err != nil || !bytes.Equal(got, want) {
							t.Fatalf("library %d, side %d, %v, block %d: %v", lib.Major, side, shape, i, err)
						}
						tokens(t, s, side, rows, cols, theirs)
					}
					streams[i] = make([]byte, rows*cols-1)
					n, err := e.Encode(streams[i], want, side, rows, cols)
					if err != nil {
						t.Fatal(err)
					}
					if n == 0 {
						streams[i] = want // the block is stored
						continue
					}
					streams[i] = streams[i][:n]
					tokens(t, streams[i], side, rows, cols, ours)
				}
				if got, err := a.Decode(t, lib, streams); err != nil || !bytes.Equal(got, payload) {
					t.Fatalf("library %d, side %d, %v: C-Blosc2 decodes something else, %v", lib.Major, side, shape, err)
				}
			}
			g, _ := geometryOf(side)
			for _, p := range append(g.patterns, pattern{token: tokenLiteral}, pattern{token: tokenUniform}, pattern{token: tokenCell}) {
				if ours[p.token] == 0 || theirs[p.token] == 0 {
					t.Errorf("library %d, side %d: token %#02x written %d times by us, %d times by C-Blosc2", lib.Major, side, p.token, ours[p.token], theirs[p.token])
				}
			}
		}
	}
}

// TestFarReferences repeats the first cell at distances around the limit of a
// reference. C-Blosc2's decoder adds up to 5 to references in 16 bits, so the
// farthest must not be written.
func TestFarReferences(t *testing.T) {
	const cells = 6000
	rng := rand.New(rand.NewSource(5))
	var payload []byte
	var streams [][]byte
	used := 0
	for distance := 65515; distance < 65545; distance++ {
		src := make([]byte, 16, 16*cells)
		rng.Read(src)
		even := 0 // number of uniform cells between the two, of 2 bytes each; other cells take 11
		for (distance-16-2*even)%11 != 0 {
			even++
		}
		src = append(src, make([]byte, 16*even)...)
		for range (distance - 16 - 2*even) / 11 {
			noise := make([]byte, 8)
			rng.Read(noise)
			src = append(append(src, noise...), src[8:16]...)
		}
		src = append(src, src[:16]...)
		src = src[:16*cells]
		payload = append(payload, src...)

		var e Encoder
		stream := make([]byte, 2*len(src))
		n, err := e.Encode(stream, src, 4, 4*cells, 4)
		if err != nil {
			t.Fatal(err)
		}
		count := map[byte]int{}
		tokens(t, stream[:n], 4, 4*cells, 4, count)
		if count[tokenCell] != 0 {
			used++
			if distance > maxOffset {
				t.Errorf("reference over %d bytes", distance)
			}
		}
		streams = append(streams, stream[:n])
	}
	if want := maxOffset - 65515 + 1; used != want {
		t.Errorf("%d references, want %d", used, want)
	}
	for _, lib := range b2test.Oracles(t) {
		if got, err := array(4, 4*cells, 4).Decode(t, lib, streams); err != nil || !bytes.Equal(got, payload) {
			t.Errorf("library %d decodes something else, %v", lib.Major, err)
		}
	}
}
