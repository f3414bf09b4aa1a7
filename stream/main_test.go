package stream_test

import (
	"os"
	"strconv"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if path := os.Getenv("BLOSC2_FOLLOW_WRITER"); path != "" {
		seed, _ := strconv.ParseUint(os.Getenv("BLOSC2_FOLLOW_SEED"), 10, 64)
		followWriter(path, seed)
	}
	goleak.VerifyTestMain(m)
}
