package blosc2

// What go generate makes here: with tinylib/msgp, the marshalers of everything
// that frames hold as msgpack, from the structs in the files named below; and
// the api.txt of each public package, its exported declarations, so that a change
// of the API shows as a change of that file. Both programs belong to a module of
// their own, tools/, so that the library's users do not depend on them. The
// kernels in assembly are made where they are, in shuffle/, by a program in
// shuffle/_asm; go generate ./... runs all of them.

//go:generate go -C tools tool msgp -unexported -io=false -tests=false -file ../internal/wire/section.go -o ../internal/wire/section_gen.go
//go:generate go -C tools tool msgp -unexported -io=false -tests=false -file ../meta/descriptors.go -o ../meta/descriptors_gen.go
//go:generate go -C tools tool msgp -unexported -io=false -tests=false -file ../header/layouts.go -o ../header/layouts_gen.go
//go:generate go -C tools run ./api
