package header

import "github.com/seed03b80dae/blosc2"

// These fields are at the same offset in all layouts.
const (
	offHeaderLen = 10
	offFrameLen  = 15
	offFlags     = 25
	offType      = 26
	offNBytes    = 29
	offCBytes    = 38
	offTypeSize  = 47
	offSizes     = 52 // block size and chunk size; in layouts without a block size, the chunk size
)

// These are the bits of the four flag bytes. In layouts before the betas the second
// held filter flags with a meaning that changed every few days: they are kept but
// not interpreted.
const (
	versionMask  = 0x0f // bits of the general flags
	widthMask    = 0x30
	widthShift   = 4
	flagVariable = 0x40
	flagVLBlocks = 0x80
	maxVersion   = 3

	version2019Mask = 0x03 // bits of the version before the betas; all these layouts have version 0
	kind2019        = 0x04 // value of the bits above the version in these layouts: the kind of frame

	codecMask  = 0x0f // bits of the third byte
	levelShift = 4

	splitMask = 0x03 // bits of the fourth byte
)

// old reports whether the general flags have the meaning of August 2019.
func (g Generation) old() bool {
	return g == Layout2019 || g == Layout2019Trailer || g == LayoutPipeline
}

// offsetWidth returns the width of offsets in bytes, according to the general flags. It
// returns 0 if the value is reserved.
func (g Generation) offsetWidth(general byte) int {
	code := general & widthMask >> widthShift
	switch {
	case code == 3:
		return 0
	case g.old():
		return 2 << code
	case g == LayoutBeta && code == 2: // the code for 8 bytes until January 2021
		return 8
	case code < 2:
		return 4 << code
	}
	return 0
}

// readFlags reads the four flag bytes.
func (h *Header) readFlags(f [4]byte) error {
	if h.OffsetWidth = h.Generation.offsetWidth(f[0]); h.OffsetWidth == 0 {
		return unsupported(offFlags, "offsets of a reserved width")
	}
	h.VariableChunks = f[0]&flagVariable != 0
	h.Codec = blosc2.CodecID(f[2] & codecMask)
	h.Level = f[2] >> levelShift
	if h.Generation.old() {
		h.Version = f[0] & version2019Mask
		return nil
	}
	if h.Version = f[0] & versionMask; h.Version > maxVersion {
		return unsupported(offFlags, "frame format version %d; must be at most %d", h.Version, maxVersion)
	}
	if h.Type = FrameType(f[1]); h.Type > Directory {
		return unsupported(offType, "unknown frame type %d", f[1])
	}
	if h.Generation.hasBlockSize() {
		h.VLBlocks = f[0]&flagVLBlocks != 0
		h.Split = blosc2.SplitMode(f[3]&splitMask) + blosc2.SplitAlways
	}
	return nil
}

// flags returns the four flag bytes. If the header was parsed, bits that have no field
// are those that were read.
func (h *Header) flags() [4]byte {
	f := h.read.fixed.Flags
	if h.Generation.old() {
		if !h.read.ok {
			f[0] = kind2019
		}
		f[0] = f[0]&^version2019Mask | h.Version
	} else {
		f[0] = f[0]&^versionMask | h.version()
		f[1] = byte(h.Type)
	}
	if h.Generation.offsetWidth(f[0]) != h.width() {
		f[0] = f[0]&^widthMask | h.Generation.widthCode(h.width())
	}
	f[0] = setBits(f[0], flagVariable, h.VariableChunks)
	codec := f[2] & codecMask
	if !h.codecAsRead() {
		codec = min(byte(h.Codec), userCodec)
	}
	f[2] = codec | h.Level<<levelShift
	if h.Generation.hasBlockSize() {
		f[0] = setBits(f[0], flagVLBlocks, h.VLBlocks)
		split := h.Split
		if split == blosc2.SplitDefault {
			split = blosc2.SplitForward
		}
		f[3] = f[3]&^splitMask | byte(split-blosc2.SplitAlways)
	}
	return f
}

// widthCode returns the bits of the general flags for offsets of h.OffsetWidth bytes.
func (g Generation) widthCode(width int) byte {
	code := byte(0)
	for code < 3 && g.offsetWidth(code<<widthShift) != width {
		code++
	}
	return code << widthShift
}

// width returns the size of an offset in the index, in bytes.
func (h *Header) width() int {
	if h.OffsetWidth == 0 {
		return 8
	}
	return h.OffsetWidth
}

// version returns the frame format version to write.
func (h *Header) version() byte {
	switch {
	case h.Version != 0 || h.Generation.old() || h.read.ok:
		return h.Version
	case h.VariableChunks || h.VLBlocks:
		return 3
	case h.Generation == LayoutBeta:
		return 1
	}
	return 2
}

func setBits(b, mask byte, on bool) byte {
	if on {
		return b | mask
	}
	return b &^ mask
}
