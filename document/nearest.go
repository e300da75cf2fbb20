package document

import "strings"

// nearest returns the accepted word that a mistyped one was most likely meant
// to be, and whether any is near enough to be worth naming.
func nearest(word string, accepted []string) (string, bool) {
	const longest = 64 // no accepted word is longer; a page of text is no slip of the pen
	if len(word) > longest {
		return "", false
	}
	folded := strings.ReplaceAll(strings.ToLower(word), "-", "_")
	best, bestDistance := "", 3
	for _, a := range accepted {
		d := distance(folded, strings.ToLower(a))
		// In short words every other word is near: allow one slip in three letters.
		if d < bestDistance && d <= max(1, len(a)/3) {
			best, bestDistance = a, d
		}
	}
	return best, best != ""
}

// distance counts the slips between two words: letters added, left out,
// replaced, or swapped with their neighbour.
func distance(a, b string) int {
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			replace := last[j-1]
			if a[i-1] != b[j-1] {
				replace++
			}
			row[j] = min(replace, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
