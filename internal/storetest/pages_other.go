//go:build !linux

package storetest

import "testing"

func withoutHugePages(testing.TB) {}
