// Package arrow turns tables of package table into Arrow records and back. It is
// a separate module, so that the library does not need Arrow.
//
//	r, err := arrow.NewReader(t, memory.DefaultAllocator)
//	defer r.Release()
//	for r.Next() {
//		use(r.RecordBatch())
//	}
//	err = r.Err()
//
// Integers, floating-point numbers and timestamps are not copied, because Arrow
// lays them out as a decoded chunk does. Strings and bytes are copied once,
// booleans become bits, dictionaries keep their codes.
package arrow
