package adb_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/countersign/countersign"
	"github.com/countersign/countersign/channel/client"
	"github.com/countersign/countersign/daemon"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/phone"
	"github.com/countersign/countersign/phone/automation"
)

// sameAction is one action as a program proposes it and as an agent sends it.
type sameAction struct {
	name    string
	scene   *scene
	action  string // of a request, as JSON
	service string // over ADB
	sent    string // on a stream to a server; empty for a shell
	allowed bool
}

var sameActions = []sameAction{
	{"a tap on Send", composer, `{"kind":"shell","shell":"input tap {xy}"}`, "shell:input tap {xy}", "", false},
	{"a click on Send", composer, `{"kind":"tap","x":{x},"y":{y}}`, u2, rpc("click", "{x},{y}"), false},
	{"a long click on Send", composer, `{"kind":"shell","shell":"input swipe {xy} {xy} 900"}`, "exec:input swipe {xy} {xy} 900", "", false},
	{"a tap on a field", composer, `{"kind":"shell","shell":"input tap 500 2000"}`, "shell,v2,raw:input tap 500 2000", "", true},
	{"a slide to pay", payment, `{"kind":"shell","shell":"input swipe {slide} 300"}`, "shell:input swipe {slide} 300", "", false},
	{"OK of an uninstall", removal, `{"kind":"shell","shell":"input tap {xy}"}`, "exec:input tap {xy}", "", false},
	{"a click on OK of an uninstall", removal, `{"kind":"tap","x":{x},"y":{y}}`, u2, rpc("click", "{x},{y}"), false},
	{"enter in a chat", chat, `{"kind":"shell","shell":"input keyevent 66"}`, "shell:input keyevent 66", "", false},
	{"text in a chat", chat, `{"kind":"shell","shell":"input text hello"}`, "shell:input text hello", "", true},
	{"back", chat, `{"kind":"shell","shell":"input keyevent BACK"}`, "shell:input keyevent BACK", "", true},
	{"an uninstall", composer, `{"kind":"shell","shell":"pm uninstall org.example.notes"}`, "shell,v2,TERM=xterm,raw:pm uninstall org.example.notes", "", false},
	{"a call", composer, `{"kind":"shell","shell":"am start -a android.intent.action.CALL -d tel:+15550100"}`, "shell:am start -a android.intent.action.CALL -d tel:+15550100", "", false},
	{"a payment link", composer, `{"kind":"shell","shell":"am start -d 'upi://pay?pa=shop@example&am=10'"}`, "shell:am start -d 'upi://pay?pa=shop@example&am=10'", "", false},
	{"another accessibility service", composer, `{"kind":"shell","shell":"settings put secure enabled_accessibility_services org.example.reader/.ReaderService"}`,
		"shell:settings put secure enabled_accessibility_services org.example.reader/.ReaderService", "", false},
	{"a line that nobody can read", composer, `{"kind":"shell","shell":"$x tap {xy}"}`, "shell:$x tap {xy}", "", false},
	{"a read", composer, `{"kind":"shell","shell":"dumpsys battery"}`, "shell:dumpsys battery", "", true},
}

// What an action is, does not depend on the door that it comes through: the
// library, HTTP and both front ends agree on outcome, category, source and digest.
func TestSameActionAtEveryDoor(t *testing.T) {
	if n := len(sameActions); n != 16 {
		t.Errorf("%d actions", n)
	}
	w := newWorld(t, asServer, unattended, func(o *daemon.Options) { o.ADB.Device = "127.0.0.1:0" })
	_, device := w.guard.ADBAddrs()
	other := *w
	other.front, other.session = asDevice, hostOf(t, device)
	t.Cleanup(func() { other.session.Close() })
	key, err := os.ReadFile(filepath.Join(w.home, "guard", "digest.key"))
	w.must(err)
	secret, err := hex.DecodeString(strings.TrimSpace(string(key)))
	w.must(err)
	library, err := countersign.New(countersign.Options{DigestKey: secret})
	w.must(err)

	owner, err := client.Open(client.Options{Socket: w.guard.Socket(), TokenFile: filepath.Join(w.home, "guard", daemon.ApproverTokenFile)})
	w.must(err)
	defer owner.Close()
	_, token, err := owner.AddAgent(w.ctx, "over-http", []string{w.serial})
	w.must(err)

	for _, a := range sameActions {
		t.Run(a.name, func(t *testing.T) {
			w, other := w.in(t), other.in(t)
			if a.sent != "" {
				stop, err := w.servers.ListenHTTP(u2, automation.UIAutomator2(w.phone))
				w.must(err)
				defer stop()
			}
			w.show(a.scene)
			body := w.requestBody(&a)
			var req countersign.Request
			w.must(json.Unmarshal(body, &req))
			dec := library.Decide(&req)
			want := verdictOf(&ledger.Decision{Outcome: dec.Outcome, Category: dec.Category, Source: dec.Source, Digest: dec.Digest()})
			if want.digest == "" {
				t.Error("nothing is bound")
			}
			if dec.Outcome == countersign.Allow != a.allowed {
				t.Errorf("the library says %v: %s", dec.Outcome, dec.Reason())
			}
			for door, through := range map[string]func(){
				"HTTP":           func() { w.propose(token, body) },
				string(asServer): func() { w.serve(w.fill(a.scene, a.service), w.sentOf(&a)) },
				string(asDevice): func() { other.serve(w.fill(a.scene, a.service), w.sentOf(&a)) },
			} {
				w.show(a.scene)
				before := w.mark()
				through()
				got := w.decisions(before)
				if len(got) != 1 {
					t.Errorf("%s: %d decisions", door, len(got))
					continue
				}
				if v := verdictOf(&got[0]); v != want {
					t.Errorf("%s: %+v, the library %+v", door, v, want)
				}
			}
		})
	}
}

// verdict is what has to agree.
type verdict struct{ outcome, category, source, digest string }

func verdictOf(d *ledger.Decision) verdict {
	return verdict{d.Outcome.String(), d.Category.String(), d.Source.String(), d.Digest}
}

// requestBody is the action with the screen as it is now, and as whoever is asked
// for it shows it: a server shows the window in front, a dump all of them.
func (w *world) requestBody(a *sameAction) []byte {
	w.t.Helper()
	tree, err := w.phone.Dump(phone.DumpOptions{Windows: a.sent == ""})
	w.must(err)
	width, height := w.phone.Size()
	pkg, activity := w.phone.Focus()
	body, err := json.Marshal(map[string]any{
		"action": json.RawMessage(w.fill(a.scene, a.action)), "device": w.serial,
		"screen": map[string]any{"package": pkg, "activity": activity, "tree": string(tree), "width": width, "height": height},
	})
	w.must(err)
	return body
}

func (w *world) sentOf(a *sameAction) string {
	if a.sent == "" {
		return ""
	}
	return w.fillCall(&call{scene: a.scene, sent: a.sent})
}

// propose takes an action to the agents' HTTP door.
func (w *world) propose(token string, body []byte) {
	w.t.Helper()
	req, err := http.NewRequest(http.MethodPost, w.guard.AgentsURL()+"/v1/actions", bytes.NewReader(body))
	w.must(err)
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	w.must(err)
	defer resp.Body.Close()
	said, err := io.ReadAll(resp.Body)
	w.must(err)
	if resp.StatusCode >= 300 {
		w.t.Fatalf("HTTP says %s: %s", resp.Status, said)
	}
}
