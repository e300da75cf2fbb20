package command

import (
	"strings"
	"testing"

	"github.com/countersign/countersign/risk"
)

func TestDeepLink(t *testing.T) {
	cases := []struct {
		link     string
		category risk.Category
		code     string
	}{
		{"https://example.com/a", risk.None, "web_link"},
		{"HTTPS://EXAMPLE.COM", risk.None, "web_link"},
		{"http://192.168.0.1:8080/", risk.None, "web_link"},
		{"https://", risk.Unknown, "unknown_scheme"},
		{"https://buy.stripe.com/test_1", risk.Money, "payment_link"},
		{"https://www.paypal.com/paypalme/example/10", risk.Money, "payment_link"},
		{"https://www.paypal.com/help", risk.None, "web_link"},
		{"https://paypal.me/example", risk.Money, "payment_link"},
		{"https://user@paypal.me:443/example", risk.Money, "payment_link"},
		{"https://paypal.me./example", risk.Money, "payment_link"},
		{"https://www.paypal.com/a/../paypalme/example", risk.Money, "payment_link"},
		{"https://cash.app/$example", risk.Money, "payment_link"},
		{"https://example.com/a.apk", risk.Install, "install"},
		{"https://example.com/a.apk?x=1#y", risk.Install, "install"},
		{"https://example.com/a%2Eapk", risk.Install, "install"},
		{"https://example.com/?f=a.apk", risk.None, "web_link"},
		{"tel:+15550100", risk.None, "compose"},
		{"tel:*21*5550100%23", risk.Unknown, "service_code"},
		{"tel:%2A%2306%23", risk.Unknown, "service_code"},
		{"sms:+15550100?body=hi", risk.None, "compose"},
		{"mailto:a@example.com", risk.None, "compose"},
		{"sip:a@example.com", risk.Call, "call"},
		{"upi://pay?pa=a@example", risk.Money, "payment_link"},
		{"UPI://pay?pa=a@example", risk.Money, "payment_link"},
		{" upi://pay", risk.Money, "payment_link"},
		{"bitcoin:1Boat", risk.Money, "payment_link"},
		{"ethereum:0xabc", risk.Money, "payment_link"},
		{"lightning:lnbc1", risk.Money, "payment_link"},
		{"wc:abc@2", risk.Money, "payment_link"},
		{"market://details?id=com.example.app", risk.None, "navigate"},
		{"package:com.example.app", risk.None, "navigate"},
		{"geo:0,0?q=a", risk.None, "navigate"},
		{"content://media/1", risk.None, "navigate"},
		{"file:///sdcard/a.pdf", risk.None, "navigate"},
		{"file:///sdcard/a.apk", risk.Install, "install"},
		{"otpauth://totp/x?secret=y", risk.Account, "accounts"},
		{"WIFI:S:net;T:WPA;P:x;;", risk.Settings, "radio"},
		{"javascript:alert(1)", risk.Unknown, "opaque"},
		{"data:text/html,x", risk.Unknown, "opaque"},
		{"exampleapp://pay", risk.Unknown, "unknown_scheme"},
		{"example.com", risk.Unknown, "unknown_scheme"},
		{"", risk.Unknown, "unknown_scheme"},
		{"intent:+15550100#Intent;scheme=tel;action=android.intent.action.CALL;end", risk.Call, "call"},
		{"intent://pay#Intent;scheme=upi;end", risk.Money, "payment_link"},
		{"intent:#Intent;SEL;action=x;end", risk.Unknown, "unknown_action"},
		{"intent:intent:5#Intent;action=android.intent.action.VIEW;end", risk.Unknown, "bad_intent"},
		{"android-app://com.example.app", risk.None, "launch"},
		{"https://example.com/#Intent;action=android.intent.action.CALL;end", risk.Call, "call"},
		{"x:" + strings.Repeat("y", MaxLine), risk.Unknown, "opaque"},
	}
	for _, c := range cases {
		e := DeepLink(c.link)
		if e.Category != c.category || e.Code != c.code {
			t.Errorf("DeepLink(%.60q) = %s %s, want %s %s", c.link, e.Category, e.Code, c.category, c.code)
		}
		if len(c.link) < 100 && e.Object == "" && c.link != "" {
			t.Errorf("DeepLink(%q) shows nothing to a human", c.link)
		}
	}
	if len(cases) != 49 {
		t.Errorf("ran %d cases, want 49", len(cases))
	}
}
