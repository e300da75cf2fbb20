package inbox

import (
	"cmp"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/countersign/countersign/approval"
)

// flood is a list in which one agent asks six times beside others that ask once.
func flood(first, second, settled approval.Approval) Listing {
	l := Listing{Settled: []approval.Approval{settled}, Version: "v5"}
	for n := range 6 {
		a := first
		a.ID, a.Agent, a.CreatedAt = fmt.Sprintf("a_flood%d", n), "agt_flood", noon.Add(time.Duration(n)*time.Second)
		a.Card.Critical = n%2 == 0
		l.Open = append(l.Open, a)
	}
	for n, name := range []string{"alpha", "beta", "gamma", ""} {
		a := second
		a.ID, a.Agent, a.AgentName = fmt.Sprintf("a_single%d", n), fmt.Sprintf("agt_single%d", n), name
		l.Open = append(l.Open, a)
	}
	l.Waiting, l.Newest = 6, noon.Add(5*time.Second)
	return l
}

// inOrder puts questions into the order of the list, as the approvers' door does.
func inOrder(open []approval.Approval) []approval.Approval {
	slices.SortStableFunc(open, func(a, b approval.Approval) int {
		return cmp.Or(cmp.Compare(a.State, b.State), a.Wake().Compare(b.Wake()))
	})
	return open
}

// ask are questions in a row, a second apart and due in the order in which they are
// asked, by what is said of each: the letter of its agent, upper case for a critical
// one, in brackets for one that is approved.
func ask(text string) []approval.Approval {
	var open []approval.Approval
	approved := false
	for _, r := range text {
		switch r {
		case '(', ')':
			approved = r == '('
			continue
		}
		a := approval.Approval{ID: fmt.Sprint(len(open)), Agent: strings.ToLower(string(r)), State: approval.Pending, CreatedAt: noon.Add(time.Duration(len(open)) * time.Second)}
		a.Deadline = a.CreatedAt.Add(time.Minute)
		a.Card.Critical = a.Agent != string(r)
		if approved {
			a.State, a.UseBy = approval.Approved, a.Deadline
		}
		open = append(open, a)
	}
	return inOrder(open)
}

func TestWhichAreListed(t *testing.T) {
	tests := []struct {
		name, asked string
		places      int
		want        string // when each of them was asked
	}{
		{"there is room", "aaBb", 4, "0 1 2 3"},
		{"nothing is open", "", 4, ""},
		{"one agent: the newest, and what is due first", "aaaaaa", 3, "0 1 5"},
		{"a single place is the newest's", "aaaaaa", 1, "5"},
		{"the newest critical one comes before the newest", "aaAAaa", 1, "3"},
		{"and then the newest", "aaAAaa", 2, "3 5"},
		{"and then the critical ones", "aaAAaa", 3, "2 3 5"},
		{"a flood leaves the other its place", "baaaaaaaaa", 2, "0 9"},
		{"which came in the middle of it", "aaaabaaaaa", 2, "4 9"},
		{"a critical flood too", "bAAAAAAAAA", 2, "0 9"},
		{"a small share is shown whole", "bbbaaaaaaaaa", 6, "0 1 2 3 4 11"},
		{"what a small share leaves goes to the others", "caaaaaabbbbbb", 7, "0 1 2 6 7 8 12"},
		{"the places that are left go to what is critical", "aaBBccc", 4, "1 2 3 6"},
		{"what is approved has a place as well", "(b)aaaaaa", 2, "0 6"},
		{"after what waits", "(a)aaaa", 4, "1 2 3 4"},
		{"more agents than places: what is critical first, then what is new", "Abcdefg", 3, "0 5 6"},
		{"more agents than places, all approved but one", "(abcdef)g", 2, "5 6"},
	}
	for _, tt := range tests {
		open := ask(tt.asked)
		var got []string
		for _, i := range firstOf(open, tt.places) {
			got = append(got, open[i].ID)
		}
		slices.SortFunc(got, func(a, b string) int {
			m, _ := strconv.Atoi(a)
			n, _ := strconv.Atoi(b)
			return m - n
		})
		if is := strings.Join(got, " "); is != tt.want {
			t.Errorf("%s: of %s those are listed: %s, want %s", tt.name, tt.asked, is, tt.want)
		}
	}
	if len(tests) != 17 {
		t.Errorf("%d cases, want 17", len(tests))
	}
}

// crowd draws the open questions of at most so many agents, one of which may ask
// far more than the others do.
func crowd(t *rapid.T, agents, most, far int) []approval.Approval {
	flood := rapid.IntRange(0, far).Draw(t, "flood")
	others := rapid.SliceOfN(rapid.IntRange(1, most), 0, agents-1).Draw(t, "others")
	critical := rapid.IntRange(1, 40).Draw(t, "every so many are critical")
	approved := rapid.IntRange(2, 40).Draw(t, "every so many are approved")
	turn := rapid.IntRange(1, 977).Draw(t, "turn")
	var open []approval.Approval
	add := func(agent string, n int) {
		for range n {
			at := len(open)
			a := approval.Approval{ID: fmt.Sprint(at), Agent: agent, State: approval.Pending}
			a.CreatedAt = noon.Add(time.Duration(at*turn%977) * time.Second)
			a.Deadline = a.CreatedAt.Add(time.Duration(at%5+1) * time.Minute)
			a.Card.Critical = at%critical == 0
			if at%approved == 1 {
				a.State, a.UseBy = approval.Approved, a.Deadline
			}
			open = append(open, a)
		}
	}
	add("flood", flood)
	for n, asks := range others {
		add(fmt.Sprintf("agent-%d", n), asks)
	}
	return inOrder(open)
}

// TestNoFloodHidesAnother: whatever one agent asks, every agent has its share of the
// list: each has a place where there are enough, none has more than one place more
// than another that would have filled it, and the newest critical question of all is
// there.
func TestNoFloodHidesAnother(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		open := crowd(t, places, 30, 1200)
		chosen := firstOf(open, places)
		if len(chosen) != min(len(open), places) || !slices.IsSorted(chosen) || len(slices.Compact(slices.Clone(chosen))) != len(chosen) {
			t.Fatalf("of %d questions these are listed: %v", len(open), chosen)
		}
		asked, listed := map[string]int{}, map[string]int{}
		var last *approval.Approval
		for i := range open {
			a := &open[i]
			asked[a.Agent]++
			if a.State == approval.Pending && a.Card.Critical && (last == nil || a.CreatedAt.After(last.CreatedAt)) {
				last = a
			}
		}
		lastIsListed := last == nil
		for _, i := range chosen {
			listed[open[i].Agent]++
			lastIsListed = lastIsListed || !open[i].CreatedAt.Before(last.CreatedAt) && open[i].State == approval.Pending && open[i].Card.Critical
		}
		most := 0
		for _, n := range listed {
			most = max(most, n)
		}
		for agent, n := range asked {
			if listed[agent] == 0 {
				t.Errorf("%s asks and has no place", agent)
			}
			if listed[agent] < n && listed[agent] < most-1 {
				t.Errorf("%s has %d places for %d questions, and another has %d", agent, listed[agent], n, most)
			}
		}
		if !lastIsListed {
			t.Error("the newest critical question is not listed")
		}
	})
}

var (
	waitsIn     = regexp.MustCompile(`data-waiting="(\d+)"`)
	heading     = regexp.MustCompile(`>Open(?:: (\d+))?</h2>`)
	moreAreOpen = regexp.MustCompile(`and (\d+) more: show them`)
	askedBy     = regexp.MustCompile(`(\d+) (?:asked by|by other agents)`)
)

// numberIn is what an expression finds in a page, 0 for nothing.
func numberIn(page string, re *regexp.Regexp) int {
	found := re.FindStringSubmatch(page)
	if found == nil || found[1] == "" {
		return 0
	}
	n, _ := strconv.Atoi(found[1])
	return n
}

// TestNothingIsMissingFromTheCount: what is listed and what is said of the rest is
// all that is open, whichever of it is shown; and the whole list leaves nothing out.
func TestNothingIsMissingFromTheCount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		open := crowd(t, places+20, 2, places+20)
		l := Listing{Open: open, Waiting: len(open), Version: "v"}
		for _, whole := range []bool{false, true} {
			b, err := DrawBoard(noon, l, whole)
			if err != nil {
				t.Fatal(err)
			}
			page := html.UnescapeString(string(b.html))
			items := strings.Count(page, `<li data-id=`)
			more, by := numberIn(page, moreAreOpen), 0
			for _, found := range askedBy.FindAllStringSubmatch(page, -1) {
				n, _ := strconv.Atoi(found[1])
				by += n
			}
			if items+more != len(open) || by != more || numberIn(page, heading) != len(open) || numberIn(page, waitsIn) != len(open) || b.Open != len(open) {
				t.Fatalf("whole is %v: of %d open questions %d are listed and %d more are told of, %d by their agents; the heading has %d, the count is %d",
					whole, len(open), items, more, by, numberIn(page, heading), numberIn(page, waitsIn))
			}
			if whole && more != 0 || !whole && items > places {
				t.Fatalf("whole is %v: %d are listed and %d are not", whole, items, more)
			}
			if newest := strings.Contains(page, "Asked last: "); newest && more == 0 {
				t.Fatal("the newest is told of where all are listed")
			}
		}
	})
}
