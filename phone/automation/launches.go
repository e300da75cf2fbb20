package automation

import (
	"net/http"
	"slices"

	"github.com/countersign/countersign/phone"
	"github.com/countersign/countersign/phone/shell"
)

// Where the servers listen when nobody says otherwise.
const (
	UIAutomator2Address = "tcp:9008"
	UIA2Address         = "tcp:6790"
	PortalAddress       = "tcp:8080"
	MobilecliAddress    = "localabstract:mobilecli-server"
)

// Launches are the servers by the class or the instrumentation that starts them.
// The Portal is not among them: it is an app whose accessibility service is on.
func Launches() shell.Launches {
	u2 := func(p *phone.Phone, _ []string) (string, http.Handler) { return UIAutomator2Address, UIAutomator2(p) }
	return shell.Launches{
		"com.wetest.uia2.Main": func(p *phone.Phone, args []string) (string, http.Handler) {
			if i := slices.Index(args, "-p"); i >= 0 && i+1 < len(args) {
				return "tcp:" + args[i+1], UIAutomator2(p)
			}
			return UIAutomator2Address, UIAutomator2(p)
		},
		"com.github.uiautomator.test/androidx.test.runner.AndroidJUnitRunner":        u2,
		"com.github.uiautomator.test/android.support.test.runner.AndroidJUnitRunner": u2,
		"io.appium.uiautomator2.server.test/androidx.test.runner.AndroidJUnitRunner": func(p *phone.Phone, _ []string) (string, http.Handler) {
			return UIA2Address, UIA2(p)
		},
		"com.mobilenext.mobilecli.DeviceServer": func(p *phone.Phone, _ []string) (string, http.Handler) {
			return MobilecliAddress, Mobilecli(p)
		},
	}
}
