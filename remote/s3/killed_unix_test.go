//go:build unix

package s3_test

import (
	"testing"

	"github.com/seed03b80dae/blosc2/internal/storetest"
)

func TestCommandShardsKilled(t *testing.T) { storetest.RunShardsKilled(t, tested) }
