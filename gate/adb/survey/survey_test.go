package survey_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/countersign/countersign/gate/adb"
	"github.com/countersign/countersign/gate/adb/survey"
)

const hash = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

// phone answers lines; one that it does not know prints nothing.
func phone(answers map[string]string) survey.Run {
	return func(_ context.Context, line string) (string, error) {
		if answers[line] == "FAIL" {
			return "", errors.New("device offline")
		}
		return answers[line], nil
	}
}

func TestLook(t *testing.T) {
	tests := []struct {
		name    string
		answers map[string]string
		found   string // names and files
		fails   string
	}{
		{"nothing is there", nil, "", ""},
		{"a jar", map[string]string{"sha256sum '/data/local/tmp/u2.jar'": hash + "  /data/local/tmp/u2.jar\n"}, "uiautomator2 /data/local/tmp/u2.jar", ""},
		{"an app", map[string]string{
			"pm path 'io.appium.uiautomator2.server'": "package:/data/app/~~a==/base.apk\n",
			"sha256sum '/data/app/~~a==/base.apk'":    strings.ToUpper(hash) + "  /data/app/~~a==/base.apk\n",
		}, "Appium /data/app/~~a==/base.apk", ""},
		{"an app of several files", map[string]string{
			"pm path 'io.appium.settings'": "package:/data/app/a/base.apk\npackage:/data/app/a/split_config.en.apk\n",
		}, "", "in 2 files"},
		{"an app that cannot be read", map[string]string{
			"pm path 'com.mobilerun.portal'":   "package:/data/app/p/base.apk",
			"sha256sum '/data/app/p/base.apk'": "sha256sum: /data/app/p/base.apk: Permission denied",
		}, "", "no hash"},
		{"a jar that is not there", map[string]string{"sha256sum '/data/local/tmp/u2.jar'": "sha256sum: /data/local/tmp/u2.jar: No such file or directory"}, "", ""},
		{"a phone that is gone", map[string]string{"pm path 'com.android.adbkeyboard'": "FAIL"}, "", "device offline"},
		{"an error in place of a path", map[string]string{"pm path 'com.android.adbkeyboard'": "Error: no service"}, "", ""},
	}
	for _, test := range tests {
		found, err := survey.Look(context.Background(), phone(test.answers))
		var said []string
		for _, f := range found {
			said = append(said, f.Name+" "+f.File)
			if f.SHA256 != hash {
				t.Errorf("%s: the hash is %q", test.name, f.SHA256)
			}
		}
		if got := strings.Join(said, ", "); got != test.found {
			t.Errorf("%s: found %q, not %q", test.name, got, test.found)
		}
		if (err != nil) != (test.fails != "") || err != nil && !strings.Contains(err.Error(), test.fails) {
			t.Errorf("%s: the error is %v", test.name, err)
		}
	}
	if len(tests) != 8 {
		t.Errorf("%d cases", len(tests))
	}
}

// What an owner names is looked for like the usual ones, whatever its name.
func TestLookForFurther(t *testing.T) {
	own := adb.Helper{Name: "mine", Package: "org.example.it's"}
	found, err := survey.Look(context.Background(), phone(map[string]string{
		`pm path 'org.example.it'\''s'`:    "package:/data/app/m/base.apk",
		"sha256sum '/data/app/m/base.apk'": hash + "  /data/app/m/base.apk",
	}), own)
	if err != nil || len(found) != 1 || found[0].Name != "mine" {
		t.Errorf("found %+v, %v", found, err)
	}
	if _, err := survey.Look(context.Background(), phone(nil), adb.Helper{Name: "nothing"}); !errors.Is(err, survey.ErrUnclear) {
		t.Errorf("a helper without a file: %v", err)
	}
}
