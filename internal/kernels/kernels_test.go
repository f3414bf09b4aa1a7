package kernels

import (
	"slices"
	"testing"
)

func TestChoose(t *testing.T) {
	var (
		old   = []Tier{None, SSE}
		intel = []Tier{None, SSE, AVX2, AVX512}
		arm   = []Tier{None, NEON}
		other = []Tier{None}
	)
	for _, c := range []struct {
		value string
		tiers []Tier
		want  Tier
		ok    bool
	}{
		{"", intel, AVX512, true},
		{"none", intel, None, true},
		{"sse", intel, SSE, true},
		{"avx2", intel, AVX2, true},
		{"AVX2", intel, AVX2, true},
		{"avx512", intel, AVX512, true},
		{"avx512", old, SSE, true},
		{"neon", intel, AVX512, false},
		{"avx3", intel, AVX512, false},
		{"neon", arm, NEON, true},
		{"none", arm, None, true},
		{"avx2", arm, NEON, false},
		{"", arm, NEON, true},
		{"avx2", other, None, true},
		{"neon", other, None, true},
		{"fast", other, None, false},
	} {
		if got, err := choose(c.value, c.tiers); got != c.want || (err == nil) != c.ok {
			t.Errorf("%q of %v: %v, %v; want %v, ok %v", c.value, c.tiers, got, err, c.want, c.ok)
		}
	}
}

// TestSet checks that a variable holds the kernel at the kernel's tier and above, and
// the portable value below it.
func TestSet(t *testing.T) {
	began := Current()
	defer func() {
		if err := Use(began); err != nil {
			t.Error(err)
		}
	}()
	for _, of := range Tiers() {
		v := "portable"
		Set(&v, of, "kernel")
		for _, tier := range append(Tiers(), began) {
			want := "portable"
			if tier >= of {
				want = "kernel"
			}
			if err := Use(tier); err != nil || v != want {
				t.Errorf("kernel for %v, tier %v: %q, %v; want %q", of, tier, v, err, want)
			}
		}
	}
}

// TestTier logs which kernels run, and checks that Use calls the functions that were
// registered.
func TestTier(t *testing.T) {
	t.Logf("kernels: %v, of %v", Current(), Tiers())
	if err := EnvError(); err != nil {
		t.Error(err)
	}
	began := Current()
	var got []Tier
	Register(func(t Tier) { got = append(got, t) })
	want := []Tier{began}
	for _, tier := range Tiers() {
		if err := Use(tier); err != nil || Current() != tier {
			t.Errorf("%v: %v runs, %v", tier, Current(), err)
		}
		want = append(want, tier)
	}
	if err := Use(began); err != nil {
		t.Error(err)
	}
	if want = append(want, began); !slices.Equal(got, want) {
		t.Errorf("set to %v, want %v", got, want)
	}
	for _, tier := range []Tier{None, SSE, AVX2, AVX512, NEON} {
		if named, ok := Named(tier.String()); named != tier || !ok {
			t.Errorf("%v: Named returns %v, %v", tier, named, ok)
		}
		if !slices.Contains(Tiers(), tier) && Use(tier) == nil {
			t.Errorf("%v was taken", tier)
		}
	}
	if _, ok := Named("fast"); ok {
		t.Error("an invalid name was accepted")
	}
}
