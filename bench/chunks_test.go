package main

import (
	"slices"
	"testing"
)

func TestChunkPlan(t *testing.T) {
	p, err := chunkPlan("zstd 9 shuffle,lz4 5 bitshuffle", "2", false)
	want := []setting{{"zstd", 9, "shuffle"}, {"lz4", 5, "bitshuffle"}}
	if err != nil || !slices.Equal(p.settings, want) || !slices.Equal(p.workers, []int{2}) {
		t.Errorf("%v, %v", p, err)
	}
	if p, err := chunkPlan("", "1,2", true); err != nil || len(p.settings) != 1 || len(p.workers) != 2 {
		t.Errorf("%v, %v", p, err)
	}
	for _, bad := range [][2]string{{"zstd", "1"}, {"brotli 1 shuffle", "1"}, {"zstd 1 delta", "1"}, {"", "0"}, {"", ""}} {
		if p, err := chunkPlan(bad[0], bad[1], false); err == nil {
			t.Errorf("%q is %v", bad, p)
		}
	}
}
