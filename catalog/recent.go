package catalog

import (
	"strings"
	"sync/atomic"
)

// recentSlots is how many unknown ids are remembered; an agent works in a
// handful of apps at a time.
const recentSlots = 256

// recent remembers what the last unknown ids resemble, since looking for it
// costs as much as all the rest of a decision and an agent stays in an app for
// many steps. It is bounded, and safe for concurrent use: a slot is replaced
// whole.
type recent struct {
	slots [recentSlots]atomic.Pointer[resemblance]
}

// resemblance is the HIGH row an id resembles, if any.
type resemblance struct {
	id  string
	row int
	ok  bool
}

// of returns what an id resembles, from memory or by asking find.
func (r *recent) of(id string, find func(id string) (row int, ok bool)) (row int, ok bool) {
	slot := &r.slots[hashString(id)%recentSlots]
	if seen := slot.Load(); seen != nil && seen.id == id {
		return seen.row, seen.ok
	}
	row, ok = find(id)
	slot.Store(&resemblance{id: strings.Clone(id), row: row, ok: ok})
	return row, ok
}
