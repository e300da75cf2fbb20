package study

import (
	"cmp"
	"slices"

	"github.com/countersign/countersign/lexicon"
	"github.com/countersign/countersign/lexicon/statistical"
)

// learnable is what of the rows can be learned from: each text once for each
// class, with the apps that have it.
type learnable struct {
	corpus statistical.Corpus
	apps   []string // their names, in order; the numbers of the corpus are places here
}

// newLearnable gathers the rows.
func newLearnable(rows []Row, lex *lexicon.Lexicon) *learnable {
	l := &learnable{apps: appsOf(rows)}
	termsApp := uint16(len(l.apps)) // the term files teach like one more app
	type key struct {
		text  string
		class int
	}
	at := map[key]int{}
	var keys []key
	var apps [][]uint16
	for i := range rows {
		r := &rows[i]
		category, _ := r.Class() // headings teach the same words
		class, known := statistical.ClassOf(category)
		if !known {
			continue
		}
		app, _ := slices.BinarySearch(l.apps, r.App)
		k := key{string(lexicon.Fold(nil, r.Value)), class}
		n, seen := at[k]
		if !seen {
			n = len(keys)
			at[k] = n
			keys, apps = append(keys, k), append(apps, nil)
		}
		if !slices.Contains(apps[n], uint16(app)) {
			apps[n] = append(apps[n], uint16(app))
		}
	}
	for text, category := range lex.Lessons() {
		if class, known := statistical.ClassOf(category); known {
			k := key{string(lexicon.Fold(nil, text)), class}
			if n, seen := at[k]; !seen {
				at[k] = len(keys)
				keys, apps = append(keys, k), append(apps, []uint16{termsApp})
			} else if !slices.Contains(apps[n], termsApp) {
				apps[n] = append(apps[n], termsApp)
			}
		}
	}
	var features []uint32
	for i, k := range keys {
		features = lex.AppendFeatures(features[:0], k.text)
		l.corpus.Add(features, k.class, apps[i])
	}
	return l
}

// appsOf returns the names of the apps in order.
func appsOf(rows []Row) []string {
	seen := map[string]bool{}
	var apps []string
	for i := range rows {
		if app := rows[i].App; !seen[app] {
			seen[app] = true
			apps = append(apps, app)
		}
	}
	slices.Sort(apps)
	return apps
}

// folds deals the apps out into so many groups with about as many rows each.
// The result holds for each app the number of its group.
func folds(rows []Row, apps []string, groups int) []int {
	size := make([]int, len(apps))
	for i := range rows {
		app, _ := slices.BinarySearch(apps, rows[i].App)
		size[app]++
	}
	order := make([]int, len(apps))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(size[b]-size[a], a-b) })
	group, load := make([]int, len(apps)), make([]int, groups)
	for _, app := range order {
		least := 0
		for g := range load {
			if load[g] < load[least] {
				least = g
			}
		}
		group[app] = least
		load[least] += size[app]
	}
	return group
}
