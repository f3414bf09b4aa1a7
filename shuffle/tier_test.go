package shuffle

import "testing"

// TestTier logs which kernels run.
func TestTier(t *testing.T) {
	t.Logf("kernels: %s, of %q", Tier(), Tiers())
	if err := Use("none such"); err == nil {
		t.Error("an unknown tier was taken")
	}
}
