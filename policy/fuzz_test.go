package policy

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/countersign/countersign/document"
	"github.com/countersign/countersign/policies"
	"github.com/countersign/countersign/risk"
)

// seeds adds every YAML file that the repository has to a corpus.
func seeds(f *testing.F) {
	added := 0
	for _, pattern := range []string{"testdata/*.yaml", "testdata/invalid/*.yaml", "testdata/cases/*.yaml"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
			added++
		}
	}
	for _, name := range PresetNames() {
		for _, file := range []string{"policy.yaml", "cases.yaml"} {
			data, err := policies.Files.ReadFile(name + "/" + file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
			added++
		}
	}
	f.Add([]byte(exceptions))
	if added < 60 {
		f.Fatalf("%d files to begin with, want at least 60", added)
	}
}

// checkErrors holds each complaint to its promise: a place that is in the file.
func checkErrors(t *testing.T, err error, data []byte) {
	lines := strings.Split(strings.TrimPrefix(string(data), "\ufeff"), "\n")
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		t.Fatalf("%T is no list of errors: %v", err, err)
	}
	for i, err := range joined.Unwrap() {
		e, ok := err.(*Error)
		switch {
		case !ok && i == document.MaxComplaints:
		case !ok || e.Message == "" || e.File != "fuzz" && e.File != "cases":
			t.Fatalf("%T: %+v", err, err)
		case e.Line == 0 && e.Column == 0:
		case e.Line < 1 || e.Line > len(lines) || e.Column < 1 || e.Column > utf8.RuneCountInString(lines[e.Line-1])+1:
			t.Fatalf("%d:%d is outside the file: %v", e.Line, e.Column, e)
		}
		if text := err.Error(); !utf8.ValidString(text) || strings.ContainsAny(text, "\x1b\r\x00") {
			t.Fatalf("not fit for a terminal: %q", text)
		}
	}
}

// Parse never panics; whatever it accepts keeps the promises of the package for
// every input and has one name.
func FuzzParse(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := Parse("fuzz", data)
		if err != nil {
			checkErrors(t, err, data)
			return
		}
		packages := []string{"", "com.example.chat"}
		for key := range p.apps.exact {
			packages = append(packages, key)
		}
		for prefix := range p.apps.below {
			packages = append(packages, prefix+".x")
		}
		// Each package costs a thousand questions; a handful shows as much as all.
		checkPromises(t, p, packages[:min(len(packages), 6)]...)
		for c := range categories {
			for _, name := range p.Route(c, risk.High, false, time.Time{}) {
				if name != AllChannels && (!IsChannelName(name) || !slices.Contains(p.ChannelNames(), name)) {
					t.Fatalf("%v goes to %q, a policy that names %q", c, name, p.ChannelNames())
				}
			}
		}
		again, err := Parse("fuzz", data)
		if err != nil || again.Name() != p.Name() {
			t.Fatalf("read again it is %v, %v, not %v", again.Name(), err, p.Name())
		}
	})
}

// RunCases never panics and answers every case or none.
func FuzzRunCases(f *testing.F) {
	seeds(f)
	p := preset(f, "default")
	f.Fuzz(func(t *testing.T, data []byte) {
		results, err := RunCases(p, data)
		if err != nil {
			checkErrors(t, err, data)
			return
		}
		if len(results) == 0 {
			t.Fatal("no case and no complaint")
		}
		for _, r := range results {
			if r.Name == "" || r.Want == "" || r.Got == "" || r.Rule == "" || r.Line < 1 {
				t.Fatalf("%+v", r)
			}
		}
	})
}
