package b2test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// An Entry is a file of the corpus with the expected result of reading it. The
// "fields" of the manifest describe each field.
type Entry struct {
	Path     string // below the corpus, with slashes
	Category string // "frames", "chunks", "reject", …
	Kind     string // "chunk", "frame", "sframe", "b2nd", "filtered"
	Size     int64
	SHA256   string
	Files    map[string]FileDigest // files of a sparse frame, by name
	Writer   struct{ Library, Version, Revision, Date string }
	Note     string

	Parameters json.RawMessage // parameters that the writer was given
	Payload    *Payload        // nil if Reject is set
	Expect     *Expect         // the metadata in the file; often nil

	Ranges []Range
	Slices []Slice
	Blocks []FileSize // blocks of a chunk of variable-length blocks, in order
	Offset int64      // offset of the frame in the file

	Filter   string // for the kind "filtered"
	TypeSize int    // for the kind "filtered"

	Reject       string            // why a correct reader rejects the file, "" if it does not
	Libraries    map[string]string // what genuine libraries do with a file that must be rejected
	DecodedBy    []string          `json:"decoded_by"`
	NotDecodedBy map[string]string `json:"not_decoded_by"`

	corpus string
}

// A FileDigest describes a file of a sparse frame.
type FileDigest struct {
	Size   int64
	SHA256 string
}

// A FileSize describes a decoded block.
type FileSize struct {
	NBytes int64
	SHA256 string
}

// A Payload describes the decoded contents of a file. SHA256 is empty if the values
// are undefined. The input of a lossy pipeline was made by Source, not by Formula.
type Payload struct {
	NBytes    int64
	SHA256    string
	Formula   string
	Source    string
	Lossy     string
	Undefined string
}

// An Expect is the metadata of a frame. Fields that the manifest lacks for a file
// are nil or 0; Raw has them all.
type Expect struct {
	NChunks      *int64
	NBytes       *int64
	TypeSize     *int64
	ChunkSize    *int64
	BlockSize    *int64
	Codec        []int   // id and meta of the codec
	Filters      [][]int // ids and metas of the six slots
	CLevel       *int
	SplitMode    string
	Metalayers   []Layer
	VLMetalayers []Layer
	B2ND         *B2ND
	Raw          json.RawMessage `json:"-"`
}

// A Layer is a metalayer: its content in hexadecimal, or the size and digest of a
// long one.
type Layer struct {
	Name, Content, SHA256 string
	Size                  int64
}

// Matches reports whether b is the layer's content.
func (l Layer) Matches(b []byte) bool {
	if l.SHA256 != "" {
		return int64(len(b)) == l.Size && Digest(b) == l.SHA256
	}
	return hex.EncodeToString(b) == l.Content
}

// A B2ND is the contents of an array's metalayer.
type B2ND struct {
	NDim        int
	Shape       []int64
	ChunkShape  []int32
	BlockShape  []int32
	DTypeFormat int8    `json:"dtype_format"`
	DType       *string // nil if the array has none
}

// A Range is a part of the payload: the items Start up to Stop.
type Range struct {
	ItemBytes   int64 `json:"item_bytes"`
	Start, Stop int64
	SHA256      string
}

// A Slice is a part of an array.
type Slice struct {
	Start, Stop []int64
	SHA256      string
}

var manifests sync.Map // maps a folder to a func() ([]Entry, error)

// Corpus returns every entry of the manifest.
func Corpus(t testing.TB) []Entry {
	t.Helper()
	dir := filepath.Join(Shared(t), "corpus")
	load, _ := manifests.LoadOrStore(dir, sync.OnceValues(func() ([]Entry, error) { return loadManifest(dir) }))
	entries, err := load.(func() ([]Entry, error))()
	if err != nil {
		t.Fatal(err)
	}
	return entries
}

func loadManifest(dir string) ([]Entry, error) {
	text, err := os.ReadFile(filepath.Join(dir, "MANIFEST.json"))
	if err != nil {
		return nil, err
	}
	var manifest struct {
		Count int
		Files []Entry
	}
	if err := json.Unmarshal(text, &manifest); err != nil {
		return nil, fmt.Errorf("MANIFEST.json: %w", err)
	}
	if len(manifest.Files) != manifest.Count || manifest.Count == 0 {
		return nil, fmt.Errorf("MANIFEST.json: %d entries, its count says %d", len(manifest.Files), manifest.Count)
	}
	for i := range manifest.Files {
		manifest.Files[i].corpus = dir
	}
	return manifest.Files, nil
}

// UnmarshalJSON keeps the text in Raw, and parses the fields.
func (e *Expect) UnmarshalJSON(text []byte) error {
	type fields Expect
	if err := json.Unmarshal(text, (*fields)(e)); err != nil {
		return err
	}
	e.Raw = append(json.RawMessage(nil), text...)
	return nil
}

// File returns the path of the file, or of the folder of a sparse frame.
func (e Entry) File() string { return filepath.Join(e.corpus, filepath.FromSlash(e.Path)) }

// Bytes reads the file, beginning at Offset.
func (e Entry) Bytes(t testing.TB) []byte {
	t.Helper()
	return read(t, e.File())[e.Offset:]
}

// Check fails the test, once, if payload is not the decoded contents of the
// file.
func (e Entry) Check(t testing.TB, payload []byte) {
	t.Helper()
	if e.Payload == nil {
		t.Errorf("%s: decoded to %d bytes; must be rejected: %s", e.Path, len(payload), e.Reject)
		return
	}
	if int64(len(payload)) != e.Payload.NBytes {
		t.Errorf("%s: decoded to %d bytes, want %d", e.Path, len(payload), e.Payload.NBytes)
		return
	}
	if e.Payload.SHA256 != "" && Digest(payload) != e.Payload.SHA256 {
		t.Errorf("%s: decoded to %d wrong bytes (formula %s)", e.Path, len(payload), e.Payload.Formula)
	}
}

// Digest returns the SHA-256 of b as the manifest writes it.
func Digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
