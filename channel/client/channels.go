package client

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/countersign/countersign/approval"
	channel "github.com/countersign/countersign/channel/notice"
)

// testTime is how long a channel may take to be tried: it may have to end what it
// is at first.
const testTime = 45 * time.Second

// TestChannel sends a harmless message through a channel of the guard and returns
// how it stands then. That it failed is its state, not an error; a name that no
// channel has is a *Problem.
func (c *Client) TestChannel(ctx context.Context, name string) (channel.State, error) {
	var s channel.State
	err := c.call(ctx, http.MethodPost, "/v1/channels/"+url.PathEscape(name)+"/test", struct{}{}, &s, testTime)
	return s, err
}

// failing are the channels that did not take their last message.
func failing(all []channel.State) []channel.State {
	var out []channel.State
	for _, s := range all {
		if s.State == channel.Fails {
			out = append(out, s)
		}
	}
	return out
}

// channels says which channels fail, on the card of a question that waits: then
// others may not have heard of it.
func (s *sheet) channels(a *approval.Approval, all []channel.State) {
	if a.State != approval.Pending {
		return
	}
	for _, c := range failing(all) {
		s.field("channel", spell(c.Name)+" fails: "+spell(c.Why), yellow)
	}
}

// channelsTitle is the same in the title, in a word each.
func (m *model) channelsTitle() (parts []string) {
	for _, c := range failing(m.status.Channels) {
		parts = append(parts, "channel "+spell(c.Name)+" FAILS")
	}
	return parts
}

// statusAge is how old the status on the page may be. It changes by itself when a
// channel fails.
const statusAge = 15 * time.Second

// ticked is what a second that has gone by asks for.
func (m *model) ticked() []effect {
	effects := []effect{{do: tick}}
	if at := m.now(); at.Sub(m.statedAt) >= statusAge {
		m.statedAt = at
		effects = append(effects, effect{do: askStatus})
	}
	return effects
}
