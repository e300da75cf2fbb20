package adbd

import (
	"slices"
	"strings"
	"testing"
)

// FuzzService: a service's string is what it was when it is put together again,
// and a name has neither commas nor colons.
func FuzzService(f *testing.F) {
	for _, s := range []string{"shell,v2,TERM=xterm,raw:input tap 1 2", "shell:", "abb_exec:package\x00install", "tcp:1", "sync:", "jdwp", "", ":", ",", "a,:b:c,d"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		q := ParseService(s)
		if q.String() != s {
			t.Fatalf("%q became %q", s, q.String())
		}
		if strings.ContainsAny(q.Name, ",:") || slices.ContainsFunc(q.Options, func(o string) bool { return strings.ContainsAny(o, ",:") }) {
			t.Fatalf("%q has the name %q and the options %q", s, q.Name, q.Options)
		}
		if _, err := checkAddress(s); err == nil && !strings.Contains(s, ":") {
			t.Fatalf("%q passes for an address", s)
		}
	})
}

// FuzzAbbArgs: no word has a NUL, and the words are the string again but for a
// NUL at its end.
func FuzzAbbArgs(f *testing.F) {
	for _, s := range []string{"package\x00install\x00-S\x0010", "", "\x00", "\x00\x00", "a\x00", "settings\x00put\x00global\x00x\x00\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		args := AbbArgs(s)
		if slices.ContainsFunc(args, func(a string) bool { return strings.Contains(a, "\x00") }) {
			t.Fatalf("%q became %q", s, args)
		}
		if joined := strings.Join(args, "\x00"); joined != s && joined+"\x00" != s {
			t.Fatalf("%q became %q", s, args)
		}
	})
}
