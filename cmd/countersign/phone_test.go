package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/countersign/countersign/phone"
)

// What reaches the phone is printed once, and what it did stands out; what others
// wrote steers no terminal.
func TestDiaryOfThePhone(t *testing.T) {
	p, err := phone.New(phone.Options{})
	must(t, err)
	var out bytes.Buffer
	d := &diary{t: &terminal{out: &out, width: defaultWidth}}
	p.Note(phone.Event{Kind: "shell", Detail: "echo \x1b[2J"})
	must(t, p.Uninstall("org.example.paczki"))
	must(t, d.write(p))
	p.Tap(540, 1200)
	must(t, d.write(p))
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	want := []string{`  shell        echo \u001b[2J`, "  uninstall    org.example.paczki", " *uninstalled  ", "  tap          540,1200"}
	if len(lines) != len(want) {
		t.Fatalf("%d lines, want %d:\n%s", len(lines), len(want), out.String())
	}
	for i := range want {
		if !strings.Contains(lines[i], want[i]) {
			t.Errorf("line %d is %q, want %q in it", i+1, lines[i], want[i])
		}
	}
}
