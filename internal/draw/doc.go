// Package draw draws numbers: lines, heat maps, histograms, maps of chunks,
// scatter plots and dot plots. A chart returns a [Scene], a list of shapes, which
// [Scene.WriteSVG] writes and which a rasterizer can paint.
//
// Numbers are reduced while they are read ([Envelope], [Grid], [Histogram]), so
// the memory of a chart depends on its size in pixels, not on how many numbers
// there are. Sizes are in pixels. A chart never fails: numbers that cannot be
// drawn are shown as missing, and text that is too long is cut.
//
// Nothing here may be used by several goroutines concurrently, except palettes
// and themes, which are not changed.
package draw
