// Package containertest reads the stores, tables and sequences of python-blosc2
// a second time, for tests: it was written only from the description of the
// layouts and shares no code with tree and table. Only frames and arrays are
// read by the packages frame and b2nd.
//
// It returns values as the manifest of the corpus writes them: null, booleans,
// integers (int64, uint64), float64, strings, lists ([]any) and maps with string
// keys (map[string]any), where a map with one key such as "bytes", "map",
// "tuple" or "float" stands for what JSON lacks.
//
// It reads everything eagerly, trusts sizes, and is not for input from others.
package containertest
