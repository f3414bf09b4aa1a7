package shuffle

const generic = "generic"

// Tier names the kernels that run: "generic", "avx2", "avx512" or "neon".
func Tier() string { return tier }
