package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/countersign/countersign/daemon"
)

// onTheGuardItself is an agent that operates the guard's own pages on the phone,
// or opens them. It knows the name of the inbox: it may have seen it there.
func onTheGuardItself(t *testing.T) []way {
	s := besiege(t, forOtherDevices)
	name, _, _ := strings.Cut(s.host, ":")
	url, away := "http://"+s.host+"/approvals/"+s.question.ID, s.addr[atRemote][1]
	_, port, _ := strings.Cut(away, ":")
	tls := "https://" + remoteName + ":" + port + "/approvals/" + s.question.ID
	browser := func(address, title, button string) map[string]any {
		return map[string]any{"package": "com.android.chrome", "tree": fmt.Sprintf(`<hierarchy><node class="android.widget.FrameLayout" package="com.android.chrome" bounds="[0,0][1080,2400]">`+
			`<node class="android.widget.EditText" package="com.android.chrome" text=%q resource-id="com.android.chrome:id/url_bar" focused="true" clickable="true" bounds="[0,0][1080,200]"/>`+
			`<node class="android.webkit.WebView" package="com.android.chrome" text=%q bounds="[0,200][1080,2400]">`+
			`<node class="android.widget.Button" package="com.android.chrome" text=%q clickable="true" bounds="[100,1000][980,1200]"/></node></node></hierarchy>`, address, title, button)}
	}
	tapOn := func(screen map[string]any) map[string]any {
		return map[string]any{"action": map[string]any{"kind": "tap", "x": 540, "y": 1100}, "screen": screen}
	}
	act := func(kind string, more ...string) map[string]any {
		action := map[string]any{"kind": kind}
		for i := 0; i+1 < len(more); i += 2 {
			action[more[i]] = more[i+1]
		}
		return map[string]any{"action": action}
	}
	typed := act("type", "text", url)
	typed["screen"] = browser("", "New tab", "Search")
	enter := act("key", "key", "ENTER")
	enter["screen"] = browser(url, "New tab", "Search")
	dialog := tap("com.android.chrome", "Approve")
	dialog["target"].(map[string]any)["dialog_title"] = "Countersign"
	open := func(to string) map[string]any {
		return act("shell", "shell", "am start -a android.intent.action.VIEW -d "+to)
	}
	var ways []way
	for _, a := range []struct {
		name string
		body map[string]any
	}{
		{"taps Approve under the inbox's address", tapOn(browser(s.host, "Question", "Approve"))},
		{"the address in upper case", tapOn(browser(strings.ToUpper(s.host), "Question", "Approve"))},
		{"taps Approve under the page's title", tapOn(browser("", "Countersign", "Approve"))},
		{"taps Deny there", tapOn(browser(s.host, "Countersign", "Deny"))},
		{"taps Sign in on this browser", tapOn(browser(s.host, "Sign in", "Sign in on this browser"))},
		{"says only that a dialog of the guard is open", dialog},
		{"opens the inbox by a shell line", act("shell", "shell", "am start -a android.intent.action.VIEW -d "+url)},
		{"by a shell line in upper case", act("shell", "shell", "am start -a android.intent.action.VIEW -d HTTP://"+strings.ToUpper(s.host)+"/")},
		{"by a chain of shell lines", act("shell", "shell", "sleep 1; am start -d "+url)},
		{"by an intent", act("intent", "intent", "-a android.intent.action.VIEW -d "+url)},
		{"by a deep link", act("deep_link", "intent", url)},
		{"by a deep link with a dot at the end of the name", act("deep_link", "intent", "http://"+name+".:8788/")},
		{"types the address", typed},
		{"types it by a shell line", act("shell", "shell", "input text "+name)},
		{"presses Enter on the address", enter},
		{"by a tool", act("tool", "tool", "open_url", "text", url)},
		{"taps Approve under the name with TLS", tapOn(browser(remoteName+":"+port, "Question", "Approve"))},
		{"taps Approve under the title of a question", tapOn(browser("", "Waits for you: Sends a message · Countersign", "Approve"))},
		{"adds a passkey there", tapOn(browser(remoteName, "Passkeys", "Add a passkey"))},
		{"presses Revoke in the page of an app", tapOn(strange(browser("", "Grants · Countersign", "Revoke"), "com.example.reader"))},
		{"taps the notification", tapOn(notification("com.android.systemui", "Countersign: a question waits", "Open"))},
		{"taps the critical notification", tapOn(notification("com.android.systemui", "Countersign: CRITICAL, a question waits", "Open"))},
		{"taps it in the list of the app that showed it", tapOn(notification("io.heckel.ntfy", "Countersign: a question waits", "Open"))},
		{"wipes the notification away", map[string]any{"action": map[string]any{"kind": "swipe", "x": 540, "y": 1100, "x2": 1000, "y2": 1100},
			"screen": notification("com.android.systemui", "Countersign: a question waits", "Open")}},
		{"opens the name with TLS by a shell line", open(tls)},
		{"by an intent, the name with TLS", act("intent", "intent", "-a android.intent.action.VIEW -d "+tls)},
		{"by a deep link, the name with TLS", act("deep_link", "intent", tls)},
		{"by a link that holds an intent", act("deep_link", "intent", "intent://"+remoteName+":"+port+"/#Intent;scheme=https;package=com.android.chrome;end")},
		{"by a link of the browser's own", act("deep_link", "intent", "googlechrome://navigate?url="+tls)},
		{"by a shell line, in quotes", open("'" + url + "'")},
		{"by a shell line, the name in pieces", open("'http://" + name[:5] + `'"` + name[5:] + `":8788/`)},
		{"by a shell line, a letter escaped", open("http://" + name[:3] + `\` + name[3:] + "/")},
		{"by a shell line, a letter percent-encoded", open(fmt.Sprintf("https://%%%02x%s/", remoteName[0], remoteName[1:]))},
		{"by an intent, in wide letters", act("intent", "intent", "-a android.intent.action.VIEW -d https://"+wide(remoteName)+"/")},
		{"by a deep link, in wide letters", act("deep_link", "intent", "http://"+wide(name)+":8788/")},
		{"by a deep link, with a wide dot", act("deep_link", "intent", "http://"+strings.Replace(name, ".", "。", 1)+":8788/")},
		{"by a deep link, with what is not seen in it", act("deep_link", "intent", "http://"+name[:4]+"\u00ad"+name[4:]+":8788/")},
		{"by a deep link, with a tab in it", act("deep_link", "intent", "http://"+name[:4]+"\t"+name[4:]+":8788/")},
		{"by a deep link, with a user before it", act("deep_link", "intent", "https://bank.example@"+remoteName+":"+port+"/")},
		{"by a value handed to another app", act("shell", "shell", "am start -n com.example.reader/.Open --es url "+tls)},
		{"sends an answer from the phone", act("shell", "shell", "curl -k -X POST "+tls+"/answer")},
		{"types the name with TLS by a shell line", act("shell", "shell", "input text "+remoteName)},
	} {
		ways = append(ways, way{a.name, func() string {
			v := s.agent.propose(a.body)
			if v.Outcome != "deny" || v.Category != "bypass" {
				return fmt.Sprintf("it was not refused as bypass: %s %s %q", v.Outcome, v.Category, v.Message)
			}
			return ""
		}})
	}
	return ways
}

// forOtherDevices opens the inbox for other devices as well.
func forOtherDevices(o *daemon.Options) {
	o.Remote = daemon.Remote{Addr: "127.0.0.1:0", Name: remoteName}
}

// remoteName is the name of the inbox for other devices.
const remoteName = "inbox.test"

// strange is a screen in another app.
func strange(screen map[string]any, pkg string) map[string]any {
	screen["package"], screen["tree"] = pkg, strings.ReplaceAll(screen["tree"].(string), "com.android.chrome", pkg)
	return screen
}

// notification is one of the guard's on the phone: the text and a button are
// parts of it.
func notification(pkg, title, button string) map[string]any {
	return map[string]any{"package": pkg, "tree": fmt.Sprintf(`<hierarchy><node class="android.widget.FrameLayout" package=%q bounds="[0,0][1080,2400]">`+
		`<node class="android.widget.FrameLayout" package=%q clickable="true" bounds="[0,900][1080,1300]">`+
		`<node class="android.widget.TextView" package=%q text=%q bounds="[40,920][1040,1000]"/>`+
		`<node class="android.widget.Button" package=%q text=%q clickable="true" bounds="[100,1050][980,1200]"/></node></node></hierarchy>`, pkg, pkg, pkg, title, pkg, button)}
}

// wide is a name in letters as wide as CJK ones, which a browser reads as plain.
func wide(name string) string {
	return strings.Map(func(r rune) rune { return r - '!' + '！' }, name)
}
