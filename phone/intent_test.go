package phone

import (
	"errors"
	"slices"
	"testing"
)

func TestIntentsGoWhereTheyShould(t *testing.T) {
	cases := []struct {
		intent  Intent
		focus   string
		fields  string // what the screen says
		effects []string
		err     error
	}{
		{Intent{Action: actionMain, Package: "org.example.notes"}, "org.example.notes/.NotesActivity", "", nil, nil},
		{Intent{Component: "org.example.notes/.NotesActivity"}, "org.example.notes/.NotesActivity", "", nil, nil},
		{Intent{Component: "org.example.notes/org.example.notes.NotesActivity"}, "org.example.notes/.NotesActivity", "", nil, nil},
		{Intent{Component: "org.example.shop/.CheckoutActivity"}, "org.example.shop/.CheckoutActivity", "Place order", nil, nil},
		{Intent{Component: "org.example.notes/.Nowhere"}, "", "", nil, ErrNoActivity},
		{Intent{Component: "org.example.nobody/.Main"}, "", "", nil, ErrNoActivity},
		{Intent{Action: actionMain, Categories: []string{categoryHome}}, "com.android.launcher3/.Launcher", "", nil, nil},
		{Intent{Action: actionMain, Package: "com.android.adbkeyboard"}, "", "", nil, ErrNoActivity},
		{Intent{Action: actionMain, Package: "org.example.nobody"}, "", "", nil, ErrNoPackage},
		{Intent{Action: "android.intent.action.SENDTO", Data: "mailto:a@b.org?subject=Hi%20you&body=Text"}, "com.fsck.k9/.activity.MessageCompose", "Hi you", nil, nil},
		{Intent{Action: actionView, Data: "mailto:a@b.org"}, "com.fsck.k9/.activity.MessageCompose", "a@b.org", nil, nil},
		{Intent{Action: "android.intent.action.SENDTO", Data: "smsto:555", Extras: map[string]string{"sms_body": "Yes"}}, "com.android.messaging/.ui.conversation.ConversationActivity", "Yes", nil, nil},
		{Intent{Action: actionView, Data: "bank://pay?payee=Ines&amount=5"}, "com.starlingbank.android/.transfer.TransferActivity", "Ines", nil, nil},
		{Intent{Action: actionView, Data: "https://example.org/a?b=c"}, "com.android.browser/.BrowserActivity", "https://example.org/a?b=c", nil, nil},
		{Intent{Data: "HTTPS://example.org"}, "com.android.browser/.BrowserActivity", "HTTPS://example.org", nil, nil},
		{Intent{Action: actionView, Data: "gopher://example.org"}, "", "", nil, ErrNoActivity},
		{Intent{Action: "android.intent.action.CALL", Data: "tel:112"}, "com.android.dialer/.incall.InCallActivity", "Calling 112", []string{"called 112"}, nil},
		{Intent{Action: "android.intent.action.DIAL", Data: "tel:112"}, "com.android.dialer/.app.DialtactsActivity", "112", nil, nil},
		{Intent{Action: "android.intent.action.SEND", Type: "text/plain", Package: "org.example.notes", Extras: map[string]string{"android.intent.extra.TEXT": "milk"}}, "org.example.notes/.EditActivity", "milk", nil, nil},
		{Intent{Action: "android.intent.action.SEND", Type: "text/plain"}, "com.android.intentresolver/.ChooserActivity", "Notes", nil, nil},
		{Intent{Action: "android.intent.action.SEND", Type: "image/png"}, "", "", nil, ErrNoActivity},
		{Intent{Action: "android.settings.SETTINGS"}, "com.android.settings/.Settings", "Developer options", nil, nil},
		{Intent{Action: "android.intent.action.DELETE", Data: "package:org.example.shop"}, "com.android.packageinstaller/.UninstallerActivity", "Corner Shop", nil, nil},
	}
	for _, c := range cases {
		t.Run(c.intent.String(), func(t *testing.T) {
			p := newPhone(t, Options{})
			err := p.Start(c.intent)
			if !errors.Is(err, c.err) || (err == nil) != (c.err == nil) {
				t.Fatalf("error %v, want %v", err, c.err)
			}
			if pkg, activity := p.Focus(); err == nil && pkg+"/"+activity != c.focus {
				t.Errorf("%s/%s is in front, want %s", pkg, activity, c.focus)
			}
			if c.fields != "" {
				labelled(t, p, c.fields)
			}
			if got := deeds(p); !slices.Equal(got, c.effects) {
				t.Errorf("effects %q, want %q", got, c.effects)
			}
			if r := p.Record(); len(r) != 1 || r[0].Kind != "intent" || r[0].Detail != c.intent.String() {
				t.Errorf("record %+v", r)
			}
		})
	}
	if len(cases) != 23 {
		t.Errorf("%d cases, 23 are expected", len(cases))
	}
}

func TestADialogOfAnAppHasTheActivityBelowIt(t *testing.T) {
	p := newPhone(t, Options{})
	_ = p.Start(Intent{Action: actionMain, Package: "org.example.notes"})
	step(t, p, "long Shopping")
	if pkg, activity := p.Focus(); pkg != "org.example.notes" || activity != ".NotesActivity" {
		t.Errorf("%s/%s is in front", pkg, activity)
	}
}

func TestPackagesComeAndGo(t *testing.T) {
	p := newPhone(t, Options{})
	installed := func(pkg string) bool { _, ok := p.Package(pkg); return ok }
	check := func(what string, ok bool) {
		t.Helper()
		if !ok {
			t.Errorf("%s: that is not so", what)
		}
	}
	check("a system app stays", errors.Is(p.Uninstall("com.android.settings"), ErrSystemPackage) && installed("com.android.settings"))
	check("nobody cannot go", errors.Is(p.Uninstall("org.example.nobody"), ErrNoPackage))
	check("the shop goes", p.Uninstall("org.example.shop") == nil && !installed("org.example.shop"))
	check("what is gone does not start", errors.Is(p.Start(Intent{Action: actionMain, Package: "org.example.shop"}), ErrNoPackage))
	check("the shop comes back", p.Install("org.example.shop", []byte("apk")) == nil && installed("org.example.shop"))
	check("an unknown app comes", p.Install("org.example.new", []byte("apk")) == nil && installed("org.example.new"))
	check("a name that is none does not", p.Install("new", nil) != nil)
	apk, err := p.Files().ReadFile("/data/app/org.example.new-1/base.apk")
	check("its code is there", err == nil && string(apk) == "apk")
	check("a permission that nobody asked for", errors.Is(p.Grant("org.example.notes", "android.permission.CAMERA", true), ErrNoPermission))
	check("a permission", p.Grant("org.example.notes", "android.permission.POST_NOTIFICATIONS", true) == nil)
	check("the same again", p.Grant("org.example.notes", "android.permission.POST_NOTIFICATIONS", true) == nil)
	check("and back", p.Grant("org.example.notes", "android.permission.POST_NOTIFICATIONS", false) == nil)
	check("data", p.Clear("org.example.notes") == nil && errors.Is(p.Clear("org.example.nobody"), ErrNoPackage))
	check("off", p.SetEnabled("org.example.notes", false) == nil)
	check("what is off does not start", errors.Is(p.Start(Intent{Action: actionMain, Package: "org.example.notes"}), ErrDisabled))
	check("on", p.SetEnabled("org.example.notes", true) == nil)
	check("an app op", p.SetAppOp("org.example.notes", "CAMERA", "allow") == nil && p.AppOp("org.example.notes", "CAMERA") == "allow")
	check("no app op", p.AppOp("org.example.notes", "OTHER") == "default")
	want := []string{
		"uninstalled org.example.shop", "installed org.example.shop", "installed org.example.new",
		"granted android.permission.POST_NOTIFICATIONS org.example.notes", "revoked android.permission.POST_NOTIFICATIONS org.example.notes",
		"cleared org.example.notes", "disabled org.example.notes", "enabled org.example.notes", "appop CAMERA org.example.notes allow",
	}
	if got := deeds(p); !slices.Equal(got, want) {
		t.Errorf("effects %q, want %q", got, want)
	}
}

func TestWhatAnAppHoldsGoesWithItsData(t *testing.T) {
	p := newPhone(t, Options{})
	_ = p.Start(Intent{Action: actionMain, Package: "org.example.notes"})
	for _, line := range []string{"long Shopping", "tap Delete"} {
		step(t, p, line)
	}
	if rows := p.List("org.example.notes", "notes"); len(rows) != 1 {
		t.Fatalf("notes %v", rows)
	}
	p.Stop("org.example.notes")
	if pkg, _ := p.Focus(); pkg != "com.android.launcher3" || len(p.List("org.example.notes", "notes")) != 1 {
		t.Errorf("stopped: %s is in front", pkg)
	}
	if err := p.Clear("org.example.notes"); err != nil || len(p.List("org.example.notes", "notes")) != 2 {
		t.Errorf("cleared: %v", p.List("org.example.notes", "notes"))
	}
	if running := p.Running(); slices.Contains(running, "org.example.notes") || !slices.Contains(running, "com.android.systemui") {
		t.Errorf("running %q", running)
	}
}

func TestSettingsTakeHold(t *testing.T) {
	p := newPhone(t, Options{})
	p.SetSetting(System, "user_rotation", "1")
	if w, h := p.Size(); w != 2400 || h != 1080 || p.Rotation() != 1 {
		t.Errorf("turned: %dx%d by %d", w, h, p.Rotation())
	}
	p.SetSetting(Secure, keyServices, "a/.A:b/.B")
	p.SetSetting(Secure, keyServices, "b/.B:c/.C")
	p.SetSetting(Global, "airplane_mode_on", "1")
	p.SetSetting(Global, "airplane_mode_on", "1")
	p.SetSetting(Global, "hidden_api_policy", "1")
	p.SetSetting("nowhere", "a", "b")
	if v, ok := p.Setting(Global, "hidden_api_policy"); v != "1" || !ok || !p.DeleteSetting(Global, "hidden_api_policy") || p.DeleteSetting(Global, "hidden_api_policy") {
		t.Errorf("hidden_api_policy %q, %t", v, ok)
	}
	want := []string{"enabled a/.A", "enabled b/.B", "enabled c/.C", "disabled a/.A", "set global.airplane_mode_on 1"}
	if got := deeds(p); !slices.Equal(got, want) {
		t.Errorf("effects %q, want %q", got, want)
	}
}
