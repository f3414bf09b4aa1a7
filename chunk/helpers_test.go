package chunk_test

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// checkAgrees compares Check, whole and in parts, with Decode.
func checkAgrees(t *testing.T, name string, d *chunk.Decoder, c []byte) (wrong bool) {
	t.Helper()
	_, want := d.Decode(nil, c)
	if got := d.Check(c); (got == nil) != (want == nil) || got != nil && got.Error() != want.Error() {
		t.Errorf("%s: Check says %v, Decode %v", name, got, want)
	}
	for _, parts := range []int{2, 3, 7} {
		faults := 0
		for part := range parts {
			if d.CheckPart(c, part, parts) != nil {
				faults++
			}
		}
		if (faults > 0) != (want != nil) {
			t.Errorf("%s: %d of %d parts are faulty, Decode says %v", name, faults, parts, want)
		}
	}
	return want != nil
}

// testBlocksOf decodes each block from only its own bytes, as a reader of a remote chunk
// does.
func testBlocksOf(t *testing.T, what string, d *chunk.Decoder, c, payload []byte) {
	h, err := chunk.ParseHeader(c[:min(len(c), chunk.HeaderLen)])
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	l, err := chunk.ParseLayout(bytes.Clone(c[:h.LayoutLen()]))
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	at := 0
	for i := range l.NumBlocks {
		off, n := l.Extent(i)
		block := bytes.Clone(c[off : off+n])
		size, err := l.DecodedLen(i, block)
		if err != nil {
			t.Errorf("%s: block %d: %v", what, i, err)
			return
		}
		dst := make([]byte, size)
		if err := d.DecodeBlock(dst, block, l, i); err != nil {
			t.Errorf("%s: block %d: %v", what, i, err)
			return
		}
		if i == 0 && l.NeedsRef() {
			l.Ref = dst
		}
		if at+size > len(payload) || !bytes.Equal(dst, payload[at:at+size]) {
			t.Errorf("%s: block %d is wrong", what, i)
			return
		}
		at += size
	}
	if at != len(payload) {
		t.Errorf("%s: blocks of %d bytes, payload of %d", what, at, len(payload))
	}
}

// records returns many short texts with much in common, for which dictionaries help.
func records(n int) []byte {
	var b bytes.Buffer
	for k := 0; b.Len() < n; k++ {
		fmt.Fprintf(&b, `{"sensor":"roof-%02d","time":%d,"temperature":%d.%d,"unit":"celsius","quality":"measured"}`+"\n", k%17, 1700000000+60*k, 10+k%13, k%10)
	}
	return b.Bytes()[:n]
}

var losslessPipelines = []string{
	"", "shuffle", "bitshuffle", "delta,shuffle", "delta,bitshuffle", "bitshuffle,shuffle",
	"delta", "shuffle,bytedelta:4", "none,shuffle,none,none,none,none", "shuffle:2",
}

// checkBlocks decodes a chunk of blocks of variable length in every way, and compares it
// with the blocks.
func checkBlocks(t *testing.T, what string, d *chunk.Decoder, c []byte, blocks [][]byte) {
	t.Helper()
	want := bytes.Join(blocks, nil)
	if got, err := d.Decode(nil, c); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s: %d bytes, %v", what, len(got), err)
	}
	for i, b := range blocks {
		if got, err := d.DecodeVLBlock(nil, c, i); err != nil || !bytes.Equal(got, b) {
			t.Errorf("%s: block %d: %d bytes, %v", what, i, len(got), err)
		}
	}
	part := make([]byte, len(want)/2)
	off := len(want) / 3
	if err := d.DecodeRange(part, c, off); err != nil || !bytes.Equal(part, want[off:][:len(part)]) {
		t.Errorf("%s: range: %v", what, err)
	}
}

var update = flag.Bool("update", false, "write the golden files anew")

// A genuine runs a version of C-Blosc2, and exchanges data with it in files.
type genuine struct {
	b2test.Library
	in, out string
}

func newGenuine(t *testing.T, major int) genuine {
	dir := t.TempDir()
	return genuine{b2test.Oracle(t, major), filepath.Join(dir, "in"), filepath.Join(dir, "out")}
}

// options returns the parameters as arguments of the oracle's command.
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

// compress returns the chunk that C-Blosc2 makes of src.
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

// roomOfOracle returns the size of the oracle's buffer for the chunk of n bytes.
func roomOfOracle(n int) int { return n + n/8 + 4096 }

// frame returns the chunks in the frame that C-Blosc2 makes of src, each of size decoded
// bytes. Chunks of zeros are omitted, because a frame has them only in its index.
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

// decompress returns the bytes that C-Blosc2 decodes from a chunk.
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

// payload returns n bytes of items of t bytes: slowly growing numbers with noise in their
// low bytes, runs of zeros and constants, and stretches of noise. So all kinds of streams
// occur.
func payload(n, t int, seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	b := make([]byte, n+t)
	var x uint64
	for i := 0; i < n; {
		stretch := min(n, i+t*(1+r.IntN(3000)))
		for kind := r.IntN(4); i < stretch; i += t {
			switch kind {
			case 0: // zeros, as the memory is new
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

// randomParams returns random parameters for which C-Blosc2's encoder is deterministic,
// and the length of a buffer.
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

// senseless reports whether C-Blosc2 makes an unreadable chunk, because it splits blocks
// that are shorter than an item into empty streams.
func senseless(p chunk.Params, n int) bool {
	return p.Split == blosc2.SplitAlways && (n < p.TypeSize || p.BlockSize > 0 && p.BlockSize < p.TypeSize)
}

// mixed returns k buffers of n bytes as one, each with more noise than the previous one.
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

// tierData returns n bytes of items in which the low bytes change more than the high
// ones. It uses only integer arithmetic, so the bytes are the same on all machines.
func tierData(size, n int) []byte {
	r := rand.New(rand.NewPCG(uint64(size), 3))
	b, v := make([]byte, 0, n+16), uint64(1)<<40
	for len(b) < n {
		v += r.Uint64N(2001) - 1000
		item := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, v), v>>7)
		b = append(b, append(item, byte(v))[:size]...)
	}
	return b[:n/size*size]
}

// same reports the first difference between two chunks as a failure of the test.
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

// roundBlockSize changes a chunk of C-Blosc2 3.0.0 to 3.3.5 to our form: it sets the
// block size in the header to the true size of the blocks (docs/format/chunk.md T1). In
// an empty chunk the size has no meaning.
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

// A helpers runs a goroutine for each Encoder in others. Each starts at a random call of
// recruit.
type helpers struct {
	r      *rand.Rand
	others []*chunk.Encoder
	first  *chunk.Encoder // the Encoder that the others help
	came   int
	sync.WaitGroup
}

func (h *helpers) recruit() {
	if h.came == len(h.others) || h.r.IntN(3) == 0 {
		return
	}
	e := h.others[h.came]
	h.came++
	h.Go(func() { e.Help(h.first) })
}
