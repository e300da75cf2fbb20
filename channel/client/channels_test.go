package client

import (
	"errors"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	channel "github.com/countersign/countersign/channel/notice"
)

// failed are two channels, of which one fails with hostile words.
var failed = []channel.State{
	{Name: "desk", Kind: "hook", State: channel.Works},
	{Name: "phone\x1b[2J", Kind: "push", State: channel.Fails, Why: "refused\x1b[2J\u202e by “nobody”"},
}

// A channel that fails is said in the title and on the card of a question that
// waits, without anything that steers the terminal.
func TestAFailingChannelIsSaid(t *testing.T) {
	d := newDesk(t, 100, 40, ordinary())
	if strings.Contains(d.view(), "channel") {
		t.Fatalf("a channel is spoken of where none is known:\n%s", d.view())
	}
	d.say(stated{status: Status{Level: "same user", Channels: failed}})
	d.wantShown(`channel phone\u001b[2J FAILS`)
	d.wantShown(`channel phone\u001b[2J fails: refused\u001b[2J\u202e by “nobody”`)
	if strings.Contains(d.view(), "desk") {
		t.Errorf("one that works is complained about:\n%s", d.view())
	}
	over := ordinary()
	over.State = approval.Denied
	if card := (Page{Width: 80, Channels: failed}).Card(over, noon); strings.Contains(card, "fails") {
		t.Errorf("a question that is over says it too:\n%s", card)
	}
	d.say(stated{status: Status{Channels: failed[:1]}})
	if strings.Contains(d.view(), "FAILS") {
		t.Errorf("it works again and is complained about:\n%s", d.view())
	}
}

// The status is asked for again by itself, and not with every second.
func TestStatusIsRenewed(t *testing.T) {
	d := newDesk(t, 80, 24, ordinary())
	asked := 0
	for range 60 {
		d.wait(time.Second)
		d.asked = nil
		d.say(ticked{})
		for _, e := range d.asked {
			if e.do == askStatus {
				asked++
			}
		}
	}
	if asked != 4 {
		t.Errorf("asked %d times in a minute, want 4", asked)
	}
}

func TestTestChannel(t *testing.T) {
	d := openDoor(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/v1/channels/none") {
			w.WriteHeader(http.StatusNotFound)
			io.WriteString(w, `{"status":404,"code":"no_such_channel","detail":"there is no such channel; there are phone"}`)
			return
		}
		io.WriteString(w, `{"name":"a/b","kind":"push","state":"fails","why":"no","last_failure":"2026-03-04T12:00:00Z"}`)
	})
	c := d.client(t, Options{})
	s, err := c.TestChannel(t.Context(), "a/b")
	want := channel.State{Name: "a/b", Kind: "push", State: channel.Fails, Why: "no", LastFailure: time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)}
	if err != nil || !reflect.DeepEqual(s, want) {
		t.Errorf("%+v, %v", s, err)
	}
	_, err = c.TestChannel(t.Context(), "none")
	if p := (*Problem)(nil); !errors.As(err, &p) || p.Code != "no_such_channel" {
		t.Errorf("an unknown one: %v", err)
	}
	came := d.requests()
	if len(came) != 2 || came[0].Method != "POST" || came[0].URI != "/v1/channels/a%2Fb/test" || came[0].Body != "{}" {
		t.Errorf("it sent %+v", came)
	}
}
