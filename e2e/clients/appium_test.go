package clients

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/countersign/countersign/phone"
)

// appiumApps are Appium's own apps for phones, as its driver brings them.
var appiumApps = map[string]string{
	"io.appium.uiautomator2.server":      "appium-uiautomator2-server/apks/appium-uiautomator2-server-v10.6.6.apk",
	"io.appium.uiautomator2.server.test": "appium-uiautomator2-server/apks/appium-uiautomator2-server-debug-androidTest.apk",
	"io.appium.settings":                 "io.appium.settings/apks/settings_apk-debug.apk",
}

// withAppium installs Appium's apps, as their owner does before set-up, on a phone that
// was used with Appium before: its settings app may say where the phone is.
func withAppium(t *testing.T, p *phone.Phone) {
	for pkg, file := range appiumApps {
		apk, err := os.ReadFile(filepath.Join("node_modules/appium-uiautomator2-driver/node_modules", file))
		if err != nil {
			t.Fatalf("npm ci first: %v", err)
		}
		if err := p.Install(pkg, apk); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.SetAppOp("io.appium.settings", "android:mock_location", "allow"); err != nil {
		t.Fatal(err)
	}
}

// appium is an Appium server.
type appium struct {
	cmd  *exec.Cmd
	port string
}

// appium starts an Appium server that has the uiautomator2 driver. Its home is one
// that npm could have made: a package.json, and the packages beside it.
func (w *world) appium() *appium {
	w.t.Helper()
	modules, err := filepath.Abs("node_modules")
	if err != nil {
		w.t.Fatal(err)
	}
	home, sdk := w.t.TempDir(), w.t.TempDir()
	program, err := exec.LookPath("adb")
	if err != nil {
		w.t.Fatal(err)
	}
	must := func(err error) {
		if err != nil {
			w.t.Fatal(err)
		}
	}
	must(os.WriteFile(filepath.Join(home, "package.json"), []byte(`{"dependencies":{"appium":"3.8.0","appium-uiautomator2-driver":"8.7.0"}}`), 0o600))
	must(os.Mkdir(filepath.Join(home, "node_modules"), 0o700))
	for _, name := range []string{"appium", "appium-uiautomator2-driver"} {
		must(os.Symlink(filepath.Join(modules, name), filepath.Join(home, "node_modules", name)))
	}
	must(os.Mkdir(filepath.Join(sdk, "platform-tools"), 0o700))
	must(os.Symlink(program, filepath.Join(sdk, "platform-tools", "adb")))
	port, err := freePort()
	must(err)
	cmd := exec.Command("node", filepath.Join(modules, "appium/index.js"), "server", "--address", "127.0.0.1", "--port", port, "--log-no-colors")
	cmd.Dir = home
	cmd.Env = append(w.env[:len(w.env):len(w.env)], "APPIUM_HOME="+home, "ANDROID_HOME="+sdk)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // with what it starts
	var log tail
	cmd.Stdout, cmd.Stderr = &log, &log
	must(cmd.Start())
	a := &appium{cmd: cmd, port: port}
	w.t.Cleanup(func() {
		a.kill()
		if w.t.Failed() {
			w.t.Logf("Appium said:\n%s", log.String())
		}
	})
	w.until("Appium answers", a.ready)
	return a
}

func (a *appium) kill() {
	if a.cmd.ProcessState == nil {
		_ = syscall.Kill(-a.cmd.Process.Pid, syscall.SIGKILL)
		_ = a.cmd.Wait()
	}
}

func (a *appium) ready() bool {
	ctx, done := context.WithTimeout(context.Background(), 5*time.Second)
	defer done()
	r, err := http.NewRequestWithContext(ctx, "GET", "http://127.0.0.1:"+a.port+"/status", nil)
	if err != nil {
		return false
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return false
	}
	defer answer.Body.Close()
	var status struct {
		Value struct {
			Ready bool `json:"ready"`
		} `json:"value"`
	}
	return json.NewDecoder(answer.Body).Decode(&status) == nil && status.Value.Ready
}

// leftAsItWas wants nothing to have been ended but Appium's own apps, and what Android
// hides to be hidden again.
func (w *world) leftAsItWas() {
	w.t.Helper()
	opened, placed := 0, 0
	for _, e := range w.phone.Record() {
		switch {
		case e.Kind == "stop" && e.Detail != "io.appium.uiautomator2.server" && e.Detail != "io.appium.uiautomator2.server.test":
			w.t.Errorf("%s was ended", e.Detail)
		case e.Kind == "appop" && e.Detail != "io.appium.settings android:mock_location allow":
			w.t.Errorf("a permission was changed: %s", e.Detail)
		case e.Kind == "setting" && e.Detail == "global hidden_api_policy=1":
			opened++
		case e.Kind == "appop":
			placed++
		}
	}
	if opened != 1 || placed != 2 { // once in the preparation
		w.t.Errorf("hidden interfaces were opened %d times, a place allowed %d times", opened, placed)
	}
	if list, err := w.phone.Files().ReadFile("/data/local/tmp/mock_apps.json"); string(list) != `["io.appium.settings"]` {
		w.t.Errorf("Appium's own list is %q: %v", list, err)
	}
	for _, key := range []string{"hidden_api_policy", "hidden_api_policy_p_apps", "hidden_api_policy_pre_p_apps"} {
		if value, set := w.phone.Setting(phone.Global, key); set {
			w.t.Errorf("%s is %s afterwards", key, value)
		}
	}
}

func byText(text string) job { return job{"find": `//*[@text="` + text + `"]`} }

// Appium with its uiautomator2 driver, driven by webdriverio: clicks go over HTTP to
// Appium's server on the phone. It is told that its apps are on the phone already and
// nothing else; nobody is asked while it starts, does what is harmless, and ends, and
// nothing is refused.
func TestAppium(t *testing.T) {
	fronts(t, func(t *testing.T, w *world) {
		w.answers(no)
		a := w.appium()
		wd := w.drive("webdriverio", "APPIUM="+a.port, "ADB_PORT="+w.port)
		open := func(pkg string) { wd.must("gesture", job{"script": "mobile: activateApp", "args": job{"appId": pkg}}) }
		wd.must("open", job{"serial": w.serial, "retries": 3})
		w.launched("am instrument", "io.appium.uiautomator2.server.test")
		open("org.example.notes")
		if out := string(wd.must("source", nil)); !strings.Contains(out, "Shopping") {
			t.Errorf("the source has no note: %.200s", out)
		}
		wd.must("screenshot", nil)
		wd.must("click", byText("Wi-Fi of the flat"))
		wd.must("close", nil)
		w.unasked("settings delete global hidden_api_policy")
		w.leftAsItWas()

		wd.must("open", job{"serial": w.serial, "retries": 3})
		w.answers(yes)
		then := w.since()
		wd.must("click", byText("Delete"))
		wd.must("click", job{"find": `//*[@resource-id="android:id/button1"]`})
		w.happened("two clicks were approved", "deleted")
		then("two clicks were approved", "tap", "tap")

		w.answers(no)
		wd.must("click", byText("Shopping"))
		still, before := w.since(), w.about("Delete")
		x, y := w.at("Delete")
		if out, err := wd.do("click", byText("Delete")); err == nil || !strings.Contains(err.Error(), "countersign") {
			t.Errorf("a refused click says %s, %v", out, err)
		}
		if out, err := wd.do("tap", job{"x": x, "y": y}); err == nil {
			t.Errorf("a refused tap says %s", out)
		}
		still("everything was refused")
		if n := w.about("Delete") - before; n != 1 {
			t.Errorf("%d questions about one click, which webdriverio tries four times, and a tap at the same place", n)
		}

		w.answers(nil)
		open("com.fsck.k9")
		wd.must("click", byText("Rent for December"))
		then = w.since()
		wd.tell("click", job{"find": "~Delete"})
		w.yesLate()
		if out, err := wd.done("click", job{"find": "~Delete"}); err != nil {
			t.Errorf("a click that was approved late, and tried again by webdriverio: %s, %v", out, err)
		}
		then("one click was approved late", "tap")
		wd.tell("click", job{"find": `//*[@resource-id="android:id/button1"]`})
		w.dies(func() { wd.kill(); a.kill() })
	}, withAppium)
}
