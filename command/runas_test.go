package command_test

import (
	"testing"

	"github.com/countersign/countersign/command"
	"github.com/countersign/countersign/risk"
)

// Whether an app may be acted as is asked before each look at the screen; what is
// then done as the app is another matter.
func TestRunAs(t *testing.T) {
	for line, want := range map[string]risk.Category{
		"run-as com.x true":            risk.None,
		"run-as com.x id":              risk.None,
		"run-as com.x --user 10 true":  risk.Unknown,
		"run-as com.x":                 risk.Disclose,
		"run-as com.x cat files/token": risk.Disclose,
		"run-as com.x true x":          risk.Disclose,
		"run-as com.x sh -c true":      risk.Disclose,
		"run-as com.x ls":              risk.Disclose,
		"run-as com.x true; cat /data/data/com.x/files/token": risk.Disclose,
		"run-as com.x $P": risk.Disclose,
	} {
		effects := command.Shell(line)
		if got := effects[command.Worst(effects)].Category; got != want {
			t.Errorf("%q is %s, not %s: %+v", line, got, want, effects)
		}
	}
}
