// Package reduce takes sums, means, extremes and the like along axes of arrays of
// any size.
//
//	r, err := reduce.New(array, reduce.Mean, 0)
//	plan, err := shard.NewArrayPlan(r.Spec(), 1)
//	err = shard.WriteFile("mean.b2nd", plan, r.Fill)
//
//	v, err := reduce.Number(array, reduce.Sum)
//
// Each chunk is read once, and memory holds a few chunks and one chunk of the
// result. Chunks are taken by several goroutines, and what comes of them is put
// together in their order, so that the result does not depend on the number of
// workers or of shards.
//
// # Numbers
//
// Items are integers, bools or floats of 4 or 8 bytes. Sums of integers are int64,
// or uint64 where the items have no sign, and wrap around as in NumPy. Sums of
// floats are taken in float64, a run of items at a time. Std is the population's
// (NumPy's ddof=0). A NaN makes Sum, Mean, Std, Min and Max NaN; Count counts what is
// not NaN. Of no items the sum and count are 0, mean and std are NaN, and there
// is no least or greatest: that is an error.
package reduce
