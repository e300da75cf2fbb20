package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
)

// axeScript is axe-core, from where npm puts it.
var axeScript = sync.OnceValues(func() (string, error) {
	text, err := os.ReadFile(filepath.Join("node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		return "", fmt.Errorf("axe-core is missing, install it with: npm ci (%w)", err)
	}
	return string(text), nil
})

// violation is what axe-core has against a page.
type violation struct {
	ID, Help string
	Nodes    []struct {
		HTML, FailureSummary string
	}
}

// axeRun runs every rule but the experimental ones, with the size of targets,
// which axe leaves out by itself.
const axeRun = `axe.run(document, {resultTypes: ["violations"], rules: {"target-size": {enabled: true}}}).then(r => ({
	Passes: r.passes.length,
	Violations: r.violations.map(v => ({ID: v.id, Help: v.help, Nodes: v.nodes.map(n => ({HTML: n.html.slice(0, 300), FailureSummary: n.failureSummary}))}))}))`

// axe runs axe-core on the page as it is. The protocol evaluates it, so neither the
// content policy nor trusted types are in its way, and nothing of them is switched
// off.
func (p *person) axe(t *testing.T) []violation {
	t.Helper()
	script, err := axeScript()
	if err != nil {
		t.Fatal(err)
	}
	if !is[bool](p, `!!window.axe`) {
		get(p, chromedp.Evaluate[any](script+"\n;undefined"))
	}
	found := get(p, chromedp.Evaluate[struct {
		Passes     int
		Violations []violation
	}](axeRun, chromedp.EvalAwaitPromise))
	if found.Passes < 5 {
		t.Errorf("only %d rules had something to look at", found.Passes)
	}
	return found.Violations
}

// wantAccessible: axe-core has nothing against the page.
func (p *person) wantAccessible(t *testing.T) {
	t.Helper()
	for _, v := range p.axe(t) {
		var where []string
		for _, n := range v.Nodes {
			where = append(where, n.HTML+"\n"+n.FailureSummary)
		}
		t.Errorf("%s: %s\n%s", v.ID, v.Help, strings.Join(where, "\n"))
	}
}

// What looks at the pages can see: a page with mistakes on it is not fine.
func TestAxeFindsMistakes(t *testing.T) {
	t.Parallel()
	p := newPerson(t, startGuard(t), desktop)
	p.open("/")
	if found := p.axe(t); len(found) != 0 {
		t.Errorf("there are %d mistakes before any was made", len(found))
	}
	is[any](p, `(() => {
		const pale = document.createElement("p"), picture = document.createElement("img"), button = document.createElement("button"), field = document.createElement("input");
		pale.textContent = "Hardly to be read"; pale.style.color = "#eee"; pale.style.background = "#fff";
		document.querySelector("main").append(pale, picture, button, field);
	})()`)
	got := map[string]bool{}
	for _, v := range p.axe(t) {
		got[v.ID] = true
	}
	for _, id := range []string{"color-contrast", "image-alt", "button-name", "label"} {
		if !got[id] {
			t.Errorf("%s was not found, only %v", id, got)
		}
	}
}
