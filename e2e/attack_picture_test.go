package e2e

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/png"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/daemon"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/risk"
)

// gallery is a guard that gets screenshots, none of which may be left anywhere.
type gallery struct {
	*siege
	begun   time.Time
	agentID string
	shown   int // how many screenshots were made
	asked   int
	traces  [][]byte // a part of every screenshot, as it is and as a picture holds it
}

// onScreen is a text that stands on a screen and nowhere else, in the tree and in
// no fact of the question.
const onScreen = "herons at low tide"

func openGallery(t *testing.T) *gallery {
	t.Helper()
	g := &gallery{begun: time.Now()}
	g.siege = besiege(t, func(o *daemon.Options) { o.AnswerWithin, o.UseWithin = time.Minute, time.Minute })
	agents, err := g.d.Registry().Agents(t.Context())
	g.must(err)
	for _, a := range agents {
		if a.Name == daemon.FirstAgent {
			g.agentID = a.ID
		}
	}
	return g
}

// screenshot is a picture that does not compress, and whose bytes are found again.
func (g *gallery) screenshot() []byte {
	g.t.Helper()
	g.shown++
	random := rand.New(rand.NewPCG(uint64(g.shown), 7))
	noise := image.NewGray(image.Rect(0, 0, 108, 240))
	for i := range noise.Pix {
		noise.Pix[i] = uint8(random.Uint32())
	}
	var b bytes.Buffer
	g.must(png.Encode(&b, noise))
	data := b.Bytes()
	spelled := base64.StdEncoding.EncodeToString(data)
	half := len(data) / 6 * 3
	g.traces = append(g.traces, data[half:half+32], []byte(spelled[half/3*4:half/3*4+40]))
	return data
}

// pictured puts a question with a screenshot, as a gate does that has one.
func (g *gallery) pictured(shot []byte) (approval.Approval, *decide.Request, error) {
	g.t.Helper()
	g.asked++
	x, y := 990, 2280
	node := func(class, text, bounds string) string {
		return fmt.Sprintf(`<node class="android.widget.%s" package="com.example.notes" text=%q bounds=%q enabled="true" clickable="true"/>`, class, text, bounds)
	}
	tree := `<hierarchy><node class="android.widget.FrameLayout" package="com.example.notes" bounds="[0,0][1080,2400]" enabled="true">` +
		node("TextView", onScreen, "[100,100][980,200]") + node("Button", fmt.Sprintf("Delete drawing %d", g.asked), "[900,2200][1060,2360]") + `</node></hierarchy>`
	request := &decide.Request{
		Action: risk.Action{Kind: risk.Tap, X: &x, Y: &y}, Screen: &decide.Screen{Package: "com.example.notes", Tree: tree, Width: 1080, Height: 2400, Observed: true},
	}
	ticket, err := g.d.Desk().Propose(g.t.Context(), hold.Proposal{Agent: g.agentID, AgentName: daemon.FirstAgent, Screenshot: shot, Request: request})
	if err != nil || ticket.Approval == nil {
		return approval.Approval{}, nil, fmt.Errorf("not held: %+v, %w", ticket, err)
	}
	q, err := g.d.Desk().View(g.t.Context(), ticket.ID)
	return q, request, err
}

// trace says that a screenshot, or the screen, is in something.
func (g *gallery) trace(where string, data []byte) string {
	for _, part := range g.traces {
		if bytes.Contains(data, part) {
			return where + " has a part of a screenshot"
		}
	}
	return ""
}

// onDisk looks through the guard's folder, and through what was put aside since.
func (g *gallery) onDisk() string {
	files := 0
	look := func(path string) string {
		data, err := os.ReadFile(path)
		if err != nil {
			return "" // somebody else's, or gone
		}
		files++
		return g.trace(filepath.Base(path), data)
	}
	found := ""
	g.must(filepath.WalkDir(g.o.Home, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			found += look(path)
		}
		return err
	}))
	aside, err := os.ReadDir(os.TempDir())
	g.must(err)
	for _, e := range aside {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && info.ModTime().After(g.begun) && info.Size() < 16<<20 {
			found += look(filepath.Join(os.TempDir(), e.Name()))
		}
	}
	if files < 6 {
		return fmt.Sprintf("only %d files are there", files)
	}
	return found
}

// keptPictures are attempts to see the picture of a screen without a right to it,
// or after its question has ended.
func keptPictures(t *testing.T) []way {
	g := openGallery(t)
	q, _, err := g.pictured(g.screenshot())
	g.must(err)
	at := "/approvals/" + q.ID + "/screen"
	own := wire{atInbox, "GET", at, []string{"Sec-Fetch-Site: same-origin", "Sec-Fetch-Dest: image", "Sec-Fetch-Mode: no-cors"}, ""}
	ways := []way{{"none: the owner is shown it", func() string {
		h := g.send(g.withCookie(own))
		if g.trace("", []byte(h.body)) == "" {
			return "the picture is not there, so that nothing is tried: " + h.raw[:min(len(h.raw), 600)]
		}
		return pictured("the picture", h.body)
	}}}
	elsewhere := func(door string, w wire) wire { w.door = door; return w }
	for name, w := range map[string]wire{
		"nobody": own, "an agent's credential": own.with(bearer(g.agent.token)), "an agent's credential as a session": own.with("Cookie: countersign=" + g.agent.token), "the owner's credential, which is for programs": own.with(bearer(g.approver)),
		"a page of another site": g.withCookie(own.without("Sec-Fetch-Site").with("Sec-Fetch-Site: cross-site")), "a page of another port": g.withCookie(own.without("Sec-Fetch-Site").with("Sec-Fetch-Site: same-site", "Origin: http://localhost:9999")),
		"under another name": g.withCookie(own).with("Host: localhost"), "the agents' door": elsewhere(atAgents, own.with(bearer(g.agent.token))), "the owner's socket": elsewhere(atOwner, own.with(bearer(g.approver))),
	} {
		ways = append(ways, way{"while it is open: " + name, func() string {
			h := g.send(w)
			if h.status < 300 || strings.Contains(h.raw, onScreen) {
				return "it is shown: " + h.raw[:min(len(h.raw), 600)]
			}
			return g.trace("the answer", []byte(h.raw))
		}})
	}
	ways = append(ways,
		way{"while it is open: on any other page, in the list, the record or the API", func() string { return g.elsewhere(q.ID) }},
		way{"while it is open: on the disk", g.onDisk},
	)
	ways = append(ways, g.claimedShots()...)
	ways = append(ways, g.ended()...)
	return append(ways, g.strangeShots()...)
}

// elsewhere looks for the screenshot wherever else there is something of the
// question.
func (g *gallery) elsewhere(id string) string {
	at := "/approvals/" + id
	for _, w := range []wire{
		g.withCookie(wire{atInbox, "GET", "/", nil, ""}), g.withCookie(wire{atInbox, "GET", at, nil, ""}), g.withCookie(wire{atInbox, "GET", at + "/record", nil, ""}), g.withCookie(wire{atInbox, "GET", at + "?part=state", nil, ""}),
		g.withCookie(wire{atInbox, "GET", "/history", nil, ""}), g.withCookie(wire{atInbox, "GET", "/actions?outcome=all", nil, ""}),
		{atInbox, "GET", "/v1" + at, []string{bearer(g.approver)}, ""}, {atOwner, "GET", "/v1/approvals", []string{bearer(g.approver)}, ""}, {atAgents, "GET", "/v1/actions/" + id, []string{bearer(g.agent.token)}, ""},
	} {
		h := g.send(w)
		if got := g.trace(w.target, []byte(h.raw)); got != "" || h.status != http.StatusOK {
			return fmt.Sprintf("%s %d %s", got, h.status, w.target)
		}
	}
	return ""
}

// gone says what is left of the picture of a question.
func (g *gallery) gone(id string) string {
	g.t.Helper()
	for _, path := range []string{"/screen", "/screen?near", "/screen?tree"} {
		h := g.send(g.withCookie(wire{atInbox, "GET", "/approvals/" + id + path, []string{"Sec-Fetch-Site: same-origin"}, ""}))
		if h.status != http.StatusNotFound || strings.Contains(h.body, "<svg") && strings.Contains(h.header.Get("Content-Type"), "image") {
			return fmt.Sprintf("%s: %d %.300s", path, h.status, h.body)
		}
		if got := g.trace(path, []byte(h.raw)); got != "" {
			return got
		}
	}
	card := g.send(g.withCookie(wire{atInbox, "GET", "/approvals/" + id, []string{"Sec-Fetch-Site: same-origin"}, ""}))
	m, err := readMarkup(card.body)
	if err != nil || card.status != http.StatusOK {
		return fmt.Sprintf("the card: %d %v", card.status, err)
	}
	for _, to := range m.leads {
		if strings.Contains(to, "/screen") {
			return "the card still leads to it"
		}
	}
	if got := g.elsewhere(id); got != "" {
		return got
	}
	return g.onDisk()
}

// ended are the ways in which a question ends.
func (g *gallery) ended() []way {
	desk, ctx := g.d.Desk(), g.t.Context()
	ending := func(name string, end func(q approval.Approval, same *decide.Request)) way {
		return way{"after it " + name, func() string {
			q, request, err := g.pictured(g.screenshot())
			g.must(err)
			end(q, request)
			if now, err := desk.View(ctx, q.ID); err != nil || now.State.Open() {
				return fmt.Sprintf("it is %s, %v, so that nothing is tried", now.State, err)
			}
			return g.gone(q.ID)
		}}
	}
	answer := func(q approval.Approval, yes bool) {
		_, err := desk.Answer(ctx, hold.Answer{ID: q.ID, Digest: q.Digest, Yes: yes, By: daemon.FirstApprover, How: "terminal"})
		g.must(err)
	}
	late := func() {
		g.clock.shift(61 * time.Second)
		desk.Sweep(ctx)
	}
	return []way{
		ending("was denied", func(q approval.Approval, _ *decide.Request) { answer(q, false) }),
		ending("was withdrawn", func(q approval.Approval, _ *decide.Request) { g.agent.call("DELETE", "/v1/actions/"+q.ID, nil) }),
		ending("was revoked", func(q approval.Approval, _ *decide.Request) {
			answer(q, true)
			_, err := desk.Revoke(ctx, q.ID, daemon.FirstApprover, "terminal", "")
			g.must(err)
		}),
		ending("was void", func(q approval.Approval, _ *decide.Request) {
			answer(q, true)
			g.agent.redeem(q.ID, fresh("com.example.notes", "Delete another"))
		}),
		ending("was released and reported", func(q approval.Approval, same *decide.Request) {
			answer(q, true)
			_, err := desk.Begin(ctx, g.agentID, q.ID, same)
			g.must(err)
			_, err = desk.Finish(ctx, g.agentID, q.ID, hold.Result{OK: true})
			g.must(err)
		}),
		ending("was not answered in time", func(approval.Approval, *decide.Request) { late() }),
		ending("was not used in time", func(q approval.Approval, _ *decide.Request) {
			answer(q, true)
			late()
		}),
		ending("was frozen", func(approval.Approval, *decide.Request) {
			g.must(desk.Freeze(ctx, daemon.FirstApprover, ""))
			g.must(desk.Unfreeze(ctx, daemon.FirstApprover, ""))
		}),
	}
}

// strangeShots are screenshots that are none, or too much, and a restart.
func (g *gallery) strangeShots() []way {
	refused := func(name string, shot []byte) way {
		return way{"a screenshot that is " + name, func() string {
			q, _, err := g.pictured(shot)
			if err != nil {
				return ""
			}
			return fmt.Sprintf("it is taken: %+v", g.d.Desk().Picture(q.ID, "x", false).Shot)
		}}
	}
	var ways []way
	for name, data := range noShots {
		ways = append(ways, refused(name, data()))
	}
	return append(ways, []way{
		{"a screenshot with a page behind it", func() string {
			q, _, err := g.pictured(append(g.screenshot(), "<script>zz()</script><zz-tag>"...))
			g.must(err)
			h := g.send(g.withCookie(wire{atInbox, "GET", "/approvals/" + q.ID + "/screen", []string{"Sec-Fetch-Site: same-origin"}, ""}))
			if h.header.Get("Content-Type") != "image/svg+xml" || strings.Contains(h.body, "zz()") {
				return h.raw
			}
			return pictured("the picture", h.body)
		}},
		{"more screenshots than there is memory for", func() string {
			large := append(pngHeader(100, 100), make([]byte, 3<<20)...)
			first := g.agentID
			defer func() { g.agentID = first }()
			held := 0
			for i := range 30 {
				g.agentID = fmt.Sprint("agt_", i%3)
				q, _, err := g.pictured(large)
				g.must(err)
				if g.d.Desk().Picture(q.ID, "x", false).Shot {
					held++
				}
			}
			if held*3 > 64 {
				return fmt.Sprintf("%d of 3 MB are held", held)
			}
			return g.served()
		}},
		{"after a restart", func() string {
			q, _, err := g.pictured(g.screenshot())
			g.must(err)
			g.stop()
			g.start()
			g.host = strings.TrimPrefix(g.d.InboxURL(), "http://")
			_, port, _ := strings.Cut(g.host, ":")
			g.addr[atInbox], g.addr[atAgents] = [2]string{"tcp", "127.0.0.1:" + port}, [2]string{"tcp", strings.TrimPrefix(g.d.AgentsURL(), "http://")}
			return g.gone(q.ID)
		}},
	}...)
}

// noShots are no screenshots, or too much of one.
var noShots = map[string]func() []byte{
	"a drawing with a script": func() []byte {
		return []byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>zz()</script></svg>`)
	},
	"a page":                       func() []byte { return []byte("<!doctype html><script>zz()</script>") },
	"cut off":                      func() []byte { return []byte("\x89PNG\r\n\x1a\n") },
	"larger than may be":           func() []byte { return append(pngHeader(100, 100), make([]byte, 4<<20)...) },
	"100,000 pixels wide and high": func() []byte { return pngHeader(100_000, 100_000) },
}

// pngHeader is the beginning of a PNG that says how large it is.
func pngHeader(width, height uint32) []byte {
	chunk := append([]byte("IHDR"), binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, width), height)...)
	chunk = append(chunk, 8, 0, 0, 0, 0)
	data := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d"), chunk...)
	return binary.BigEndian.AppendUint32(data, crc32.ChecksumIEEE(chunk))
}
