package browser

import (
	"fmt"
	"html"
)

// tap is a tap on a control that the agent describes.
func tap(pkg, text string) map[string]any {
	return map[string]any{
		"action": map[string]any{"kind": "tap"}, "screen": map[string]any{"package": pkg}, "target": map[string]any{"text": text},
	}
}

// chat is a tap on the Send button of a messenger, on a whole screen: to whom and
// what can be read there.
func chat(to, text string) map[string]any {
	tree := fmt.Sprintf(`<?xml version="1.0"?><hierarchy rotation="0">
<node class="android.widget.FrameLayout" package="com.whatsapp" bounds="[0,0][1080,2400]" enabled="true">
 <node class="android.widget.TextView" resource-id="com.whatsapp:id/conversation_contact_name" text=%q package="com.whatsapp" bounds="[200,90][800,180]" enabled="true"/>
 <node class="android.widget.TextView" text="See you there!" package="com.whatsapp" bounds="[60,600][700,700]" enabled="true"/>
 <node class="android.widget.EditText" resource-id="com.whatsapp:id/entry" text=%q package="com.whatsapp" bounds="[60,2200][900,2330]" clickable="true" focused="true" enabled="true"/>
 <node class="android.widget.ImageButton" resource-id="com.whatsapp:id/send" content-desc="Send" package="com.whatsapp" bounds="[920,2200][1060,2330]" clickable="true" enabled="true"/>
</node></hierarchy>`, to, text)
	return map[string]any{
		"action": map[string]any{"kind": "tap", "x": 990, "y": 2265},
		"screen": map[string]any{"package": "com.whatsapp", "tree": tree, "width": 1080, "height": 2400},
		"task":   "Tell " + to + " that I am late",
	}
}

// transfer is a tap on the Pay button of a bank: critical.
func transfer(to, amount string) map[string]any {
	tree := fmt.Sprintf(`<?xml version="1.0"?><hierarchy rotation="0">
<node class="android.widget.FrameLayout" package="com.paypal.android.p2pmobile" bounds="[0,0][1080,2400]" enabled="true">
 <node class="android.widget.TextView" text="Review transfer" package="com.paypal.android.p2pmobile" bounds="[60,90][800,180]" enabled="true"/>
 <node class="android.widget.TextView" text="To" package="com.paypal.android.p2pmobile" bounds="[60,300][200,380]" enabled="true"/>
 <node class="android.widget.TextView" resource-id="com.paypal.android.p2pmobile:id/recipient" text=%q package="com.paypal.android.p2pmobile" bounds="[220,300][900,380]" enabled="true"/>
 <node class="android.widget.TextView" text="Amount" package="com.paypal.android.p2pmobile" bounds="[60,400][200,480]" enabled="true"/>
 <node class="android.widget.TextView" text=%q package="com.paypal.android.p2pmobile" bounds="[220,400][900,480]" enabled="true"/>
 <node class="android.widget.Button" resource-id="com.paypal.android.p2pmobile:id/pay" text="Pay now" package="com.paypal.android.p2pmobile" bounds="[60,2200][1020,2330]" clickable="true" enabled="true"/>
</node></hierarchy>`, to, amount)
	return map[string]any{
		"action": map[string]any{"kind": "tap", "x": 540, "y": 2265},
		"screen": map[string]any{"package": "com.paypal.android.p2pmobile", "tree": tree, "width": 1080, "height": 2400},
	}
}

// inBrowser is a page in a browser on the phone, with its address bar, its title
// and a button.
func inBrowser(address, title, button string) string {
	return fmt.Sprintf(`<?xml version="1.0"?><hierarchy rotation="0">
<node class="android.widget.FrameLayout" package="com.android.chrome" bounds="[0,0][1080,2400]" enabled="true">
 <node class="android.widget.EditText" resource-id="com.android.chrome:id/url_bar" text="%s" package="com.android.chrome" bounds="[60,90][900,180]" clickable="true" focused="true" enabled="true"/>
 <node class="android.webkit.WebView" text="%s" package="com.android.chrome" bounds="[0,200][1080,2400]" enabled="true">
  <node class="android.widget.Button" text="%s" package="com.android.chrome" bounds="[60,1200][1020,1300]" clickable="true" enabled="true"/>
 </node>
</node></hierarchy>`, html.EscapeString(address), html.EscapeString(title), html.EscapeString(button))
}
