package chunk_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// A genuine is C-Blosc2 with files to talk to it.
type genuine struct {
	b2test.Library
	in, out string
}

func newGenuine(t *testing.T, major int) genuine {
	dir := t.TempDir()
	return genuine{b2test.Oracle(t, major), filepath.Join(dir, "in"), filepath.Join(dir, "out")}
}

// options spells the parameters for the oracle.
func options(p chunk.Params) []string {
	slots := make([]string, len(p.Filters.IDs))
	for i, id := range p.Filters.IDs {
		slots[i] = id.String()
		if meta := p.Filters.Metas[i]; meta != 0 {
			slots[i] += ":" + strconv.Itoa(int(int8(meta)))
		}
	}
	args := []string{
		"--codec", p.Codec.String(),
		"--clevel", strconv.Itoa(p.Level),
		"--typesize", strconv.Itoa(max(p.TypeSize, 1)),
		"--blocksize", strconv.Itoa(p.BlockSize),
		"--splitmode", p.Split.String(),
		"--filters", strings.Join(slots, ","),
	}
	if p.Dict {
		args = append(args, "--dict")
	}
	return args
}

// compress returns the chunk that C-Blosc2 makes of src. The oracle has more
// room for it than a chunk needs.
func (g genuine) compress(t *testing.T, p chunk.Params, src []byte) ([]byte, error) {
	t.Helper()
	if err := os.WriteFile(g.in, src, 0o666); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"compress-chunk"}, options(p)...)
	if _, err := g.RunErr(append(args, g.in, g.out)...); err != nil {
		return nil, err
	}
	return os.ReadFile(g.out)
}

// roomOfOracle is the room that compress has for the chunk of n bytes.
func roomOfOracle(n int) int { return n + n/8 + 4096 }

// frame returns the chunks that C-Blosc2 puts into a frame of src, each of size
// bytes; zeros chunks are missing, for they are in the index alone.
func (g genuine) frame(t *testing.T, p chunk.Params, src []byte, size int) ([][]byte, error) {
	t.Helper()
	if err := os.WriteFile(g.in, src, 0o666); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"write-frame", "--chunksize", strconv.Itoa(size)}, options(p)...)
	if _, err := g.RunErr(append(args, g.in, g.out)...); err != nil {
		return nil, err
	}
	frame, err := os.ReadFile(g.out)
	if err != nil {
		return nil, err
	}
	begin := binary.BigEndian.Uint32(frame[11:])
	data := frame[begin:][:binary.BigEndian.Uint64(frame[39:])]
	var chunks [][]byte
	for len(data) > 0 {
		n := binary.LittleEndian.Uint32(data[12:])
		chunks = append(chunks, data[:n])
		data = data[n:]
	}
	return chunks, nil
}

// decompress returns what C-Blosc2 decodes a chunk to.
func (g genuine) decompress(t *testing.T, c []byte) ([]byte, error) {
	t.Helper()
	if err := os.WriteFile(g.in, c, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := g.RunErr("decompress-chunk", g.in, g.out); err != nil {
		return nil, err
	}
	return os.ReadFile(g.out)
}

// payload makes n bytes of items of t bytes: slowly growing numbers with noise
// in their low bytes, runs of zeros and constants, and stretches of pure noise,
// so that streams of every form come up.
func payload(n, t int, seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	b := make([]byte, n+t)
	var x uint64
	for i := 0; i < n; {
		stretch := min(n, i+t*(1+r.IntN(3000)))
		for kind := r.IntN(4); i < stretch; i += t {
			switch kind {
			case 0: // zeros
			case 1:
				for j := range t {
					b[i+j] = byte(7 * (j + 1))
				}
			case 2:
				for j := range t {
					b[i+j] = byte(r.Uint32())
				}
			default:
				x += r.Uint64N(300)
				for j := range min(t, 8) {
					b[i+j] = byte(x >> (8 * j))
				}
			}
		}
	}
	return b[:n]
}

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, seed)) }

func pipeline(t *testing.T, list string) filters.Pipeline {
	t.Helper()
	p, err := filters.Parse(list)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// randomParams draws parameters for which C-Blosc2's encoder is deterministic,
// and a length.
func randomParams(t *testing.T, r *rand.Rand) (p chunk.Params, n int) {
	sizes := []int{1, 2, 3, 4, 5, 7, 8, 12, 16, 17, 24, 255, 300}
	lengths := []int{0, 1, 31, 32, 33, 127, 128, 1000, 4097, 32767, 32768, 65536, 100003, 300000}
	pipelines := []string{"", "shuffle", "shuffle", "bitshuffle", "bitshuffle,shuffle", "none,shuffle,none,none,none,none", "shuffle:2"}
	blocks := []int{0, 0, 0, 1, 31, 100, 1000, 4096, 16384, 100000}
	p = chunk.Params{
		Codec:     []blosc2.CodecID{blosc2.CodecBloscLZ, blosc2.CodecLZ4}[r.IntN(2)],
		Level:     r.IntN(10),
		TypeSize:  sizes[r.IntN(len(sizes))],
		BlockSize: blocks[r.IntN(len(blocks))],
		Split:     blosc2.SplitMode(1 + r.IntN(4)),
		Filters:   pipeline(t, pipelines[r.IntN(len(pipelines))]),
	}
	return p, lengths[r.IntN(len(lengths))]
}

// roundBlockSize does to a chunk of C-Blosc2 3.0.0 to 3.3.5 what we do: the
// header has the size of the blocks, not the one that was asked for
// (docs/format/chunk.md T1). In an empty chunk the size means nothing.
func roundBlockSize(c []byte, t int) []byte {
	c = bytes.Clone(c)
	size, n := int(binary.LittleEndian.Uint32(c[8:])), int(binary.LittleEndian.Uint32(c[4:]))
	if n < max(t, 1) {
		size = 1
	} else if size > t {
		size -= size % t
	}
	binary.LittleEndian.PutUint32(c[8:], uint32(size))
	return c
}

// senseless says where C-Blosc2 makes what cannot be read: it splits blocks
// that are shorter than an item into streams of no bytes.
func senseless(p chunk.Params, n int) bool {
	return p.Split == blosc2.SplitAlways && (n < p.TypeSize || p.BlockSize > 0 && p.BlockSize < p.TypeSize)
}

// same reports the first difference between two chunks.
func same(t *testing.T, what string, p chunk.Params, ours, theirs []byte) {
	t.Helper()
	if theirs = roundBlockSize(theirs, p.TypeSize); bytes.Equal(ours, theirs) {
		return
	}
	i := 0
	for i < min(len(ours), len(theirs)) && ours[i] == theirs[i] {
		i++
	}
	t.Errorf("%s: %d bytes, theirs %d, first difference at %d\n% x\n% x", what, len(ours), len(theirs), i, ours[:min(40, len(ours))], theirs[:min(40, len(theirs))])
}

// TestSameChunks compares our LZ4 and blosclz chunks with those of C-Blosc2
// 3.3.5, which must be the same byte for byte, over the parameters in random
// combinations.
func TestSameChunks(t *testing.T) {
	g := newGenuine(t, 3)
	r := newRand(3)
	compared := 0
	for k := range 600 {
		p, n := randomParams(t, r)
		if senseless(p, n) {
			continue
		}
		src := payload(n, p.TypeSize, uint64(k))
		what := fmt.Sprintf("case %d: %+v, %d bytes", k, p, n)
		theirs, err := g.compress(t, p, src)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		e, err := chunk.NewEncoder(p)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		ours, err := e.EncodeRoom(src, roomOfOracle(n))
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		same(t, what, p, ours, theirs)
		compared++
	}
	t.Logf("%d chunks compared", compared)
}

// TestSameFrames does the same with the chunks of frames, for which C-Blosc2
// has no more room than the uncompressed chunk needs: so this is about what
// hardly compresses, too.
func TestSameFrames(t *testing.T) {
	g := newGenuine(t, 3)
	r := newRand(5)
	compared, stored := 0, 0
	for k := range 250 {
		p, n := randomParams(t, r)
		if n == 0 || senseless(p, n) {
			continue
		}
		if p.TypeSize > 1 {
			n += p.TypeSize - n%p.TypeSize
		}
		src := mixed(n, p.TypeSize, 5, r)
		what := fmt.Sprintf("case %d: %+v, %d bytes", k, p, n)
		theirs, err := g.frame(t, p, src, n)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		e, err := chunk.NewEncoder(p)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		for ; len(src) > 0; src = src[n:] {
			ours, err := e.Encode(nil, src[:n])
			if err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			h, err := chunk.ParseHeader(ours)
			if err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			if h.Special() != chunk.NotSpecial {
				continue
			}
			if len(theirs) == 0 {
				t.Errorf("%s: they have less chunks", what)
				break
			}
			same(t, what, p, ours, theirs[0])
			theirs = theirs[1:]
			compared++
			if h.Memcpyed() {
				stored++
			}
		}
		if len(theirs) != 0 {
			t.Errorf("%s: they have %d chunks more", what, len(theirs))
		}
	}
	if stored < compared/20 || stored > compared*19/20 {
		t.Errorf("%d of %d chunks stored: not what this test is about", stored, compared)
	}
	t.Logf("%d chunks compared, %d of them stored", compared, stored)
}

// mixed makes k buffers of n bytes, each with more noise than the one before.
func mixed(n, t, k int, r *rand.Rand) []byte {
	var all []byte
	for i := range k {
		b := payload(n, t, r.Uint64())
		noise := min(n, int(float64(n)*float64(i)/float64(k-1)*(0.98+0.04*r.Float64())))
		for j := range noise {
			b[j] = byte(r.Uint32())
		}
		all = append(all, b...)
	}
	return all
}

func encode(t testing.TB, p chunk.Params, src []byte) []byte {
	t.Helper()
	e, err := chunk.NewEncoder(p)
	if err != nil {
		t.Fatalf("%+v: %v", p, err)
	}
	c, err := e.Encode(nil, src)
	if err != nil {
		t.Fatalf("%+v: %v", p, err)
	}
	return c
}
