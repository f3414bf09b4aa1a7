package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/serve"
	"github.com/seed03b80dae/blosc2/npy"
)

// maxMember is the largest array of a .npz file that is served, in bytes. It is
// copied to a temporary file.
const maxMember = 4 << 30

// openServed opens an uncompressed file for the server. If it is a .npz file,
// openServed opens the given member or, if member is "", returns the names of all
// members.
func openServed(f serve.File, name, member string) (*serve.Plain, error) {
	var head [4]byte
	if _, err := f.ReadAt(head[:], 0); err == nil && string(head[:]) == "PK\x03\x04" {
		if !strings.EqualFold(filepath.Ext(name), npzSuffix) {
			return nil, errKind // the file is a zip file, but not a .npz file
		}
		z, err := openMembers(f, member)
		if err != nil {
			return nil, err
		}
		if member == "" {
			return &serve.Plain{Kind: kindNPZ, Members: z.Names(), Close: f.Close}, nil
		}
	}
	p, err := plainOf(f, name, member, "")
	if err != nil {
		return nil, err
	}
	p.own(f)
	return &serve.Plain{Kind: p.kind, Shape: p.shape, DType: p.dtype, Read: p.read, Close: p.close}, nil
}

// openMembers opens a .npz file, and checks the size of a member.
func openMembers(f serve.File, member string) (*npy.NPZReader, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	z, err := npy.OpenNPZ(f, info.Size())
	if err == nil && len(z.Names()) == 0 {
		err = fmt.Errorf("holds no arrays: %w", errKind)
	}
	if err != nil || member == "" {
		return z, err
	}
	m, err := z.Open(member)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	if n, err := m.Reader.Header.Size(); err != nil || n > maxMember {
		return nil, fmt.Errorf("%s has %s bytes; at most %s are shown of an array in a .npz file", member, commas(n), commas(maxMember))
	}
	return z, nil
}
