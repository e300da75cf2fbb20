package command

import (
	"testing"

	"github.com/countersign/countersign/risk"
)

// Reading a file again that the same line saved the screen to is looking at it, but
// not where the saving may have failed and left what was there.
func TestReadingWhatWasSaved(t *testing.T) {
	cases := []struct {
		line string
		want risk.Category
	}{
		{"screencap -p /sdcard/a.png; cat /sdcard/a.png", risk.None},
		{"screencap /sdcard/a.png && cat /sdcard/a.png", risk.None},
		{"screencap -p /sdcard/a.png; base64 /sdcard/a.png", risk.None},
		{"uiautomator dump /sdcard/a.xml && cat /sdcard/a.xml", risk.None},
		{"uiautomator dump --compressed /sdcard/a.xml >/dev/null; cat /sdcard/a.xml", risk.None},
		{"uiautomator dump; cat /sdcard/window_dump.xml", risk.None},
		{"screencap -d 999 -p /sdcard/a.png; cat /sdcard/a.png", risk.Disclose},
		{"screencap -d999 /sdcard/a.png; cat /sdcard/a.png", risk.Disclose},
		{"screencap -p -d 999 /sdcard/a.png && cat /sdcard/a.png", risk.Disclose},
		{"screencap -h /sdcard/a.png; cat /sdcard/a.png", risk.Disclose},
		{"screencap -p /sdcard/a.png /sdcard/b.png; cat /sdcard/a.png", risk.Disclose},
		{"screencap -p $d /sdcard/a.png; cat /sdcard/a.png", risk.Disclose},
		{"screencap -p /sdcard/a.png; screencap -d 999 -p /sdcard/a.png; cat /sdcard/a.png", risk.Disclose},
		{"screencap -p /sdcard/passwords.txt; cat /sdcard/passwords.txt", risk.Disclose},
		{"uiautomator dump /sdcard/passwords.txt; cat /sdcard/passwords.txt", risk.Disclose},
		{"uiautomator dump --frob /sdcard/a.xml; cat /sdcard/a.xml", risk.Disclose},
		{"uiautomator dump /sdcard/DCIM/a.xml; cat /sdcard/DCIM/a.xml", risk.Disclose},
	}
	if len(cases) != 17 {
		t.Fatalf("%d cases, 17 were written", len(cases))
	}
	for _, c := range cases {
		effects := Shell(c.line)
		got := risk.None
		for _, e := range effects {
			if e.Category == risk.Disclose {
				got = e.Category
			}
			if e.Category == risk.Unknown && c.want == risk.None {
				t.Errorf("%s: %+v", c.line, e)
			}
		}
		if got != c.want {
			t.Errorf("%s: %v, want %v: %+v", c.line, got, c.want, effects)
		}
	}
}
