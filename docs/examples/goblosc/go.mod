// Takes the place of the module of this name in a program's build: see blosc.go.
module github.com/mrjoshuak/go-blosc

go 1.26.0

require github.com/seed03b80dae/blosc2 v0.1.0
