package decide

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/countersign/countersign/risk"
)

// The guard as it was first published, faults included: package prefixes by
// characters, whole words in which '_' is a letter, and a low set that is
// declared and never used. It decides under the engine "published" (preset
// post); tests pin it, since users compare against it.

var (
	publishedHighPackages = []string{
		"com.google.android.gm", "com.android.mms", "org.telegram.messenger", "com.whatsapp",
		"com.paypal.android.p2pmobile", "com.google.android.apps.nbu.paisa.user",
	}
	publishedLowPackages = []string{
		"com.google.android.keep", "com.spotify.music", "com.google.android.youtube",
	}
)

// PublishedTier is the tier the published guard gives a package: by prefix of
// characters, MEDIUM for everything else and for no package.
func PublishedTier(pkg string) risk.Tier {
	for _, prefix := range publishedHighPackages {
		if strings.HasPrefix(pkg, prefix) {
			return risk.High
		}
	}
	for _, prefix := range publishedLowPackages {
		if strings.HasPrefix(pkg, prefix) {
			return risk.Low
		}
	}
	return risk.Medium
}

// Published is the published guard's verdict on the three labels of a node: it
// asks when any of them holds a keyword of the app's tier as a whole word.
func Published(text, contentDescription, resourceID, pkg string) bool {
	return PublishedText(text, pkg) || PublishedText(contentDescription, pkg) || PublishedText(resourceID, pkg)
}

// PublishedText is the published guard's verdict on one text. An empty text
// never asks.
func PublishedText(text, pkg string) bool {
	if text == "" {
		return false
	}
	lower := strings.TrimSpace(strings.ToLower(text))
	if PublishedTier(pkg) == risk.Low {
		return wholeWord(lower, publishedHigh)
	}
	return wholeWord(lower, publishedHigh) || wholeWord(lower, publishedMedium)
}

// wholeWord reports whether one of the words stands in text between characters
// that are no Unicode letters, digits or '_', as the original's engine has it.
func wholeWord(text string, words []string) bool {
	for _, word := range words {
		for from := 0; ; {
			i := strings.Index(text[from:], word)
			if i < 0 {
				break
			}
			start, end := from+i, from+i+len(word)
			before, _ := utf8.DecodeLastRuneInString(text[:start])
			after, _ := utf8.DecodeRuneInString(text[end:])
			if !wordRune(before) && !wordRune(after) {
				return true
			}
			from = start + 1
		}
	}
	return false
}

func wordRune(r rune) bool {
	return r == '_' || r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}
