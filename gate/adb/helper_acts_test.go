package adb_test

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/countersign/countersign/gate/adb"
)

// What was let in is written by name and read as it was; what is not known is an
// error, and what names nothing lets nothing in.
func TestActs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		acts := adb.Acts(rapid.Uint16Range(0, 1<<7-1).Draw(t, "acts"))
		data, err := json.Marshal(adb.Helper{Name: "x", May: acts})
		if err != nil {
			t.Fatal(err)
		}
		var back adb.Helper
		if err := json.Unmarshal(data, &back); err != nil || back.May != acts {
			t.Fatalf("%s: %v, %v", data, back.May, err)
		}
		if words := acts.Says(); acts != 0 && len(words) != len(strings.Split(acts.String(), ",")) || acts == 0 && words != nil {
			t.Fatalf("%v is called %q", acts, words)
		}
	})
	for _, bad := range []string{`{"may":["root"]}`, `{"may":["end","End"]}`, `{"may":3}`, `{"may":"end"}`, `{"may":[""]}`} {
		var h adb.Helper
		if err := json.Unmarshal([]byte(bad), &h); err == nil {
			t.Errorf("%s: %v", bad, h.May)
		}
	}
	var old adb.Helper
	if err := json.Unmarshal([]byte(`{"name":"Appium","package":"io.appium.settings"}`), &old); err != nil || old.May != 0 {
		t.Errorf("a list from before: %v, %v", old.May, err)
	}
}

// Reading what all apps log is never among what set-up lets in by itself.
func TestOnRequest(t *testing.T) {
	logs := 0
	for _, h := range adb.UsualHelpers() {
		if h.May&adb.ActLog != 0 || h.OnRequest()&^adb.ActLog != 0 {
			t.Errorf("%+v", h)
		}
		if h.OnRequest() != 0 {
			logs++
		}
	}
	if logs != 1 {
		t.Errorf("%d helpers read the log", logs)
	}
}
