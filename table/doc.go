// Package table reads and writes the tables of python-blosc2 (CTable): columns of equal
// length in a store of package tree.
//
//	t, err := table.OpenFile("trips.b2z")
//	defer t.Close()
//	c, err := t.Column("trip.lon")
//	for b, err := range table.Values[float64](c) {
//		// b.Values, b.Valid
//	}
//
//	for r, err := range t.Rows(0, t.Len(), "id", "name") {
//		var v struct {
//			ID   int32   `blosc2:"id"`
//			Name *string `blosc2:"name"` // nil for null
//		}
//		err = r.Scan(&v)
//	}
//
// Rows are counted from 0 over those that were not deleted. Only the columns and chunks
// that hold the requested rows are read. The Schema describes columns that are computed
// from others, but this package does not compute them.
//
// Write makes a table from columns, and a Builder from rows that are structs or lines
// of CSV.
//
// A Table may be read by several goroutines, if its source may.
package table
