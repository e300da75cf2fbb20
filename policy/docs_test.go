package policy

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var fence = regexp.MustCompile("(?ms)^```([a-z ]+)\n(.*?)^```$")

// The page does what it says: each example is read, each case passes with the
// policy above it, each error is the one shown below the file that provokes it.
func TestDocsExamples(t *testing.T) {
	page, err := os.ReadFile("../docs/policy.md")
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	var last *Policy
	var provoked string
	for _, m := range fence.FindAllStringSubmatch(string(page), -1) {
		kind, text := m[1], m[2]
		counts[kind]++
		switch kind {
		case "yaml":
			last = mustParse(t, text)
		case "yaml channels":
			if p := mustParse(t, text); !p.NeedsChannel() || len(p.ChannelNames()) != 2 {
				t.Errorf("%s needs a channel: %v, names %q", p.Name(), p.NeedsChannel(), p.ChannelNames())
			}
		case "yaml cases":
			results, err := RunCases(last, []byte(text))
			if err != nil || len(results) != 4 {
				t.Errorf("%d cases, want 4: %v", len(results), err)
			}
			for _, r := range results {
				if !r.Passed() {
					t.Errorf("%s: got %s by %s, want %s by %q", r.Name, r.Got, r.Rule, r.Want, r.WantRule)
				}
			}
		case "yaml refused":
			_, err := Parse("mine.yaml", []byte(text))
			if err == nil {
				t.Fatalf("accepted:\n%s", text)
			}
			provoked = err.Error() + "\n"
		case "text":
			if text != provoked {
				t.Errorf("the page says:\n%s\nthe program says:\n%s", text, provoked)
			}
		default:
			t.Errorf("a block of kind %q", kind)
		}
	}
	for kind, want := range map[string]int{"yaml": 3, "yaml channels": 1, "yaml cases": 1, "yaml refused": 2, "text": 2} {
		if counts[kind] != want {
			t.Errorf("%d blocks of kind %q, want %d", counts[kind], kind, want)
		}
	}
}

// The page explains every word that a policy can have.
func TestDocsExplainEveryWord(t *testing.T) {
	page, err := os.ReadFile("../docs/policy.md")
	if err != nil {
		t.Fatal(err)
	}
	explained := 0
	for _, word := range slices.Concat(tierWords, categoryWords, cellWords[:]) {
		row := regexp.MustCompile("(?m)^\\|[^|]*`" + regexp.QuoteMeta(word) + "`[^|]*\\|")
		if !row.Match(page) {
			t.Errorf("no row explains %s", word)
		}
		explained++
	}
	for _, word := range slices.Concat(engineNames[:], PresetNames()[:1], []string{"version", "apps", "observed", "app_asks", "permanent", "channels", "routes", "quiet", "required"}) {
		if !strings.Contains(string(page), "`"+word+"`") {
			t.Errorf("%s is not explained", word)
		}
		explained++
	}
	if explained != 3+22+6+13 {
		t.Errorf("looked for %d words, want 44", explained)
	}
}
