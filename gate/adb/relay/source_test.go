package relay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/countersign/countersign/screen"
)

const someTree = `<hierarchy rotation="0"><node text="Send" class="android.widget.Button" bounds="[0,0][10,10]" /></hierarchy>`

// portalAnswer is a state as the Portal writes it.
const portalAnswer = `{"status":"success","result":{"a11y_tree":{"className":"android.widget.FrameLayout","packageName":"com.x",
"isEnabled":true,"boundsInScreen":{"left":0,"top":0,"right":1080,"bottom":2400},"children":[
{"text":"Send <now> & \"here\"","contentDescription":"","resourceId":"com.x:id/send","className":"android.widget.Button","packageName":"com.x",
"isClickable":true,"isEnabled":true,"boundsInScreen":{"left":10,"top":20,"right":110,"bottom":70},"children":[]}]},"phone_state":{}}}`

// shows answers every request with a status and a body, and keeps what was asked.
func shows(status int, body string, asked *[]string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent, _ := io.ReadAll(r.Body)
		*asked = append(*asked, r.Method+" "+r.RequestURI+" "+r.Header.Get("Authorization")+string(sent))
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	})
}

func TestEachServerIsAskedForItsTree(t *testing.T) {
	withSession, blurred, withToken := knows(UIA2), knows(UIA2), knows(Portal)
	withSession.setSession("s1")
	blurred.setSession("s1")
	blurred.blur("snapshotMaxDepth", true)
	withToken.setToken("Bearer abc")
	cases := []struct {
		name   string
		source Source
		status int
		body   string
		asked  string
		want   string // in the tree; empty for ErrNoSource
	}{
		{"uiautomator2", Source{Server: UIAutomator2}, 200, `{"result":` + fmt.Sprintf("%q", someTree) + `}`, `POST /jsonrpc/0 {"jsonrpc":"2.0","id":1,"method":"dumpWindowHierarchy","params":[false,50]}`, `text="Send"`},
		{"uiautomator2 that fails", Source{Server: UIAutomator2}, 200, `{"error":{"code":-32001}}`, "POST /jsonrpc/0", ""},
		{"uia2", Source{Memory: withSession}, 200, `{"value":` + fmt.Sprintf("%q", someTree) + `}`, "GET /session/s1/source", `text="Send"`},
		{"uia2 that fails", Source{Memory: withSession}, 500, `{"value":{"error":"x"}}`, "GET /session/s1/source", ""},
		{"uia2 without a session", Source{Server: UIA2}, 200, "", "", ""},
		{"uia2 that the agent has blinded", Source{Memory: blurred}, 200, "", "", ""},
		{"the Portal", Source{Memory: withToken}, 200, portalAnswer, "GET /state_full?filter=false Bearer abc", `text="Send &lt;now&gt; &amp; &#34;here&#34;"`},
		{"the Portal with a text", Source{Server: Portal}, 200, `{"status":"success","data":` + fmt.Sprintf("%q", `{"a11y_tree":{"text":"Send"}}`) + `}`, "GET /state_full?filter=false", `text="Send"`},
		{"the Portal without its token", Source{Server: Portal}, 401, `{"status":"error"}`, "GET /state_full?filter=false", ""},
		{"the Portal with a list", Source{Server: Portal}, 200, `{"result":{"a11y_tree":[]}}`, "GET /state_full?filter=false", ""},
		{"the Portal without a tree", Source{Server: Portal}, 200, `{"result":{}}`, "GET /state_full?filter=false", ""},
		{"somebody", Source{Server: Unknown}, 200, "", "", ""},
		{"nobody", Source{}, 200, "", "", ""},
	}
	if len(cases) != 13 {
		t.Fatalf("%d cases, 13 were written", len(cases))
	}
	for _, c := range cases {
		var asked []string
		phone := servePhone(t, shows(c.status, c.body, &asked))
		dial := func(ctx context.Context, target string) (net.Conn, error) {
			if target != "tcp:1" {
				t.Errorf("%s: dialled %q", c.name, target)
			}
			return phone.dial(ctx)
		}
		c.source.Target = "tcp:1"
		tree, err := c.source.Tree(t.Context(), dial)
		if got := strings.Join(asked, "; "); !strings.HasPrefix(got, c.asked) || c.asked == "" && got != "" {
			t.Errorf("%s was asked %q, want %q", c.name, got, c.asked)
		}
		if c.want == "" {
			if !errors.Is(err, ErrNoSource) {
				t.Errorf("%s: %q, %v, want ErrNoSource", c.name, tree, err)
			}
			continue
		}
		if err != nil || !strings.Contains(string(tree), c.want) {
			t.Errorf("%s shows %s (%v), want %s", c.name, tree, err, c.want)
		}
		if s, err := screen.Read(string(tree), screen.Limits{}); err != nil || len(s.Nodes) == 0 {
			t.Errorf("%s: its tree cannot be read: %v", c.name, err)
		}
	}
}

func TestAServerThatCannotBeReachedShowsNothing(t *testing.T) {
	dial := func(context.Context, string) (net.Conn, error) { return nil, errors.New("closed") }
	for _, server := range []string{UIAutomator2, Portal} {
		if tree, err := (Source{Server: server}).Tree(t.Context(), dial); err == nil {
			t.Errorf("%s shows %q", server, tree)
		}
	}
}

func TestHowAnElementWasFoundIsRemembered(t *testing.T) {
	m := knows(UIA2)
	phone := servePhone(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.RequestURI == "/session":
			_, _ = io.WriteString(w, `{"sessionId":"s9","value":{"sessionId":"s9"}}`)
		case strings.HasSuffix(r.RequestURI, "/elements"):
			_, _ = io.WriteString(w, `{"value":[{"ELEMENT":"e1"},{"element-6066-11e4-a52e-4f735466cecf":"e2"},{"ELEMENT":"../x"}]}`)
		default:
			_, _ = io.WriteString(w, `{"value":null}`)
		}
	}))
	a := relayed(t, phone.dial, Options{Memory: m}, letAll)
	a.say(post("/session", "{}"))
	a.hear(t, "POST")
	if m.Session() != "s9" {
		t.Errorf("the session is %q", m.Session())
	}
	a.say(post("/session/s9/elements", `{"using":"id","value":"send"}`))
	a.hear(t, "POST")
	for id, want := range map[string]string{"e1": "id send", "e2": "id send", "../x": ""} {
		if got := m.how(id); got != want {
			t.Errorf("%s was found by %q, want %q", id, got, want)
		}
	}
	a.say(strings.Replace(get("/session/s9"), "GET", "DELETE", 1))
	a.hear(t, "DELETE")
	if m.Session() != "" {
		t.Errorf("the session %q lives on", m.Session())
	}
}

func TestMemoryIsBounded(t *testing.T) {
	m := new(Memory)
	for i := range maxElements + 10 {
		m.remember([]string{fmt.Sprint(i)}, "id x")
	}
	if len(m.found) != maxElements || len(m.order) != maxElements || m.how("0") != "" || m.how(fmt.Sprint(maxElements)) == "" {
		t.Errorf("%d elements are remembered, the bound is %d", len(m.found), maxElements)
	}
}
