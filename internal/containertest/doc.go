// Package containertest is a second reader of the stores, tables and sequences of
// python-blosc2, for tests. It was written from the description of the layouts
// alone, and shares no code with tree and table. Only frames and arrays are read by
// the packages frame and b2nd.
//
// It returns values as the manifest of the corpus writes them: null, booleans,
// integers (int64, uint64), float64, strings, lists ([]any) and maps with string
// keys (map[string]any). A map with one key such as "bytes", "map", "tuple" or
// "float" represents what JSON lacks.
//
// It reads everything eagerly and trusts sizes, so it is not for untrusted input.
package containertest
