package main

import (
	"fmt"
	"io"
)

// benchCopy measures memcpy of each dataset, whose speed no contestant can exceed.
func benchCopy(data []dataset, rounds, reps int) []*result {
	var all []*result
	for _, d := range data {
		dst := make([]byte, len(d.bytes))
		r := &result{Section: "memcpy", Data: d.name, Name: "memcpy", Workers: 1, Bytes: len(d.bytes), Stored: len(d.bytes), Real: d.real}
		for range rounds {
			t, _ := timed(reps, func() error { copy(dst, d.bytes); return nil })
			r.Compress = append(r.Compress, t)
		}
		all = append(all, r)
	}
	return all
}

func writeCopyTable(w io.Writer, all []*result) {
	fmt.Fprintln(w, "| data | MB/s |\n|---|---|")
	for _, r := range all {
		if r.Section == "memcpy" {
			fmt.Fprintf(w, "| %s | %.0f |\n", r.Data, r.mbps(r.Compress))
		}
	}
}
