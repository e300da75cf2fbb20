package lexicon

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/countersign/countersign/risk"
)

// termFiles returns the term files.
func termFiles(testing.TB) fs.FS { return os.DirFS("terms") }

func newFrom(files map[string]string) (*Lexicon, error) {
	all := fstest.MapFS{}
	for name, content := range files {
		all[name] = &fstest.MapFile{Data: []byte(content)}
	}
	return New(all)
}

func TestNewReadsTermFiles(t *testing.T) {
	l, err := newFrom(map[string]string{
		"aa.txt": "# a language\nlanguage de\norder last\n\n[money act]\nzahl   # the verb\n# nothing\n[prefix]\nnicht-\n[cancel verb]\nend\n[cancel_service object]\nplan\n",
		"bb.txt": "language nl\n[known]\nhaus\n[affirmative]\nja\n[dismissal]\nnein\n",
		"README": "not a term file",
	})
	if err != nil {
		t.Fatal(err)
	}
	checks := map[string]risk.Category{
		"zahl": risk.Money, "haus zahl": risk.Money, "nichtzahl": risk.None, "haus": risk.None,
		"ja": risk.Affirmative, "nein": risk.Dismissal, "plan end": risk.CancelService,
	}
	for text, want := range checks {
		if got := l.Read(Query{Text: text}).Category; got != want {
			t.Errorf("Read(%q) = %s, want %s", text, got, want)
		}
	}
}

func TestNewRefusesBadTermFiles(t *testing.T) {
	cases := []struct{ content, says string }{
		{"", "no language line"},
		{"[known]\nx\n", "x.txt:1: a section before the language line"},
		{"langauge en\n", `"langauge" is not one of language, order`},
		{"language\n", `accepted are "language <tag>"`},
		{"language d!\n", "is not a BCP 47 tag"},
		{"language en\nlanguage de\n", "x.txt:2: a second language line"},
		{"language en\norder middle\n", "order \"middle\" is not one of first, last, nominal"},
		{"language en\nsend\n", "before the first section"},
		{"language en\n[]\n", "a section is"},
		{"language en\n[a b c]\n", "a section is"},
		{"language en\n[money verbs]\n", `section "verbs" is not one of <category> act`},
		{"language en\n[act]\nsend\n", "a category stands before act"},
		{"language en\n[money known]\nsend\n", "a category stands before act"},
		{"language en\n[cash act]\npay\n", `category "cash" is not one of none, money, message`},
		{"language en\n[unknown act]\npay\n", `category "unknown" is not one of`},
		{"language en\n[affirmative act]\npay\n", `category "affirmative" is not one of`},
		{"language en\n[known]\n\u200b\u00ad\n", "x.txt:3: term"},
		{"language en\n[known]\n" + strings.Repeat("long ", 60) + "\n", "at most 200 are accepted"},
		{"language en\n[known]\n\xff\n", "not valid UTF-8"},
	}
	ran := 0
	for _, c := range cases {
		_, err := newFrom(map[string]string{"x.txt": c.content})
		if !errors.Is(err, ErrTerms) {
			t.Errorf("%q: error %v does not wrap ErrTerms", c.content, err)
			continue
		}
		if !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: error %q does not say %q", c.content, err, c.says)
		}
		ran++
	}
	if ran != 19 {
		t.Errorf("%d cases ran", ran)
	}
	if _, err := newFrom(nil); !errors.Is(err, ErrTerms) {
		t.Errorf("no files: %v", err)
	}
	if _, err := newFrom(map[string]string{"a.txt": "language en\n", "b.txt": "language en\n"}); !errors.Is(err, ErrTerms) {
		t.Errorf("one language twice: %v", err)
	}
}

// The embedded files load.
func TestEmbeddedTerms(t *testing.T) {
	l, err := New(termFiles(t))
	if err != nil {
		t.Fatal(err)
	}
	if len(l.langs) < 3 || len(l.senseOf) < 5000 {
		t.Errorf("%d languages, %d spellings", len(l.langs), len(l.senseOf))
	}
}
