package tune

import (
	"fmt"
	"strings"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/filters"
)

// String describes the parameters, and the expected speeds if there are any:
//
//	zstd 3, shuffle, items of 8 bytes; about 310 MB/s to compress and 1,450 to decompress per core
//
// The typesize is that of records if the Search had a smaller Item.
func (p Pick) String() string {
	text := "stored"
	if p.Params.Level > 0 {
		what := "items"
		if p.item > 0 && p.Params.TypeSize > p.item {
			what = "records"
		}
		text = fmt.Sprintf("%v %d, %s, %s of %d byte", p.Params.Codec, p.Params.Level, filterNames(p.Params.Filters), what, max(p.Params.TypeSize, 1))
		if p.Params.TypeSize > 1 {
			text += "s"
		}
	}
	if p.Ratio == 0 {
		return text
	}
	return fmt.Sprintf("%s; about %s MB/s to compress and %s to decompress per core", text, megabytes(p.Compress), megabytes(p.Expand))
}

// megabytes formats a speed in MB/s. Larger ones than the greatest that it states are
// those of stored data.
func megabytes(speed float64) string {
	n := int(min(speed/1e6, 99_999))
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d,%03d", n/1000, n%1000)
}

// filterNames formats the filters of a pipeline as filters.Parse reads them.
func filterNames(p filters.Pipeline) string {
	var names []string
	for i, id := range p.IDs {
		if id == blosc2.FilterNone {
			continue
		}
		name := id.String()
		if p.Metas[i] != 0 {
			name += fmt.Sprintf(":%d", int8(p.Metas[i]))
		}
		names = append(names, name)
	}
	if names == nil {
		return "no filter"
	}
	return strings.Join(names, ",")
}
