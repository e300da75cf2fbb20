package lexicon

// automaton finds all of a set of keys in a text in one pass (Aho and
// Corasick), overlapping ones included, without allocating.
//
// States are numbered breadth first, so the children of a state are neighbours:
// a state needs the number of its first child, and each child the byte that
// leads to it. That is 17 bytes a state. The root and its children, where a
// scan spends most of its time, have a full table of 256 on top.
//
// 30,000 keys make some 225,000 states and 4 MB in about 15 ms.
type automaton struct {
	first []uint32 // first child; the children of s are first[s] up to first[s+1]
	label []byte   // the byte that leads to a state
	fail  []uint32 // the state of the longest proper suffix
	key   []uint32 // 1 + the key that ends in a state, 0 for none
	link  []uint32 // the nearest state along fail that ends a key, 0 for none
	dense [][256]uint32
}

const root = uint32(0)

// branch is a range of the sorted keys that share all that leads to a state.
type branch struct{ lo, hi int32 }

// newAutomaton builds the automaton of keys, which must be sorted, distinct
// and not empty. A match reports the key's index.
func newAutomaton(keys []string) *automaton {
	a := &automaton{}
	a.grow(keys)
	a.connect()
	a.fillDense()
	return a
}

// countStates returns the number of distinct beginnings of the keys.
func countStates(keys []string) int {
	n, before := 1, ""
	for _, key := range keys {
		shared := 0
		for shared < len(key) && shared < len(before) && key[shared] == before[shared] {
			shared++
		}
		n += len(key) - shared
		before = key
	}
	return n
}

// grow lays out the tree of the keys, level by level.
func (a *automaton) grow(keys []string) {
	n := countStates(keys)
	a.first, a.label, a.key = make([]uint32, 0, n+1), make([]byte, 1, n), make([]uint32, n)
	queue := make([]branch, 1, n)
	queue[0] = branch{0, int32(len(keys))}
	levelEnd := 1 // where the states of the depth being laid out end
	for s, depth := 0, 0; s < len(queue); s++ {
		if s == levelEnd {
			depth, levelEnd = depth+1, len(queue)
		}
		a.first = append(a.first, uint32(len(queue)))
		b := queue[s]
		if b.lo < b.hi && len(keys[b.lo]) == depth {
			a.key[s] = uint32(b.lo + 1)
			b.lo++
		}
		for b.lo < b.hi {
			c, end := keys[b.lo][depth], b.lo+1
			for end < b.hi && keys[end][depth] == c {
				end++
			}
			queue = append(queue, branch{b.lo, end})
			a.label = append(a.label, c)
			b.lo = end
		}
	}
	a.first = append(a.first, uint32(len(queue)))
}

// connect sets fail and link of every state, breadth first.
func (a *automaton) connect() {
	n := len(a.key)
	a.fail, a.link = make([]uint32, n), make([]uint32, n)
	for s := range uint32(n) {
		for child := a.first[s]; child < a.first[s+1]; child++ {
			if s != root {
				a.fail[child] = a.walk(a.fail[s], a.label[child])
			}
			f := a.fail[child]
			if a.key[f] != 0 {
				a.link[child] = f
			} else {
				a.link[child] = a.link[f]
			}
		}
	}
}

func (a *automaton) fillDense() {
	rows := a.first[1] // the root and its children are the first states
	a.dense = make([][256]uint32, rows)
	for s := range rows {
		for c := range 256 {
			a.dense[s][c] = a.walk(s, byte(c))
		}
	}
}

// child returns the state that c leads to from s, root where there is none.
func (a *automaton) child(s uint32, c byte) uint32 {
	lo, hi := a.first[s], a.first[s+1]
	for hi-lo > 8 {
		if mid := (lo + hi) / 2; a.label[mid] <= c {
			lo = mid
		} else {
			hi = mid
		}
	}
	for ; lo < hi; lo++ {
		if a.label[lo] == c {
			return lo
		}
	}
	return root
}

// walk follows c from s, falling back along fail.
func (a *automaton) walk(s uint32, c byte) uint32 {
	for {
		if next := a.child(s, c); next != root || s == root {
			return next
		}
		s = a.fail[s]
	}
}

// step is walk with the tables of the first states.
func (a *automaton) step(s uint32, c byte) uint32 {
	for {
		if int(s) < len(a.dense) {
			return a.dense[s][c]
		}
		if next := a.child(s, c); next != root {
			return next
		}
		s = a.fail[s]
	}
}

// ending returns the first state at or along link of s that ends a key, root
// when there is none; the next one is link of that.
func (a *automaton) ending(s uint32) uint32 {
	if a.key[s] != 0 {
		return s
	}
	return a.link[s]
}

// size is the memory of the automaton in bytes.
func (a *automaton) size() int {
	return 4*(cap(a.first)+cap(a.fail)+cap(a.key)+cap(a.link)) + cap(a.label) + 1024*cap(a.dense)
}
