package decide

// The keyword sets of the guard as it was first published (the article in the
// series on a two-layer confirmation guard for an Android agent). They are
// kept to be compared with and must not be improved.
var (
	publishedHigh = []string{
		"send", "pay", "transfer", "purchase", "buy", "confirm payment", "place order", "checkout",
	}
	publishedMedium = []string{
		"delete", "remove", "uninstall", "submit", "sign out", "log out", "deactivate",
		"cancel subscription", "share",
	}
	publishedLow = []string{"post", "publish", "save"}
)

// Flat is the flat guard: it asks when the visible text contains one of the
// published keywords, in any case and anywhere in a word, the same for every
// app. That makes it ask about "payload" and miss every other language.
func Flat(text string) bool {
	return containsFold(text, publishedHigh) || containsFold(text, publishedMedium) ||
		containsFold(text, publishedLow)
}

// containsFold reports whether text contains one of the words, which are in
// lower-case ASCII, ignoring the case of ASCII letters. It does not allocate.
func containsFold(text string, words []string) bool {
	for _, word := range words {
		for i := 0; i+len(word) <= len(text); i++ {
			if hasFoldPrefix(text[i:], word) {
				return true
			}
		}
	}
	return false
}

func hasFoldPrefix(text, word string) bool {
	for i := range len(word) {
		c := text[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != word[i] {
			return false
		}
	}
	return true
}
