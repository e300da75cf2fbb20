package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/countersign/countersign/daemon"
)

// remoteAddress is that of the inbox for other devices, where it goes by an
// address.
const remoteAddress = "192.0.2.7"

// spelledAddresses is an agent that opens the guard on the phone by its address in
// another spelling, by the phone's way to this machine, or by one that is put
// together in a shell.
func spelledAddresses(t *testing.T) []way {
	s := besiege(t, func(o *daemon.Options) { o.Remote = daemon.Remote{Addr: "127.0.0.1:0", Name: remoteAddress} })
	port := func(door string) string { return s.addr[door][1][strings.LastIndexByte(s.addr[door][1], ':')+1:] }
	act := func(kind, field, text string) map[string]any {
		return map[string]any{"action": map[string]any{"kind": kind, field: text}}
	}
	link := func(url string) map[string]any { return act("deep_link", "intent", url) }
	shell := func(line string) map[string]any { return act("shell", "shell", line) }
	var ways []way
	refused := func(name string, body map[string]any) {
		ways = append(ways, way{name, func() string {
			if v := s.agent.propose(body); v.Outcome != "deny" || v.Category != "bypass" {
				return fmt.Sprintf("it was not refused as bypass: %s %s %q", v.Outcome, v.Category, v.Message)
			}
			return ""
		}})
	}
	for _, host := range []string{
		remoteAddress, "3221225991", "0xC0.0.2.7", "0xc0000207", "0300.0.01007", "030000001007", "192.0.519", "192.519", "192.0.2.7.", "[::ffff:192.0.2.7]", "[::FFFF:c000:207]", "[64:ff9b::c000:207]",
		"a:b@192.0.519", "%33221225991", "１９２．０．２．７", "１９２。０。５１９", "19\u00ad2.0.2.7", "192.0\t.2.7", "%EF%BC%91%EF%BC%99２.0.2.7",
	} {
		refused("a link to "+host, link("https://"+host+":"+port(atRemote)+"/approvals/"+s.question.ID))
	}
	for door, at := range map[string]string{"the computer's inbox": port(atInbox), "the agents' door": port(atAgents), "the inbox for other devices": port(atRemote)} {
		for _, host := range []string{"localhost", "LOCALHOST.", "x.localhost", "127.0.0.1", "127.1", "2130706433", "0x7f.1", "0177.0.0.1", "127.9.9.9", "0", "0.0.0.0", "[::1]", "[::]", "[::ffff:127.0.0.1]", "10.0.2.2", "10.0.3.2", "0xa000202", "１２７.1"} {
			refused("a link to "+door+" at "+host, link("http://"+host+":"+at+"/"))
		}
	}
	number := "https://3221225991:" + port(atRemote) + "/"
	refused("by an intent", act("intent", "intent", "-a android.intent.action.VIEW -d "+number))
	refused("by a shell line", shell("am start -a android.intent.action.VIEW -d "+number))
	refused("by a shell line, in pieces", shell(`am start -d https://3221"225"'991':`+port(atRemote)))
	refused("by a shell line, escaped in quotes", shell(`am start -d $'https://\x33221225991/'`))
	refused("by a link in a link", link("googlechrome://navigate?url=https%3A%2F%2F%2533221225991%2F"))
	refused("by a tool that is told in JSON", map[string]any{"action": map[string]any{"kind": "tool", "tool": "open_url", "text": `{"url": "https://\u0033221225991/"}`}})
	refused("sends an answer from the phone", shell("curl -k -X POST "+number))
	refused("speaks to the agents' door from a shell", shell("nc 127.0.0.1 "+port(atAgents)))
	refused("types it", map[string]any{"action": map[string]any{"kind": "type", "text": "3221225991:" + port(atRemote)}, "screen": addressBar("")})
	refused("presses Enter on it", map[string]any{"action": map[string]any{"kind": "key", "key": "ENTER"}, "screen": addressBar("192.0.519:" + port(atRemote))})
	refused("presses Enter on it, in wide digits", map[string]any{"action": map[string]any{"kind": "key", "key": "ENTER"}, "screen": addressBar("３２２１２２５９９１")})
	for name, line := range map[string]string{
		"a variable": `h=322122; am start -d https://${h}5991/`, "a command": `am start -d https://$(echo 322122)5991/`, "arithmetic": `am start -d https://$((3221225990+1))/`,
		"a letter escaped in the middle": `am start -d https://32212$'\062'5991/`, "another program's output": `echo aHR0cHM6Ly8z | base64 -d | xargs am start -d`, "a file": `am start -d $(cat /sdcard/x)`,
	} {
		ways = append(ways, way{"put together in a shell from " + name, func() string {
			if v := s.agent.propose(shell(line)); v.Outcome != "deny" && v.Outcome != "confirm" {
				return fmt.Sprintf("nobody was asked: %s %s %q", v.Outcome, v.Category, v.Message)
			}
			return ""
		}})
	}
	for _, other := range []string{"https://3221225992/", "https://192.0.2.70/", "http://10.0.2.3:" + port(atInbox), "http://127.0.0.1:1/"} {
		ways = append(ways, way{"none: opens " + strings.ReplaceAll(other, port(atInbox), "PORT"), func() string {
			if v := s.agent.propose(link(other)); v.Category == "bypass" {
				return "every address is refused, so that nothing is tried: " + v.Message
			}
			return ""
		}})
	}
	return ways
}

// addressBar is a browser with something in the line for addresses.
func addressBar(text string) map[string]any {
	return map[string]any{"package": "com.android.chrome", "tree": fmt.Sprintf(`<hierarchy><node class="android.widget.FrameLayout" package="com.android.chrome" bounds="[0,0][1080,2400]">`+
		`<node class="android.widget.EditText" package="com.android.chrome" text=%q resource-id="com.android.chrome:id/url_bar" focused="true" clickable="true" bounds="[0,0][1080,200]"/></node></hierarchy>`, text)}
}
