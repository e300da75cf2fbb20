package answer

import (
	"errors"
	"net/http"

	"github.com/countersign/countersign/channel/notice"
)

// channels are how the channels stand; an empty list where there are none.
func (h *handler) channels() []notice.State {
	if h.o.Channels == nil {
		return []notice.State{}
	}
	return h.o.Channels()
}

// told are the channels that are told of a question, and how that went.
func (h *handler) told(id string) []notice.State {
	if h.o.Told == nil {
		return []notice.State{}
	}
	return h.o.Told(id)
}

// testChannel sends a harmless message through a channel. That it failed is no
// fault of the request: the answer says so.
func (h *handler) testChannel(c *call) error {
	if err := c.body(&struct{}{}); err != nil {
		return err
	}
	if h.o.TestChannel == nil {
		return problem(http.StatusNotImplemented, "no_channels", "this guard has no channels")
	}
	state, err := h.o.TestChannel(c.r.Context(), c.r.PathValue("name"))
	switch {
	case errors.Is(err, notice.ErrUnknown):
		return problem(http.StatusNotFound, "no_such_channel", "%v", err)
	case err != nil:
		return problem(http.StatusServiceUnavailable, "not_tried", "the channel was busy with another message until the time was over; try again")
	}
	return writeJSON(c.w, http.StatusOK, state)
}
