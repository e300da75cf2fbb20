package main

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/countersign/countersign"
	"github.com/countersign/countersign/screen"
)

// TestExplainIsBounded gives a screen more controls than any real one has.
func TestExplainIsBounded(t *testing.T) {
	var tree strings.Builder
	tree.WriteString(`<hierarchy><node class="android.widget.FrameLayout" package="org.example" bounds="[0,0][1080,2400]">`)
	for range maxControls + 100 {
		tree.WriteString(`<node class="android.widget.Button" package="org.example" text="Go" clickable="true" bounds="[0,0][9,9]"/>`)
	}
	tree.WriteString(`</node></hierarchy>`)
	ui, err := screen.Read(tree.String(), screen.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	guard, err := countersign.New(countersign.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var notes bytes.Buffer
	e := explanation{guard: guard, ui: ui}
	e.judgeAll(&terminal{out: io.Discard, err: &notes})
	if len(e.targets) != maxControls {
		t.Errorf("%d controls are explained", len(e.targets))
	}
	if !strings.Contains(notes.String(), "only the first 2000 controls") {
		t.Errorf("it says %q", notes.String())
	}
}

// TestExplainNeverShowsASecret goes through all that people see.
func TestExplainNeverShowsASecret(t *testing.T) {
	ui, err := screen.Read(`<hierarchy><node class="android.widget.FrameLayout" package="org.example" bounds="[0,0][1080,2400]">
		<node class="android.widget.EditText" package="org.example" text="hunter2" password="true" clickable="true" bounds="[0,0][900,100]"/>
		<node class="android.widget.Button" package="org.example" text="Sign in" clickable="true" bounds="[0,200][900,300]"/>
		</node></hierarchy>`, screen.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	guard, err := countersign.New(countersign.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	term := &terminal{out: &out, err: io.Discard, width: 100}
	all := explanation{guard: guard, ui: ui}
	all.judgeAll(term)
	if err := all.printTable(term); err != nil {
		t.Fatal(err)
	}
	out.Write(all.draw())
	for node := range ui.Nodes {
		one := explanation{guard: guard, ui: ui}
		one.judge(countersign.Action{Kind: countersign.Tap, Node: &node})
		if err := one.printCard(term); err != nil {
			t.Fatal(err)
		}
	}
	if strings.Contains(out.String(), "hunter2") {
		t.Errorf("the secret is told:\n%s", out.String())
	}
	if !strings.Contains(out.String(), "Sign in") {
		t.Error("nothing was printed")
	}
}
