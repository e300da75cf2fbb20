package decide

import (
	"slices"
	"strings"
)

// maxDifferences is how many differences are told; a person reads the first.
const maxDifferences = 5

// Differences says in words for a person what stands differently on the second
// of two screens, what matters most first: was are the parts that were
// approved, now those of a fresh look. Text from the screen is quoted and
// shortened. It is nil where nothing differs that the parts hold.
func Differences(was, now []Part) []string {
	var told []string
	var pairs [][2]string
	more := 0
	effect := differ(was, now, partEffect)
	for _, name := range partOrder {
		if !differ(was, now, name) {
			continue
		}
		a, before := partNamed(was, name)
		b, after := partNamed(now, name)
		if effect && before != after && ofEffect(name) {
			continue // it is there for one effect and not for the other, whatever the screen shows
		}
		pair := [2]string{without(a.Texts, b.Texts), without(b.Texts, a.Texts)}
		if slices.Contains(pairs, pair) {
			continue // the page is named after the recipient, which was told
		}
		pairs = append(pairs, pair)
		if len(told) == maxDifferences {
			more++
			continue
		}
		told = append(told, difference(name, pair[0], pair[1], before, after))
	}
	if more > 0 {
		told = append(told, "and more")
	}
	return told
}

// partOrder is what matters most first.
var partOrder = [...]string{
	partApp, partRecipient, partAmount, partText, partAction, partControl, partQuestion, partRow, partChoice, partForm,
	partSums, partOnTop, partOrdinal, partEffect, partObject, partPage, partKind, partState, partID, partWindow, partPoint, partDevice,
}

// ofEffect reports whether a part is bound for some effects only.
func ofEffect(name string) bool {
	switch name {
	case partRecipient, partAmount, partText, partForm, partChoice, partSums, partObject:
		return true
	}
	return false
}

func differ(was, now []Part, name string) bool {
	a, before := partNamed(was, name)
	b, after := partNamed(now, name)
	return before != after || a.Seal != b.Seal
}

func partNamed(parts []Part, name string) (Part, bool) {
	for _, p := range parts {
		if p.Name == name {
			return p, true
		}
	}
	return Part{}, false
}

// without are the texts of one part that the other does not have, each once. A
// text that stands there twice has to be there twice.
func without(texts, other []string) string {
	var left []string
	rest := slices.Clone(other)
	for _, text := range texts {
		if i := slices.Index(rest, text); i >= 0 {
			rest = slices.Delete(rest, i, i+1)
		} else if !slices.Contains(left, text) {
			left = append(left, text)
		}
	}
	return strings.Join(left, " · ")
}

// difference tells what differs in one part: was and now are what only the one
// side says, before and after whether it is there at all.
func difference(name, was, now string, before, after bool) string {
	was, now = apart(was, now)
	switch {
	case name == partOrdinal:
		return "it is another one of several that look the same"
	case name == partApp && was != "" && now != "":
		return "it is another app, “" + now + "”, and was “" + was + "”"
	case name == partOnTop && after:
		return "something else is on top of it: “" + now + "”"
	case before && !after:
		return "the " + name + " “" + was + "” is gone"
	case after && !before:
		return "the " + name + " “" + now + "” is new"
	case was == "" && now == "":
		return "the " + name + " has changed in order, or where it is not shown"
	case was == "":
		return name + " says “" + now + "” as well"
	case now == "":
		return name + " says “" + was + "” no more"
	}
	return name + " was “" + was + "”, is “" + now + "”"
}

// shownPart is how much of either side of a difference is shown, in runes.
const shownPart = 80

// apart shortens two texts so that what differs is in what is left: a long
// beginning that they share is cut.
func apart(was, now string) (string, string) {
	a, b := []rune(was), []rune(now)
	same := 0
	for same < len(a) && same < len(b) && a[same] == b[same] {
		same++
	}
	if from := same - shownPart/4; from > 0 && max(len(a), len(b)) > shownPart {
		return "…" + Quote(string(a[from:]), shownPart-1), "…" + Quote(string(b[from:]), shownPart-1)
	}
	return Quote(was, shownPart), Quote(now, shownPart)
}
