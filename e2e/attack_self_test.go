package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// onTheGuardItself is an agent that operates the guard's own pages on the phone,
// or opens them. It knows the name of the inbox: it may have seen it there.
func onTheGuardItself(t *testing.T) []way {
	s := besiege(t)
	name, _, _ := strings.Cut(s.host, ":")
	url := "http://" + s.host + "/approvals/" + s.question.ID
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
