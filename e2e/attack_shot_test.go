package e2e

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
)

// claiming is a question about a tree that an agent sends over HTTP, with a
// screenshot beside it.
func (g *gallery) claiming(shot []byte) map[string]any {
	tree := fmt.Sprintf(`<hierarchy><node class="android.widget.FrameLayout" package="com.example.notes" bounds="[0,0][1080,2400]" enabled="true">`+
		`<node class="android.widget.TextView" package="com.example.notes" text=%q bounds="[100,100][980,200]" enabled="true"/>`+
		`<node class="android.widget.Button" package="com.example.notes" text="Delete page %d" bounds="[900,2200][1060,2360]" enabled="true" clickable="true"/></node></hierarchy>`, onScreen, g.asked)
	body := map[string]any{
		"action": map[string]any{"kind": "tap", "x": 990, "y": 2280},
		"screen": map[string]any{"package": "com.example.notes", "tree": tree, "width": 1080, "height": 2400},
	}
	if shot != nil {
		body["screenshot"] = base64.StdEncoding.EncodeToString(shot)
	}
	return body
}

// claimedShots are the screenshots of an agent: it shows what it likes, which may
// not pass for what the guard saw or was asked about.
func (g *gallery) claimedShots() []way {
	page := func(path string) heard {
		return g.send(g.withCookie(wire{atInbox, "GET", path, []string{"Sec-Fetch-Site: same-origin"}, ""}))
	}
	ask := func() (id string, parts [][]byte) {
		g.asked++
		first := len(g.traces)
		v := g.agent.propose(g.claiming(g.screenshot()))
		if v.Status != http.StatusAccepted {
			g.t.Fatalf("not held: %+v", v)
		}
		return v.ID, g.traces[first:]
	}
	id, parts := ask()
	at := "/approvals/" + id
	ways := []way{
		{"an agent's screenshot, as if it were the guard's or what was decided on", func() string {
			card, shot, tree := page(at), page(at+"/screen"), page(at+"/screen?tree")
			switch {
			case !strings.Contains(shot.body, string(parts[1])):
				return "it is not shown, so that nothing is tried: " + shot.raw[:min(len(shot.raw), 300)]
			case !strings.Contains(card.body, "As the agent shows it") || !strings.Contains(card.body, at+"/screen?tree"):
				return "the card does not say whose it is, or does not lead to the tree"
			case !strings.Contains(tree.body, onScreen) || strings.Contains(tree.body, "<image"):
				return "the tree that was decided on is not drawn beside it: " + tree.raw[:min(len(tree.raw), 300)]
			}
			return pictured("the picture", shot.body) + pictured("the tree", tree.body)
		}},
		{"an agent's screenshot, read back by the agent, or anywhere but on its card", func() string { return g.elsewhere(id) + g.onDisk() }},
		{"an agent's screenshot, put in the place of the one that is shown", func() string {
			first := len(g.traces)
			if v := g.agent.propose(g.claiming(g.screenshot())); v.ID != id {
				return fmt.Sprintf("it is another question: %+v", v)
			}
			if shot := page(at + "/screen"); !strings.Contains(shot.body, string(parts[1])) || strings.Contains(shot.body, string(g.traces[first+1])) {
				return "the second one is shown"
			}
			return ""
		}},
		{"an agent's screenshot, of a screen that it says the guard looked at", func() string {
			g.asked++
			body := g.claiming(g.screenshot())
			body["screen"].(map[string]any)["observed"] = true
			return g.notTaken(body, http.StatusUnprocessableEntity)
		}},
		{"an agent's screenshot, after it was denied", func() string {
			g.deny(id)
			return g.gone(id)
		}},
		{"an agent's screenshot that is a link", func() string {
			body := g.claiming(nil)
			body["screenshot"] = "https://attacker.example/shot.png"
			return g.notTaken(body, http.StatusBadRequest)
		}},
	}
	for name, data := range noShots {
		ways = append(ways, way{"an agent's screenshot that is " + name, func() string {
			g.asked++
			return g.notTaken(g.claiming(data()), http.StatusUnprocessableEntity)
		}})
	}
	return ways
}

// notTaken says that a proposal came through that should be refused.
func (g *gallery) notTaken(body map[string]any, status int) string {
	open := func() int {
		return strings.Count(g.send(g.withCookie(wire{atInbox, "GET", "/", nil, ""})).body, "<li data-id=")
	}
	before := open()
	if v := g.agent.propose(body); v.Status != status || v.ID != "" || open() != before {
		return fmt.Sprintf("it is answered with %+v, and %d questions are open instead of %d", v, open(), before)
	}
	return ""
}
