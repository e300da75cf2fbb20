package answer_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"net/url"
	"strings"
	"testing"

	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/risk"
)

// onTree is a tap on a button of a messenger whose tree comes along.
func onTree(label string) *decide.Request {
	var quoted bytes.Buffer
	if err := xml.EscapeText(&quoted, []byte(label)); err != nil {
		panic(err)
	}
	x, y := 900, 2200
	return &decide.Request{
		Action: risk.Action{Kind: risk.Tap, X: &x, Y: &y},
		Screen: &decide.Screen{Package: "com.whatsapp", Width: 1080, Height: 2400, Tree: `<hierarchy rotation="0"><node class="android.widget.FrameLayout" package="com.whatsapp" bounds="[0,0][1080,2400]">` +
			`<node text="See you at eight" class="android.widget.EditText" package="com.whatsapp" bounds="[0,2100][800,2300]"/>` +
			`<node text="` + quoted.String() + `" class="android.widget.Button" package="com.whatsapp" clickable="true" enabled="true" bounds="[820,2100][1060,2300]"/></node></hierarchy>`},
	}
}

// wellFormed checks that a picture is XML and returns the names of its elements.
func wellFormed(t *testing.T, svg string) map[string]int {
	t.Helper()
	names := map[string]int{}
	for dec := xml.NewDecoder(strings.NewReader(svg)); ; {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return names
		}
		if err != nil {
			t.Fatalf("the picture is no XML: %v", err)
		}
		if start, ok := token.(xml.StartElement); ok {
			names[start.Name.Local]++
			for _, a := range start.Attr {
				if strings.HasPrefix(a.Name.Local, "on") || a.Name.Local == "style" {
					t.Errorf("the picture has an attribute %s", a.Name.Local)
				}
			}
		}
	}
}

// TestScreenOnThePage: the picture is an image of its own, drawn from the tree,
// and the card says what it shows to whoever does not see it.
func TestScreenOnThePage(t *testing.T) {
	w := newWorld(t)
	cookie := w.cookie(host, "kim")
	const label = `Send <script>alert(1)</script> " & '`
	a := w.propose(onTree(label))
	path := "/approvals/" + a.ID + "/screen"
	card := w.page("/approvals/"+a.ID, cookie)
	for _, want := range []string{
		`<img src="` + path + `" alt="the screen of WhatsApp`, "with “Send &lt;script&gt;", `srcset="` + path + `?near"`, "Drawn from the tree that the agent sent; the outline is where the action lands.",
	} {
		if !strings.Contains(card.body, want) {
			t.Errorf("the card lacks %s", want)
		}
	}
	if strings.Contains(card.body, "See you at eight</text>") || strings.Contains(card.body, "data:image") {
		t.Error("the picture is in the page itself")
	}
	whole, near := w.page(path, cookie), w.page(path+"?near", cookie)
	for what, r := range map[string]response{"whole": whole, "near": near} {
		names := wellFormed(t, r.body)
		if r.status != 200 || names["svg"] != 1 || names["script"] != 0 || names["image"] != 0 || !strings.Contains(r.body, "See you at eight") || !strings.Contains(r.body, "Send &lt;script&gt;") {
			t.Errorf("%s: %d with %v", what, r.status, names)
		}
	}
	if len(near.body) == 0 || near.body == whole.body {
		t.Error("the part around the control is the whole screen")
	}
	w.page(path, "").want(t, "nobody", 401, "")
	w.do(request{method: "GET", path: path, host: host, token: w.kim}).want(t, "a token", 401, "")
	w.do(request{method: "GET", path: path, host: host, token: w.robo}).want(t, "an agent", 403, "")

	w.answerForm(a, cookie, url.Values{"answer": {"deny"}}).want(t, "deny", 303, "")
	w.page(path, cookie).want(t, "after the end", 404, "")
	if after := w.page("/approvals/"+a.ID, cookie); strings.Contains(after.body, "/screen") {
		t.Error("the card of a settled question still has a picture")
	}
}

// TestNoPicture: where there is none, the card says why.
func TestNoPicture(t *testing.T) {
	w := newWorld(t)
	cookie := w.cookie(host, "kim")
	broken := onTree("Send")
	broken.Screen.Tree = "ERROR: could not get idle state."
	tests := []struct {
		name string
		req  *decide.Request
		want string
	}{
		{"a described control", &decide.Request{Action: risk.Action{Kind: risk.Tap}, Screen: &decide.Screen{Package: "com.whatsapp"}, Target: &decide.Target{Text: "Send"}}, "neither a tree of the screen nor a screenshot"},
		{"a shell line", &decide.Request{Action: risk.Action{Kind: risk.ShellLine, Shell: "pm uninstall com.example.notes"}}, "neither a tree of the screen nor a screenshot"},
		{"a broken tree", broken, "the tree of the screen could not be read"},
	}
	for _, tt := range tests {
		a := w.propose(tt.req)
		if card := w.page("/approvals/"+a.ID, cookie); !strings.Contains(card.body, "No picture: "+tt.want) || strings.Contains(card.body, "<img") {
			t.Errorf("%s: the card does not say that %s", tt.name, tt.want)
		}
		w.page("/approvals/"+a.ID+"/screen", cookie).want(t, tt.name, 404, "")
	}
	if len(tests) != 3 {
		t.Errorf("%d cases, want 3", len(tests))
	}
}

// TestScreenshotOnThePage: a screenshot that came with the proposal is preferred,
// and stands in the picture, outlined. One that only the agent vouches for is
// called so, and the tree that was decided on can be looked at beside it.
func TestScreenshotOnThePage(t *testing.T) {
	w := newWorld(t)
	cookie := w.cookie(host, "kim")
	var shot bytes.Buffer
	w.must(png.Encode(&shot, image.NewPaletted(image.Rect(0, 0, 1080, 2400), color.Palette{color.White})))
	seen := onTree("Send")
	seen.Screen.Observed = true
	bare := &decide.Request{Action: risk.Action{Kind: risk.Tap}, Screen: &decide.Screen{Package: "com.whatsapp"}, Target: &decide.Target{Text: "Send"}}
	const theAgents, alt = "As the agent shows it: a screenshot that the agent sent; ", `alt="as the agent shows it: `
	tests := []struct {
		name          string
		req           *decide.Request
		caption       string
		claimed, tree bool
	}{
		{"the agent's, beside a tree", onTree("Send"), theAgents + "the outline is where the action lands.", true, true},
		{"the agent's alone", bare, theAgents + "where the action lands is not on it.", true, false},
		{"the guard's", seen, "A screenshot that came with the action; the outline is where the action lands.", false, true},
	}
	for i, tt := range tests {
		tt.req.Device = fmt.Sprint("phone", i)
		ticket, err := w.desk.Propose(ctx, hold.Proposal{Agent: "agt_test", AgentName: "robo", Request: tt.req, Screenshot: shot.Bytes()})
		w.must(err)
		at := "/approvals/" + ticket.ID + "/screen"
		r := w.page(at, cookie)
		if names := wellFormed(t, r.body); names["image"] != 1 || !strings.Contains(r.body, `href="data:image/png;base64,`) || strings.Contains(r.body, `stroke-width="3.5"`) != tt.tree || strings.Contains(r.body, "See you") {
			t.Errorf("%s: the screenshot is not shown with the control outlined: %v", tt.name, names)
		}
		card := w.page("/approvals/"+ticket.ID, cookie)
		link := strings.Contains(card.body, `<a href="`+at+`?tree">Drawn from the tree that was decided on</a>`)
		if !strings.Contains(card.body, tt.caption) || strings.Contains(card.body, theAgents) != tt.claimed || strings.Contains(card.body, alt) != tt.claimed || link != (tt.claimed && tt.tree) {
			t.Errorf("%s: the card does not say what the picture is, or leads elsewhere (link %v)", tt.name, link)
		}
		r = w.page(at+"?tree", cookie)
		if drawn := r.status == 200 && strings.Contains(r.body, "See you") && !strings.Contains(r.body, "<image"); drawn != tt.tree || !tt.tree && r.status != 404 {
			t.Errorf("%s: the tree is drawn: %v (%d)", tt.name, drawn, r.status)
		}
	}
	if len(tests) != 3 {
		t.Errorf("%d cases, want 3", len(tests))
	}
}

func TestIcon(t *testing.T) {
	w := newWorld(t)
	tests := []struct{ query, want, not string }{
		{"", "<svg", "<text"},
		{"?n=0", "<svg", "<text"},
		{"?n=3", ">3</text>", ">0<"},
		{"?n=12", ">12</text>", ">1<"},
		{"?n=12345", ">99+</text>", "12345"},
		{"?n=-4", "<svg", "<text"},
		{"?n=%3Cscript%3E", "<svg", "script"},
	}
	for _, tt := range tests {
		r := w.page("/icon.svg"+tt.query, "")
		wellFormed(t, r.body)
		if r.status != 200 || !strings.Contains(r.body, tt.want) || strings.Contains(r.body, tt.not) {
			t.Errorf("%q: %d %s", tt.query, r.status, r.body)
		}
	}
	if len(tests) != 7 {
		t.Errorf("%d cases, want 7", len(tests))
	}
	w.do(form(host, "/icon.svg", "", url.Values{})).want(t, "POST", 405, "")
}
