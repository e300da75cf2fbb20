package browser

import (
	"context"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// call sends one command of the DevTools protocol to the tab.
func call[P, R any](p *person, command cdp.Command[P, R], params P) R {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.tab, patience)
	defer cancel()
	r, err := chromedp.Call(ctx, command, params)
	if err != nil {
		p.t.Fatalf("%s: %v\n%s", command.Method, err, p.seen())
	}
	return r
}

// is evaluates an expression on the page.
func is[T any](p *person, expression string) T {
	p.t.Helper()
	return get(p, chromedp.Evaluate[T](expression))
}

// point is a place on what can be seen of the page, in CSS pixels.
type point struct{ X, Y float64 }

// middle is where an element is, once it is in view.
func (p *person) middle(selector string) point {
	p.t.Helper()
	return is[point](p, `(() => { const e = document.querySelector(`+js(selector)+`);
		e.scrollIntoView({block: "nearest"});
		const r = e.getBoundingClientRect(); return {X: r.x + r.width / 2, Y: r.y + r.height / 2}; })()`)
}

// mouse is one event of the mouse: pressed, released with the left button, or moved.
func (p *person) mouse(event input.DispatchMouseEventType, at point) {
	p.t.Helper()
	params := input.DispatchMouseEventParams{Type: event, X: at.X, Y: at.Y}
	if event != input.DispatchMouseEventTypeMouseMoved {
		params.Button, params.ClickCount = input.MouseButtonLeft, 1
	}
	call(p, input.DispatchMouseEvent, params)
}

// finger touches the screen at a place, or leaves it.
func (p *person) finger(event input.DispatchTouchEventType, at ...point) {
	p.t.Helper()
	params := input.DispatchTouchEventParams{Type: event, TouchPoints: []*input.TouchPoint{}}
	for _, one := range at {
		params.TouchPoints = append(params.TouchPoints, &input.TouchPoint{X: one.X, Y: one.Y})
	}
	call(p, input.DispatchTouchEvent, params)
}

// key is a key as the protocol names it.
type key struct {
	name, code, text string
	number           int64
}

var (
	space = key{" ", "Space", " ", 32}
	enter = key{"Enter", "Enter", "\r", 13}
	keyJ  = key{"j", "KeyJ", "j", 74}
	keyK  = key{"k", "KeyK", "k", 75}
)

func (p *person) keyDown(k key) {
	p.t.Helper()
	call(p, input.DispatchKeyEvent, input.DispatchKeyEventParams{
		Type: input.DispatchKeyEventTypeKeyDown, Key: k.name, Code: k.code, Text: k.text, WindowsVirtualKeyCode: k.number,
	})
}

func (p *person) keyUp(k key) {
	p.t.Helper()
	call(p, input.DispatchKeyEvent, input.DispatchKeyEventParams{
		Type: input.DispatchKeyEventTypeKeyUp, Key: k.name, Code: k.code, WindowsVirtualKeyCode: k.number,
	})
}
