package blosc2

// The marshalers of everything that frames hold as msgpack are made by
// tinylib/msgp from the structs in the files named here. The generators have a
// module of their own, tools/.

//go:generate go -C tools tool msgp -unexported -io=false -tests=false -file ../internal/wire/section.go -o ../internal/wire/section_gen.go
//go:generate go -C tools tool msgp -unexported -io=false -tests=false -file ../meta/descriptors.go -o ../meta/descriptors_gen.go
//go:generate go -C tools tool msgp -unexported -io=false -tests=false -file ../header/layouts.go -o ../header/layouts_gen.go
