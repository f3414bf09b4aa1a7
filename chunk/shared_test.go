package chunk_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
)

// Several Encoders make the same bytes as one, whenever each goroutine starts. That
// includes data that hardly compress.
func TestEncodeShared(t *testing.T) {
	r := newRand(21)
	helped, stored := 0, 0
	for k := range 600 {
		p, n := randomParams(t, r)
		p.Split = blosc2.SplitMode(k % 5)
		p.Filters = pipeline(t, losslessPipelines[k%len(losslessPipelines)])
		src := mixed(n, max(p.TypeSize, 1), 3, r)[k%3*n:][:n] // compressible data, then half noise, then noise
		what := fmt.Sprintf("case %d: %+v, %d bytes", k, p, n)
		encoder := func() *chunk.Encoder {
			e, err := chunk.NewEncoder(p)
			if err != nil {
				t.Fatal(err)
			}
			return e
		}
		first := encoder()
		want, err := first.Encode(nil, src)
		if err != nil {
			t.Fatal(err)
		}
		team := &helpers{r: r, first: first}
		for range r.IntN(4) {
			team.others = append(team.others, encoder())
		}
		got, err := first.EncodeShared([]byte("before"), src, team.recruit, team.Wait)
		if err != nil || !bytes.Equal(got, append([]byte("before"), want...)) {
			t.Errorf("%s: with %d helpers %d bytes, one encoder %d; %v", what, team.came, len(got)-6, len(want), err)
		}
		if team.came > 0 {
			helped++
			if h, _ := chunk.ParseHeader(want); h.Memcpyed() {
				stored++
			}
		}
	}
	t.Logf("%d chunks with helpers, %d stored", helped, stored)
	if helped < 100 || stored < 20 || helped-stored < 50 {
		t.Errorf("%d chunks with helpers, %d stored: not what this test is about", helped, stored)
	}
}

// Encode returns the error of a codec in whichever goroutine it occurs, and dst is not
// changed.
func TestEncodeSharedError(t *testing.T) {
	p := chunk.Default()
	p.Codec, p.BlockSize = blosc2.CodecNDLZ, 4<<10 // this codec requires a shape
	src := mixed(64<<10, 8, 3, newRand(2))[:64<<10]
	first, err := chunk.NewEncoder(p)
	if err != nil {
		t.Fatal(err)
	}
	_, want := first.Encode(nil, src)
	if want == nil {
		t.Fatal("no error")
	}
	other, err := chunk.NewEncoder(p)
	if err != nil {
		t.Fatal(err)
	}
	team := &helpers{r: newRand(1), others: []*chunk.Encoder{other}, first: first}
	got, err := first.EncodeShared([]byte("before"), src, team.recruit, team.Wait)
	if err == nil || err.Error() != want.Error() || string(got) != "before" {
		t.Errorf("%q, %v; want %v", got, err, want)
	}
}
