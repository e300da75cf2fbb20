package inbox

import (
	"cmp"
	"slices"
	"time"

	"github.com/countersign/countersign/approval"
)

const (
	// places is how many open questions the list has room for: what a page can
	// fetch and draw anew at every change, and more than a person reads.
	places = 100
	// askersNamed is how many agents are named whose questions are left out.
	askersNamed = 3
)

// firstOf picks the open questions that the list shows where there are more than it
// has places for: their places in the list, ascending. The agents take turns, each
// with one question a turn, so that none takes the place of another however much it
// asks: of an agent with no more questions than its share none is left out. In a
// turn what is critical comes first, and then what was asked last.
func firstOf(open []approval.Approval, places int) []int {
	var chosen []int
	agents := byAgent(open)
	for turn := 0; len(chosen) < min(places, len(open)); turn++ {
		var theirs []int
		for _, mine := range agents {
			if turn < len(mine) {
				theirs = append(theirs, mine[turn])
			}
		}
		slices.SortStableFunc(theirs, func(i, j int) int {
			a, b := &open[i], &open[j]
			return cmp.Or(cmp.Compare(a.State, b.State), trueFirst(a.Card.Critical, b.Card.Critical), b.CreatedAt.Compare(a.CreatedAt))
		})
		chosen = append(chosen, theirs[:min(len(theirs), places-len(chosen))]...)
	}
	slices.Sort(chosen)
	return chosen
}

// byAgent are the places of each agent's questions, in the order in which they take
// their turns. The one that was asked last comes early, since nobody has seen it
// yet; what is due has been there before, and when its time is over nothing happens.
func byAgent(open []approval.Approval) [][]int {
	agents := map[string]int{}
	var all [][]int
	for i := range open {
		n, known := agents[open[i].Agent]
		if !known {
			n = len(all)
			agents[open[i].Agent], all = n, append(all, nil)
		}
		all[n] = append(all[n], i)
	}
	for _, mine := range all {
		last, lastCritical := newest(open, mine, waits), newest(open, mine, waitsCritical)
		turn := func(i int) int {
			switch a := &open[i]; {
			case i == lastCritical:
				return 0
			case i == last:
				return 1
			case waitsCritical(a):
				return 2
			case waits(a):
				return 3
			}
			return 4
		}
		slices.SortStableFunc(mine, func(i, j int) int { return cmp.Compare(turn(i), turn(j)) })
	}
	return all
}

func waits(a *approval.Approval) bool { return a.State == approval.Pending }

func waitsCritical(a *approval.Approval) bool { return waits(a) && a.Card.Critical }

// newest is the place of the question that was asked last among those that count,
// -1 for none.
func newest(open []approval.Approval, among []int, counts func(*approval.Approval) bool) int {
	last := -1
	for _, i := range among {
		if counts(&open[i]) && (last < 0 || !open[i].CreatedAt.Before(open[last].CreatedAt)) {
			last = i
		}
	}
	return last
}

// trueFirst orders what is true before what is not.
func trueFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// cut is what a list says of the open questions that it leaves out.
type cut struct {
	All, Listed, More, Critical int
	// Askers are the agents whose questions they are, those with the most first;
	// Others is how many questions are those of agents that are not named.
	Askers []asker
	Others int
	// Newest is the question that was asked last of all that wait, be it in the list
	// or not; nil where none waits.
	Newest *item
}

// asker is an agent and how many of its questions are left out.
type asker struct {
	Agent string
	More  int
}

// cutOf says what is open and is not among the chosen; nil when that is nothing.
func cutOf(now time.Time, open []approval.Approval, chosen []int) *cut {
	var left []int
	for i := range open {
		if _, listed := slices.BinarySearch(chosen, i); !listed {
			left = append(left, i)
		}
	}
	if len(left) == 0 {
		return nil
	}
	c := &cut{All: len(open), Listed: len(chosen), More: len(left)}
	for _, i := range left {
		if open[i].Card.Critical {
			c.Critical++
		}
	}
	c.Askers = askersOf(open, left)
	named := min(len(c.Askers), askersNamed)
	for _, one := range c.Askers[named:] {
		c.Others += one.More
	}
	c.Askers = c.Askers[:named]
	if i := newest(open, slices.Concat(chosen, left), waits); i >= 0 {
		it := itemOf(now, &open[i])
		c.Newest = &it
	}
	return c
}

// askersOf counts questions by their agents, those with the most first.
func askersOf(open []approval.Approval, among []int) []asker {
	agents := map[string]int{}
	var all []asker
	for _, i := range among {
		a := &open[i]
		n, known := agents[a.Agent]
		if !known {
			n = len(all)
			agents[a.Agent], all = n, append(all, asker{Agent: excerpt(cmp.Or(a.AgentName, a.Agent))})
		}
		all[n].More++
	}
	slices.SortStableFunc(all, func(a, b asker) int { return cmp.Compare(b.More, a.More) })
	return all
}
