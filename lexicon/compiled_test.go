package lexicon

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"reflect"
	"sync"
	"testing"

	"github.com/countersign/countersign/risk"
)

var writeCompiled = flag.Bool("write-compiled", false, "write terms.compiled for the term files that are there")

// The tests of this package read with the term files themselves, so that a word
// can be tried before the files are compiled. What other packages and programs
// read with is compiled from the same files, as the tests below hold.
func TestMain(m *testing.M) {
	defaultLexicon = sync.OnceValue(func() *Lexicon {
		l, err := New(os.DirFS("terms"))
		if err != nil {
			panic(err)
		}
		l.model = defaultModel
		return l
	})
	os.Exit(m.Run())
}

// The compiled terms are those of the term files.
func TestTermsAreCompiled(t *testing.T) {
	want := Default().compile()
	if *writeCompiled {
		if err := os.WriteFile("terms.compiled", want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if compiledTerms != string(want) {
		t.Errorf("terms.compiled is not of the term files that are there; run: go generate ./lexicon")
	}
}

// Compiled and loaded again, a lexicon is the same to the last bit.
func TestLoadedIsTheSame(t *testing.T) {
	small, err := newFrom(map[string]string{
		"aa.txt": "language de\norder last\n[money act]\nzahl\nZahl jetzt\nruf … an\n[prefix]\nnicht-\n[cancel verb]\nend\n[known]\n→\n",
		"bb.txt": "language zxx\n[neutral]\nzahl\n[affirmative]\nＯＫ\n",
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range []*Lexicon{small, Default()} {
		again, err := load(string(l.compile()))
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(l.langs, again.langs) || !reflect.DeepEqual(l.senseOf, again.senseOf) || !reflect.DeepEqual(l.senses, again.senses) ||
			!reflect.DeepEqual(l.texts, again.texts) || !reflect.DeepEqual(l.phrases, again.phrases) {
			t.Errorf("a lexicon of %d spellings became another one of %d", len(l.senseOf), len(again.senseOf))
		}
	}
}

// What is read with the loaded terms is read as with the term files: our own
// labels in all ways they are asked about, and a part of the judged ones.
func TestLoadedReadsTheSame(t *testing.T) {
	t.Parallel()
	loaded, err := load(string(Default().compile()))
	if err != nil {
		t.Fatal(err)
	}
	loaded.model = defaultModel
	rows, risky, byModel := 0, 0, 0
	same := func(q Query) {
		t.Helper()
		a, b := Default().Read(q), loaded.Read(q)
		if a != b {
			t.Errorf("%+v is read as %+v, loaded as %+v", q, a, b)
		}
		if rows++; isRisky(a.Category) {
			risky++
		}
		if a.ByModel() {
			byModel++
		}
	}
	for _, folder := range []string{"must_ask", "must_not_ask", "evasion", "edge"} {
		for language, labels := range readOwn(t, folder) {
			for _, row := range labels {
				for _, q := range ownClaims(language) {
					q.Text = row.Label
					same(q)
				}
			}
		}
	}
	if rows < 9000 || risky < 3000 {
		t.Errorf("%d labels of our own were read, %d as risky", rows, risky)
	}
	for _, row := range corpusRows(t)[:30_000] { // of every sort; all of them take a minute
		same(Query{Text: row.Value, Language: row.Locale, Role: risk.Button, Certainty: always})
		same(Query{Text: row.Key, Signal: risk.SignalResourceID})
	}
	if rows < 40000 || byModel < 5000 {
		t.Errorf("%d labels were read, %d by the model", rows, byModel)
	}
}

func TestLoadRefuses(t *testing.T) {
	good := string(smallCompiled(t))
	tried := 0
	for n := range good {
		if _, err := load(good[:n]); !errors.Is(err, errCompiled) {
			t.Errorf("%d of %d bytes: %v", n, len(good), err)
		}
		tried++
	}
	for _, bad := range []string{good + "x", "countersign terms 0\n" + good[len(compiledMagic):]} {
		if _, err := load(bad); !errors.Is(err, errCompiled) {
			t.Errorf("%q: %v", bad, err)
		}
		tried++
	}
	if tried < 100 {
		t.Errorf("%d were tried", tried)
	}
}

func smallCompiled(t testing.TB) []byte {
	l, err := newFrom(map[string]string{"aa.txt": "language de\n[money act]\nzahl\nZahl jetzt\nruf … an\n[prefix]\nnicht-\n[known]\nhaus\nhaustür\n"})
	if err != nil {
		t.Fatal(err)
	}
	return l.compile()
}

// Any bytes are refused or make a lexicon that can be read with and compiled to
// the same again.
func FuzzLoad(f *testing.F) {
	f.Add(smallCompiled(f))
	f.Add([]byte(compiledMagic))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := load(string(data))
		if err != nil {
			if !errors.Is(err, errCompiled) {
				t.Fatal(err)
			}
			return
		}
		compiled := l.compile()
		again, err := load(string(compiled))
		if err != nil {
			t.Fatalf("%q became %q: %v", data, compiled, err)
		}
		if !bytes.Equal(again.compile(), compiled) {
			t.Fatalf("%q does not stay what it is", compiled)
		}
		for _, text := range []string{"zahl jetzt", "nicht haustür", "ruf an"} {
			if a, b := l.Read(Query{Text: text}), again.Read(Query{Text: text}); a != b {
				t.Fatalf("%q is read as %+v, again as %+v", text, a, b)
			}
		}
	})
}
