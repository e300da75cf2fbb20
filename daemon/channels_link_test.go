package daemon

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/countersign/countersign/channel/notice"
)

// With a name that has TLS the message links to the question.
func TestTheLink(t *testing.T) {
	url, came := peer(t, 200)
	g := startGuard(t, plain, house(url), func(o *Options) { o.Remote = Remote{Addr: "127.0.0.1:0", Name: "guard.example.net"} })
	ticket := g.send("Anna")
	var m notice.Message
	if err := json.NewDecoder((<-came).Body).Decode(&m); err != nil {
		t.Fatal(err)
	}
	at, _ := g.RemoteURL()
	if want := at + "/approvals/" + ticket.ID; m.Data.URL != want || !strings.HasPrefix(want, "https://guard.example.net") {
		t.Errorf("it links to %q, want %q", m.Data.URL, want)
	}
}
