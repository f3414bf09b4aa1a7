package main

import "unicode/utf8"

// A layout describes the columns that are shown, and their widths.
type layout struct {
	label      int // width of the column of row indices
	widths     []int
	head, tail int64 // number of columns shown at the beginning and at the end
	elided     bool  // there are more columns in between

}

// arrange chooses the layout from the rows that were kept.
func (t *table) arrange() *layout {
	l := &layout{label: 1}
	if n := len(t.rows); n > 0 {
		last := t.rows[n-1]
		l.label = max(digits(last.place(0)), digits(last.place(max(last.n-1, 0))))
	} else if t.wrapped {
		l.label = max(digits(t.columns.place(0)), digits(t.columns.place(max(t.columns.n-1, 0))))
	}
	if t.names != nil {
		t.fitNames(l)
		return l
	}
	widest := max(digits(t.columns.place(0)), digits(t.columns.place(max(t.columns.n-1, 0))))
	if t.wrapped {
		widest = 1
	}
	for _, row := range t.probe {
		for _, cell := range row {
			widest = max(widest, utf8.RuneCountInString(cell))
		}
	}
	widest = min(widest, t.width-l.label-2)
	fit := int64(max(1, (t.width-l.label)/(widest+2)))
	l.head = min(fit, t.columns.n)
	if t.columns.n > fit && !t.wrapped {
		l.elided = true
		fit = int64(max(1, (t.width-l.label-2-utf8.RuneCountInString(t.dots))/(widest+2)))
		l.head, l.tail = (fit+1)/2, fit/2
	}
	l.widths = []int{widest}
	return l
}

// fitNames shows as many columns of structures as fit into the width.
func (t *table) fitNames(l *layout) {
	used := l.label
	for i, name := range t.names {
		w := utf8.RuneCountInString(name)
		for _, row := range t.probe {
			w = max(w, utf8.RuneCountInString(printable(row[i])))
		}
		w = min(w, max(8, t.width/3))
		if used+2+w > t.width-2-utf8.RuneCountInString(t.dots) && i < len(t.names)-1 || used+2+w > t.width {
			l.elided = true
			break
		}
		used += 2 + w
		l.widths = append(l.widths, w)
		l.head++
	}
}

func (l *layout) width(i int64) int {
	if len(l.widths) == 1 {
		return l.widths[0]
	}
	return l.widths[i]
}
