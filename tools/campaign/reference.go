package main

// #cgo LDFLAGS: -lzstd -llz4 -lz
// #include <lz4.h>
// #include <lz4hc.h>
// #include <zlib.h>
// #include <zstd.h>
import "C"

import (
	"errors"
	"fmt"
	"unsafe"
)

func pointer(b []byte) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(b)) }

// text is like pointer, with the LZ4 library's type; it is never nil.
func text(b []byte) *C.char {
	if len(b) == 0 {
		b = make([]byte, 1)
	}
	return (*C.char)(pointer(b))
}

func zstdDecode(dst, src []byte) error {
	n := C.ZSTD_decompress(pointer(dst), C.size_t(len(dst)), pointer(src), C.size_t(len(src)))
	if C.ZSTD_isError(n) != 0 {
		return errors.New(C.GoString(C.ZSTD_getErrorName(n)))
	}
	return full(int(n), len(dst))
}

func zstdEncode(dst, src []byte, level, _ int) ([]byte, error) {
	n := C.ZSTD_compress(pointer(dst), C.size_t(len(dst)), pointer(src), C.size_t(len(src)), C.int(2*level-1))
	if C.ZSTD_isError(n) != 0 {
		return nil, nil // the stream does not fit dst
	}
	return dst[:n], nil
}

func lz4Decode(dst, src []byte) error {
	n := C.LZ4_decompress_safe(text(src), text(dst), C.int(len(src)), C.int(len(dst)))
	if n < 0 {
		return fmt.Errorf("error %d", n)
	}
	return full(int(n), len(dst))
}

func lz4Encode(dst, src []byte, level, _ int) ([]byte, error) {
	n := C.LZ4_compress_fast(text(src), text(dst), C.int(len(src)), C.int(len(dst)), C.int(10-level))
	return dst[:n], nil
}

func lz4hcEncode(dst, src []byte, level, _ int) ([]byte, error) {
	n := C.LZ4_compress_HC(text(src), text(dst), C.int(len(src)), C.int(len(dst)), C.int(level+3))
	return dst[:n], nil
}

func zlibDecode(dst, src []byte) error {
	n := C.uLongf(len(dst))
	if e := C.uncompress((*C.Bytef)(unsafe.Pointer(text(dst))), &n, (*C.Bytef)(unsafe.Pointer(text(src))), C.uLong(len(src))); e != C.Z_OK {
		return fmt.Errorf("error %d", e)
	}
	return full(int(n), len(dst))
}

func zlibEncode(dst, src []byte, level, _ int) ([]byte, error) {
	n := C.uLongf(len(dst))
	if e := C.compress2((*C.Bytef)(unsafe.Pointer(text(dst))), &n, (*C.Bytef)(unsafe.Pointer(text(src))), C.uLong(len(src)), C.int(level)); e != C.Z_OK {
		return nil, nil // the stream does not fit dst
	}
	return dst[:n], nil
}

func full(n, want int) error {
	if n != want {
		return fmt.Errorf("%d bytes, want %d", n, want)
	}
	return nil
}
