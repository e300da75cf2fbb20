package main

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/countersign/countersign/risk"
)

// shownName is the row's name if it is one. The debloating list has remarks in
// that column ("Needed for live wallpapers"); only what looks like a name of up
// to three words is kept from it. All other sources give names, which are kept
// in every script as they are.
func shownName(r *row) string {
	if !r.from("uad-ng") || r.from("lawnicons") {
		if name, remark, found := strings.Cut(r.name, " ("); found && strings.Contains(remark, ";") {
			return name // "Name (a remark; another)"
		}
		return r.name
	}
	if strings.ContainsAny(r.name, ".,;:?!\"'()/") || utf8.RuneCountInString(r.name) > 28 {
		return ""
	}
	words := strings.Fields(r.name)
	if len(words) > 3 {
		return ""
	}
	for _, w := range words {
		if first, _ := utf8.DecodeRuneInString(w); unicode.IsLower(first) && len(words) > 1 {
			return ""
		}
	}
	return r.name
}

// lowTwins are LOW rows that only the icon list knows and that have the name,
// and within two edits the id, of a LOW app that several sources know: patched
// copies and squats, which nobody has looked at.
func lowTwins(rows []row) map[string]bool {
	byName := map[string][]*row{}
	for i := range rows {
		if r := &rows[i]; r.tier == risk.Low && r.name != "" && r.confidence != "A" {
			byName[strings.ToLower(r.name)] = append(byName[strings.ToLower(r.name)], r)
		}
	}
	twins := map[string]bool{}
	for _, same := range byName {
		for _, r := range same {
			for _, known := range same {
				if r.only("lawnicons") && len(known.sources) > 1 && within(r.id, known.id, 2) {
					twins[r.id] = true
				}
			}
		}
	}
	return twins
}

// within reports whether a becomes b by at most k edits.
func within(a, b string, k int) bool {
	for a != "" && b != "" && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	if a == "" || b == "" {
		return len(a)+len(b) <= k
	}
	return k > 0 && (within(a[1:], b[1:], k-1) || within(a[1:], b, k-1) || within(a, b[1:], k-1))
}
