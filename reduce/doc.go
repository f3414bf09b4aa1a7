// Package reduce computes sums, means, extremes and similar results along axes of
// arrays of any size.
//
//	r, err := reduce.New(array, reduce.Mean, 0)
//	plan, err := shard.NewArrayPlan(r.Spec(), 1)
//	err = shard.WriteFile("mean.b2nd", plan, r.Fill)
//
//	v, err := reduce.Number(array, reduce.Sum)
//
// Each chunk is read once; a few chunks and one chunk of the result are in
// memory. Several goroutines reduce chunks, and their results are merged in
// order, so the result does not depend on the number of workers or shards.
//
// # Numbers
//
// Items are integers, bools or floats of 4 or 8 bytes. Sums of integers are int64,
// or uint64 for unsigned items, and wrap around as in NumPy. Sums of floats are
// computed in float64, a run of items at a time. Std is the population's (NumPy's
// ddof=0). A NaN makes Sum, Mean, Std, Min and Max NaN; Count counts the items that
// are not NaN. Without items, sum and count are 0, mean and std are NaN, and min
// and max are an error.
package reduce
