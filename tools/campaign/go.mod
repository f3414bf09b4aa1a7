// The command campaign is a separate module, because it needs cgo.
module github.com/seed03b80dae/blosc2/tools/campaign

go 1.26.0

replace github.com/seed03b80dae/blosc2 => ../..

require (
	github.com/golang/snappy v1.0.0
	github.com/klauspost/compress v1.20.3
	github.com/pierrec/lz4/v4 v4.1.33
	github.com/seed03b80dae/blosc2 v0.0.0-00010101000000-000000000000
	golang.org/x/sys v0.49.0
)
