//go:build purego || !(amd64 || arm64)

package move

func copy1(dst []byte, i int, src []byte, j int) { dst[i] = src[j] }

func copy2(dst []byte, i int, src []byte, j int) { *(*[2]byte)(dst[i:]) = *(*[2]byte)(src[j:]) }

func copy4(dst []byte, i int, src []byte, j int) { *(*[4]byte)(dst[i:]) = *(*[4]byte)(src[j:]) }

func copy8(dst []byte, i int, src []byte, j int) { *(*[8]byte)(dst[i:]) = *(*[8]byte)(src[j:]) }

func copy16(dst []byte, i int, src []byte, j int) { *(*[16]byte)(dst[i:]) = *(*[16]byte)(src[j:]) }
