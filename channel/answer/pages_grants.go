package answer

import (
	"net/http"
	"net/url"
	"strconv"

	"github.com/countersign/countersign/channel/inbox"
)

// termsOf are the terms of the grant that a card's form asks for: those that the
// card has shown. The desk holds them against its bounds, and the grant against
// the question.
func termsOf(form url.Values) (*grantTerms, error) {
	count, err := strconv.Atoi(form.Get("count"))
	seconds, err2 := strconv.ParseInt(form.Get("seconds"), 10, 64)
	if err != nil || err2 != nil {
		return nil, problem(http.StatusBadRequest, "bad_grant", "the form does not say for how often and for how long")
	}
	return &grantTerms{Count: count, Seconds: seconds}, nil
}

// grantsPage shows what may go on without a question, and what did.
func (h *handler) grantsPage(c *call) error { return h.grantsNow(c, http.StatusOK, "") }

func (h *handler) grantsNow(c *call, status int, notice string) error {
	f, err := h.frame(c)
	if err != nil {
		return err
	}
	list, err := h.desk.Grants(c.r.Context(), false)
	if err != nil {
		return err
	}
	page, err := inbox.Grants(f, list, notice)
	h.send(c.w, status, page, err)
	return nil
}

// revokeGrantPage ends a grant. That it could not be is said on the page itself.
func (h *handler) revokeGrantPage(c *call) error {
	id := c.r.PathValue("id")
	if err := h.formOf(c, inbox.FormGrant(id)); err != nil {
		return err
	}
	if _, err := h.endGrant(c.r.Context(), c.caller, id); err != nil {
		p, told := problemOf(err)
		if !told || p.Status == http.StatusNotFound {
			return err
		}
		return h.grantsNow(c, p.Status, "It was not revoked: "+p.Detail+".")
	}
	http.Redirect(c.w, c.r, "/grants", http.StatusSeeOther)
	return nil
}
