package shard

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/internal/framing"
)

// A Manifest describes a shard. Two workers that make the same shard make the
// same Manifest.
type Manifest struct {
	Plan   *Plan
	Shard  int     // number of the shard
	Chunks []int64 // stored bytes of each of its chunks, without records
	Digest uint64  // XXH3-64 of its bytes
}

// Len returns the number of bytes of the shard.
func (m *Manifest) Len() int64 {
	n := int64(0)
	for _, c := range m.Chunks {
		n += c
	}
	if m.Plan.checks {
		n += int64(len(m.Chunks)) * framing.RecordLen
	}
	return n
}

type manifestJSON struct {
	Version int     `json:"version"`
	Plan    *Plan   `json:"plan"`
	Shard   int     `json:"shard"`
	Chunks  []int64 `json:"chunks"`
	Digest  string  `json:"digest"`
}

const manifestVersion = 1

// MarshalJSON returns the manifest as JSON.
func (m *Manifest) MarshalJSON() ([]byte, error) {
	return json.Marshal(manifestJSON{manifestVersion, m.Plan, m.Shard, m.Chunks, fmt.Sprintf("%016x", m.Digest)})
}

// UnmarshalJSON parses the result of MarshalJSON. It checks that the manifest has the
// plan's number of chunks, and that their lengths are valid. It returns
// blosc2.ErrCorrupt, blosc2.ErrUnsupported for a later version, or a
// *blosc2.OptionError about the plan.
func (m *Manifest) UnmarshalJSON(text []byte) error {
	var j manifestJSON
	if err := json.Unmarshal(text, &j); err != nil {
		return fmt.Errorf("manifest: %w: %w", blosc2.ErrCorrupt, err)
	}
	if j.Version != manifestVersion {
		return fmt.Errorf("manifest: %w: unknown version %d", blosc2.ErrUnsupported, j.Version)
	}
	if j.Plan == nil || j.Plan.h == nil {
		return fmt.Errorf("manifest: %w: the plan is missing", blosc2.ErrCorrupt)
	}
	if err := j.Plan.checkShard(j.Shard); err != nil {
		return fmt.Errorf("manifest: %w: %w", blosc2.ErrCorrupt, err)
	}
	first, end := j.Plan.Chunks(j.Shard)
	if int64(len(j.Chunks)) != end-first {
		return fmt.Errorf("manifest: %w: %d chunks, but the plan says %d", blosc2.ErrCorrupt, len(j.Chunks), end-first)
	}
	for i, n := range j.Chunks {
		if most := int64(j.Plan.chunkLen(first+int64(i)) + chunk.Overhead); n <= chunk.HeaderLen || n > most {
			return fmt.Errorf("manifest: %w: chunk %d has %d bytes; must be %d to %d", blosc2.ErrCorrupt, first+int64(i), n, chunk.HeaderLen+1, most)
		}
	}
	digest, err := strconv.ParseUint(j.Digest, 16, 64)
	if err != nil || len(j.Digest) != 16 {
		return fmt.Errorf("manifest: %w: invalid digest %q", blosc2.ErrCorrupt, j.Digest)
	}
	*m = Manifest{j.Plan, j.Shard, j.Chunks, digest}
	return nil
}
