package browser

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// patience is how long a page may take to show what it is waited for: much more
// than it needs, since the machine has other work.
const patience = 3 * time.Minute

// The sizes that pages are tested at.
type size struct {
	name          string
	width, height int64
	phone         bool
}

var (
	desktop = size{"desktop", 1280, 800, false}
	phone   = size{"phone", 360, 740, true}
	sizes   = []size{desktop, phone}
)

// chromium is the browser all tests share, the only one at a time; each person gets
// a profile of her own in it.
var chromium context.Context

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	path, err := exec.LookPath("chromium")
	if err != nil {
		os.Stderr.WriteString("the browser tests need Chromium: apt-get install chromium\n")
		return 1
	}
	// To start the browser is all that is tried again; a test never is.
	var quit func()
	for range starts {
		if chromium, quit, err = startChromium(path); err == nil {
			defer quit()
			return m.Run()
		}
		os.Stderr.WriteString("Chromium does not start: " + err.Error() + "\n")
	}
	return 1
}

// starts is how often Chromium is started until it comes up.
const starts = 3

// startChromium starts it with a new folder for its profile, which goes with it,
// and without what a container has not got: a sandbox, a GPU, a large /dev/shm.
// Nothing of the browser's own may look for a network: only the guard is there.
func startChromium(path string) (context.Context, func(), error) {
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.Flag("disable-dev-shm-usage", true),
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true), chromedp.Flag("disable-quic", true),
	)
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	browser, leave := chromedp.NewContext(allocator)
	quit := func() {
		leave()
		stop() // waits until it has ended
	}
	// The first action starts it, and a deadline of its context would end it later.
	late := time.AfterFunc(patience, leave)
	err := chromedp.Do(browser)
	if !late.Stop() && err == nil {
		err = fmt.Errorf("it was not there in %v", patience)
	}
	if err != nil {
		quit()
		return nil, nil, err
	}
	return browser, quit, nil
}

// person is somebody at a browser: one tab in a profile of its own.
type person struct {
	t   *testing.T
	g   *guard
	tab context.Context
}

// newPerson opens a tab of a size.
func newPerson(t *testing.T, g *guard, s size) *person {
	t.Helper()
	tab, closed := chromedp.NewContext(chromium, chromedp.WithNewBrowserContext())
	t.Cleanup(closed)
	p := &person{t: t, g: g, tab: tab}
	p.begin()
	p.resize(s)
	return p
}

// begin opens the tab. It has the focus from then on, whichever tab of the other
// tests the browser would give it to.
func (p *person) begin() {
	p.t.Helper()
	if err := chromedp.Do(p.tab); err != nil { // its context lives as long as the tab: no deadline
		p.t.Fatal(err)
	}
	call(p, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
}

// resize makes the tab one of another size.
func (p *person) resize(s size) {
	p.t.Helper()
	if s.phone {
		p.do(chromedp.EmulateViewport(s.width, s.height, chromedp.EmulateMobile, chromedp.EmulateTouch))
	} else {
		p.do(chromedp.EmulateViewport(s.width, s.height))
	}
}

// second opens another tab of the same person.
func (p *person) second() *person {
	p.t.Helper()
	tab, closed := chromedp.NewContext(p.tab)
	p.t.Cleanup(closed)
	q := &person{t: p.t, g: p.g, tab: tab}
	q.begin()
	return q
}

// do carries actions out, within patience.
func (p *person) do(steps ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.tab, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		p.t.Fatalf("%v\n%s", err, p.seen())
	}
}

// get is what an action yields.
func get[T any](p *person, a chromedp.Action[T]) T {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.tab, patience)
	defer cancel()
	v, err := chromedp.Run(ctx, a)
	if err != nil {
		p.t.Fatalf("%v\n%s", err, p.seen())
	}
	return v
}

// seen is what is on the page, for a failure.
func (p *person) seen() string {
	ctx, cancel := context.WithTimeout(p.tab, 10*time.Second)
	defer cancel()
	text, err := chromedp.Run(ctx, chromedp.Evaluate[string](`location.href + "\n" + (document.body ? document.body.innerText : "")`))
	if err != nil {
		return "the page does not answer: " + err.Error()
	}
	return text[:min(len(text), 3000)]
}

// open goes to a page of the inbox.
func (p *person) open(path string) {
	p.t.Helper()
	p.do(chromedp.Navigate(p.g.d.InboxURL() + path))
}

// signIn takes a link and ends on the list, with the pointer where it rests on
// nothing.
func (p *person) signIn(name string) {
	p.t.Helper()
	p.do(chromedp.Navigate(p.g.link(name)))
	p.follows("button.approve")
	p.do(chromedp.WaitVisible(chromedp.CSS("#board")))
	p.mouse(input.DispatchMouseEventTypeMouseMoved, point{1, 1})
}

// leaves does what leads to another page, and waits until that is there. To wait for
// what it shows is not enough: a page follows what its guard says, and may show the
// same shortly before it is left.
func (p *person) leaves(do func()) {
	p.t.Helper()
	is[any](p, `window.toBeLeft = true`)
	do()
	p.waits("another page is there", `!("toBeLeft" in window) && document.readyState === "complete"`)
}

// follows clicks on what leads to another page.
func (p *person) follows(selector string) {
	p.t.Helper()
	p.leaves(func() { p.do(chromedp.Click(chromedp.CSS(selector))) })
}

// waits until an expression is true on the page, whatever pages come between.
func (p *person) waits(what, expression string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.tab, patience)
	defer cancel()
	look := time.NewTicker(30 * time.Millisecond)
	defer look.Stop()
	for {
		// A page that is just being left has no answer, or not this one.
		if yes, err := chromedp.Run(ctx, chromedp.Evaluate[bool](expression)); err == nil && yes {
			return
		}
		select {
		case <-ctx.Done():
			p.t.Fatalf("not in %v: %s (%v; the tab: %v)\n%s", patience, what, ctx.Err(), context.Cause(p.tab), p.seen())
		case <-look.C:
		}
	}
}

// js is a text as JavaScript writes it.
func js(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(text) + `"`
}

// jsList are texts as JavaScript writes a list of them.
func jsList(texts []string) string {
	var list []string
	for _, one := range texts {
		list = append(list, js(one))
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// text is what an element shows.
func (p *person) text(selector string) string {
	p.t.Helper()
	return get(p, chromedp.Text(chromedp.CSS(selector)))
}

// shows waits until an element shows a text.
func (p *person) shows(selector, text string) {
	p.t.Helper()
	p.waits(selector+" shows "+text, `(() => { const e = document.querySelector(`+js(selector)+`); return !!e && e.innerText.includes(`+js(text)+`); })()`)
}

// prefer has the browser prefer a light or a dark page.
func (p *person) prefer(scheme string) {
	p.t.Helper()
	call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
	p.waits("the page is "+scheme, `matchMedia(`+js("(prefers-color-scheme: "+scheme+")")+`).matches`)
}

// refit makes the tab one of another size, and waits until its page has it.
func (p *person) refit(s size) {
	p.t.Helper()
	p.resize(s)
	p.waits("the page has its size", fmt.Sprintf(`matchMedia("(width: %dpx) and (height: %dpx)").matches`, s.width, s.height))
}

// keep takes a picture of the whole page for people to look at. For that the tab
// is as high as the page, so that what sticks to its end is there.
func (p *person) keep(name string, s size) {
	p.t.Helper()
	high := is[int64](p, `Math.ceil(document.documentElement.scrollHeight)`)
	p.refit(size{s.name, s.width, max(s.height, high), s.phone})
	p.save(name)
	p.refit(s)
}

// save takes a picture of what can be seen.
func (p *person) save(name string) {
	p.t.Helper()
	picture := get(p, chromedp.CaptureScreenshot())
	const dir = "screenshots"
	if err := os.MkdirAll(dir, 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), picture, 0o644); err != nil {
		p.t.Fatal(err)
	}
}
