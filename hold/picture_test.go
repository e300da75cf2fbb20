package hold_test

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/picture"
	"github.com/countersign/countersign/risk"
)

// payTree is a page with a button in its lower half.
const payTree = `<hierarchy rotation="0"><node class="android.widget.FrameLayout" package="com.example.shop" bounds="[0,0][1080,2400]">
<node text="Total 24.10 EUR" class="android.widget.TextView" package="com.example.shop" bounds="[0,200][1080,300]"/>
<node text="Pay now" class="android.widget.Button" package="com.example.shop" clickable="true" enabled="true" bounds="[40,1800][1040,2000]"/>
</node></hierarchy>`

func onTree(tree string, a risk.Action) decide.Request {
	return decide.Request{Action: a, Screen: &decide.Screen{Package: "com.example.shop", Tree: tree, Width: 1080, Height: 2400}}
}

func tapAt(x, y int) risk.Action { return risk.Action{Kind: risk.Tap, X: &x, Y: &y} }

func TestPicture(t *testing.T) {
	f := newFixture(t, t)
	defer f.close()
	tests := []struct {
		name  string
		req   decide.Request
		why   string
		aimed bool
		has   string
	}{
		{"a button in a tree", onTree(payTree, tapAt(500, 1900)), "", true, "Total 24.10 EUR"},
		{"a control that the agent describes", press("com.whatsapp", "Send"), hold.NoScreen, false, ""},
		{"a tree that cannot be read", onTree("ERROR: could not get idle state.", tapAt(500, 1900)), hold.Unread, false, ""},
		{"a shell line", decide.Request{Action: risk.Action{Kind: risk.ShellLine, Shell: "pm uninstall com.example.notes"}}, hold.NoScreen, false, ""},
	}
	for _, tt := range tests {
		p := f.desk.Picture(f.propose("a", tt.req).ID, "a <name>", false)
		if p.Why != tt.why || p.Aimed != tt.aimed || p.Shot || (p.SVG == nil) != (tt.why != "") || !strings.Contains(string(p.SVG), tt.has) {
			t.Errorf("%s: why %q, aimed %v, shot %v, %d bytes", tt.name, p.Why, p.Aimed, p.Shot, len(p.SVG))
		}
		if p.SVG != nil && !strings.Contains(string(p.SVG), "<title>a &lt;name&gt;</title>") {
			t.Errorf("%s: the picture has not the name it was given", tt.name)
		}
	}
	if len(tests) != 4 {
		t.Errorf("%d cases, want 4", len(tests))
	}
	if p := f.desk.Picture("a_nothing", "", false); p.Why != hold.NotKept || p.SVG != nil {
		t.Errorf("of no question: %+v", p)
	}
}

// TestPictureIsGone: it lives as long as the question is open and the desk runs.
func TestPictureIsGone(t *testing.T) {
	f := newFixture(t, t)
	defer func() { f.close() }()
	req := onTree(payTree, tapAt(500, 1900))
	id := f.propose("a", req).ID
	f.answer(id, true)
	if p := f.desk.Picture(id, "", false); p.SVG == nil {
		t.Fatalf("approved and not carried out yet, and the picture is gone: %s", p.Why)
	}
	f.release("a", id, req)
	if p := f.desk.Picture(id, "", false); p.SVG != nil || p.Why != hold.NotKept {
		t.Errorf("carried out, and the picture is there: %+v", p)
	}
	id = f.propose("a", req).ID
	f.restart()
	if p := f.desk.Picture(id, "", false); p.SVG != nil || p.Why != hold.NotKept {
		t.Errorf("after a restart: %+v", p)
	}
}

// shotOf is a screenshot of a size in bytes.
func shotOf(t *testing.T, bytesLong int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewPaletted(image.Rect(0, 0, 1080, 2400), color.Palette{color.White})); err != nil {
		t.Fatal(err)
	}
	return append(b.Bytes(), make([]byte, max(0, bytesLong-b.Len()))...)
}

func TestScreenshot(t *testing.T) {
	f := newFixture(t, t)
	defer f.close()
	propose := func(req decide.Request, shot []byte) (hold.Ticket, error) {
		return f.desk.Propose(f.ctx, hold.Proposal{Agent: "a", AgentName: "a", Request: &req, Screenshot: shot})
	}
	ticket, err := propose(onTree(payTree, tapAt(500, 1900)), shotOf(t, 0))
	if err != nil {
		t.Fatal(err)
	}
	if p := f.desk.Picture(ticket.ID, "", false); !p.Shot || !p.Aimed || !strings.Contains(string(p.SVG), "data:image/png;base64,") || strings.Contains(string(p.SVG), "Total") {
		t.Errorf("the screenshot is not preferred: %.300s", p.SVG)
	}
	ticket, err = propose(press("com.whatsapp", "Send"), shotOf(t, 0))
	if err != nil {
		t.Fatal(err)
	}
	if p := f.desk.Picture(ticket.ID, "", false); !p.Shot || p.Aimed || p.Why != "" {
		t.Errorf("a screenshot without a tree: shot %v, aimed %v, %s", p.Shot, p.Aimed, p.Why)
	}
	for name, bad := range map[string][]byte{
		"no image": []byte("<svg/>"), "too large": shotOf(t, picture.MaxShot+1),
	} {
		refused, err := propose(press("com.whatsapp", "Send to "+name), bad)
		if !errors.Is(err, picture.ErrShot) || refused.ID != "" {
			t.Errorf("%s: %q, %v", name, refused.ID, err)
		}
	}
	open, err := f.desk.Views(f.ctx, hold.Query{States: []approval.State{approval.Pending}})
	if err != nil || len(open) != 2 {
		t.Errorf("%d questions are open, want 2 (%v)", len(open), err)
	}
}

// TestScreenshotsHaveABound: what there is no room for is drawn from its tree.
// Those of agents fill half of the room, whoever comes first.
func TestScreenshotsHaveABound(t *testing.T) {
	large := shotOf(t, picture.MaxShot)
	const fit = 16 // of 4 MB in 64 MB
	tests := []struct {
		name              string
		claimed, observed int // how many of each are proposed, in this order
		shown             int
	}{
		{"observed ones", 0, fit + 1, fit},
		{"agents' own", fit/2 + 1, 0, fit / 2},
		{"agents' own before an observed one", fit/2 + 1, 1, fit/2 + 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t, t)
			defer f.close()
			shown, observed := 0, 0
			for i := range tt.claimed + tt.observed {
				req := onTree(strings.Replace(payTree, "24.10", fmt.Sprintf("2%02d4.10", i), 1), tapAt(500, 1900))
				req.Device, req.Screen.Observed = fmt.Sprint("phone", i), i >= tt.claimed
				agent := fmt.Sprint("agent", i%3)
				ticket, err := f.desk.Propose(f.ctx, hold.Proposal{Agent: agent, AgentName: agent, Request: &req, Screenshot: large})
				if err != nil {
					t.Fatal(err)
				}
				p := f.desk.Picture(ticket.ID, "", false)
				if p.SVG == nil {
					t.Fatalf("question %d has no picture: %s", i, p.Why)
				}
				if p.Shot {
					shown++
				}
				if p.Shot && req.Screen.Observed {
					observed++
				}
			}
			if shown != tt.shown || observed < min(tt.observed, fit) {
				t.Errorf("%d screenshots are held, %d of them observed; want %d", shown, observed, tt.shown)
			}
		})
	}
	if len(tests) != 3 {
		t.Errorf("%d cases, want 3", len(tests))
	}
}
