package decide

import (
	"testing"

	"github.com/countersign/countersign/risk"
)

// Whatever an agent does on what belongs to the guard is refused, by every way
// of acting; the same elsewhere is not.
func TestOwnSurface(t *testing.T) {
	d := newDecider(t, "default")
	d.Self = Self{
		Packages: []string{"com.example.guard"},
		Hosts:    []string{"q7f3.localhost"},
		Titles:   []string{"Countersign inbox"},
	}
	field := element("EditText", pressable+`focused="true" hint="Search"`, "[0,800][1080,900]")
	page := func(title string) string {
		return display("com.android.chrome", element("WebView", `text="`+title+`"`, "[0,200][1080,2400]", detailsButton, field))
	}
	address := display("com.android.chrome", element("TextView", `text="q7f3.localhost:8443/"`, "[0,0][1080,100]"), detailsButton, field)
	notification := display("com.android.systemui", element("FrameLayout", pressable, "[0,600][1080,700]",
		element("TextView", `text="Countersign inbox"`, "[0,600][1080,650]"), element("TextView", `text="1 question"`, "[0,650][1080,700]")))
	shell := func(line string) risk.Action { return risk.Action{Kind: risk.ShellLine, Shell: line} }
	ran := 0
	for _, row := range []struct {
		name   string
		action risk.Action
		pkg    string
		tree   string
		own    bool
	}{
		{"tap in its app", tapOn(500, 650), "com.example.guard", display("com.example.guard", detailsButton), true},
		{"tap on its page, by the page's title", tapOn(500, 650), "com.android.chrome", page("Countersign inbox"), true},
		{"tap on its page, by the address", tapOn(500, 650), "com.android.chrome", address, true},
		{"ENTER on its page", risk.Action{Kind: risk.PressKey, Key: "ENTER"}, "com.android.chrome", address, true},
		{"IME action on its page", risk.Action{Kind: risk.IMEAction}, "com.android.chrome", page("Countersign inbox"), true},
		{"typing on its page", risk.Action{Kind: risk.TypeText, Text: "123456"}, "com.android.chrome", page("Countersign inbox"), true},
		{"its notification", tapOn(500, 650), "com.android.systemui", notification, true},
		{"its notification swiped away", swipeFrom(100, 650, 1000, 650), "com.android.systemui", notification, true},
		{"its app stopped", shell("am force-stop com.example.guard"), shop, display(shop, detailsButton), true},
		{"its app removed", shell("pm uninstall com.example.guard"), shop, display(shop, detailsButton), true},
		{"an answer sent past its page", shell("curl -X POST http://q7f3.localhost:8443/answer"), shop, display(shop, detailsButton), true},
		{"its page by an address in large letters", tapOn(500, 650), "com.android.chrome", display("com.android.chrome", element("TextView", `text="HTTP://Q7F3.LocalHost:8443/"`, "[0,0][1080,100]"), detailsButton, field), true},
		{"its page opened by a line", shell("am start -a android.intent.action.VIEW -d http://q7f3.localhost:8443/"), shop, display(shop, detailsButton), true},
		{"its page opened by a part of a line, in large letters", shell("sleep 1; am start -d HTTP://Q7F3.LOCALHOST.:8443/"), shop, display(shop, detailsButton), true},
		{"its page opened by an intent", risk.Action{Kind: risk.OpenIntent, Intent: "-a android.intent.action.VIEW -d http://q7f3.localhost:8443/"}, shop, display(shop, detailsButton), true},
		{"its page opened by a link", risk.Action{Kind: risk.OpenLink, Intent: "http://q7f3.localhost:8443/"}, shop, display(shop, detailsButton), true},
		{"its page opened by a tool", risk.Action{Kind: risk.ToolCall, Tool: "open_url", Text: "http://q7f3.localhost:8443/"}, shop, display(shop, detailsButton), true},
		{"its address typed", risk.Action{Kind: risk.TypeText, Text: "q7f3.localhost:8443"}, "com.android.chrome", page("Weather"), true},
		{"its address in another kind of action", risk.Action{Kind: risk.Wait, Intent: "http://q7f3.localhost:8443/"}, shop, display(shop, detailsButton), true},
		{"its page opened by a link in wide letters", risk.Action{Kind: risk.OpenLink, Intent: "http://ｑ７ｆ３．ｌｏｃａｌｈｏｓｔ:8443/"}, shop, display(shop, detailsButton), true},
		{"its page opened by a link with a wide dot", risk.Action{Kind: risk.OpenLink, Intent: "http://q7f3。localhost:8443/"}, shop, display(shop, detailsButton), true},
		{"its page opened by a link with what is not seen in it", risk.Action{Kind: risk.OpenLink, Intent: "http://q7\u00adf3.local\u200bhost:8443/"}, shop, display(shop, detailsButton), true},
		{"its page opened by a link with a line end in it", risk.Action{Kind: risk.OpenLink, Intent: "http://q7\nf3.localhost:8443/"}, shop, display(shop, detailsButton), true},
		{"its page opened by a link with old letters", risk.Action{Kind: risk.OpenLink, Intent: "http://q7f3.localho\u017ft:8443/"}, shop, display(shop, detailsButton), true},
		{"its page opened by an intent, percent-encoded", risk.Action{Kind: risk.OpenIntent, Intent: "-a android.intent.action.VIEW -d http://%717f3.localhost:8443/"}, shop, display(shop, detailsButton), true},
		{"its page opened by a link, percent-encoded wide letters", risk.Action{Kind: risk.OpenLink, Intent: "http://%EF%BD%917f3.localhost:8443/"}, shop, display(shop, detailsButton), true},
		{"its page opened by a line with quotes in the name", shell(`am start -a android.intent.action.VIEW -d "http://q7"f3'.local'host:8443/`), shop, display(shop, detailsButton), true},
		{"its page opened by a line with a backslash in the name", shell(`am start -a android.intent.action.VIEW -d http://q7\f3.localhost:8443/`), shop, display(shop, detailsButton), true},
		{"its address typed in wide letters", risk.Action{Kind: risk.TypeText, Text: "ｑ７ｆ３.localhost"}, "com.android.chrome", page("Weather"), true},
		{"another page opened by a link in wide letters", risk.Action{Kind: risk.OpenLink, Intent: "http://ｑ７ｆ３．example/"}, shop, display(shop, detailsButton), false},
		{"percent signs that encode nothing", risk.Action{Kind: risk.TypeText, Text: "100% %zz % q7f3 %2"}, "com.android.chrome", page("Weather"), false},
		{"another page opened by a link", risk.Action{Kind: risk.OpenLink, Intent: "http://q7f3.example/"}, shop, display(shop, detailsButton), false},
		{"another address typed", risk.Action{Kind: risk.TypeText, Text: "q7f.localhost"}, "com.android.chrome", page("Weather"), false},
		{"another page", tapOn(500, 650), "com.android.chrome", page("Weather"), false},
		{"another app", tapOn(500, 650), shop, display(shop, detailsButton), false},
	} {
		t.Run(row.name, func(t *testing.T) {
			ran++
			dec := d.Decide(&Request{Action: row.action, Screen: &Screen{Package: row.pkg, Tree: row.tree}})
			if got := dec.Category == risk.Bypass && dec.Outcome == risk.Deny; got != row.own {
				t.Errorf("%v %v, refused as a way round the guard: want %v: %s", dec.Outcome, dec.Category, row.own, dec.Reason())
			}
		})
	}
	if ran != 35 {
		t.Fatalf("%d rows ran, there are 35", ran)
	}
}

// Icons of a launcher open what they name; a package that is only claimed is no
// launcher.
func TestLauncherIsSeenNotClaimed(t *testing.T) {
	const launcher = "com.google.android.apps.nexuslauncher"
	d := newDecider(t, "default")
	icon := d.Decide(&Request{Action: tapOn(500, 450), Screen: &Screen{Package: launcher, Tree: display(launcher, payButton)}})
	if icon.Outcome != risk.Allow {
		t.Errorf("a launcher's icon: %v %v, want allow", icon.Outcome, icon.Category)
	}
	two := windowsJSON(windowJSON("application", shop, 2, 0, fullDisplay, payJSON), windowJSON("application", launcher, 1, 0, fullDisplay, plainJSON))
	for name, req := range map[string]*Request{
		"no tree":          {Action: risk.Action{Kind: risk.Tap}, Screen: &Screen{Package: launcher}, Target: &Target{Text: "Pay now", Class: "android.widget.Button"}},
		"another app's":    {Action: tapOn(500, 450), Screen: &Screen{Package: launcher, Tree: two}},
		"nowhere in sight": {Action: tapOn(500, 650), Screen: &Screen{Package: "com.android.systemui", Tree: display(shop, detailsButton)}},
	} {
		if dec := d.Decide(req); dec.Outcome == risk.Allow {
			t.Errorf("%s: %v %v, want a question: %s", name, dec.Outcome, dec.Category, dec.Reason())
		}
	}
}
