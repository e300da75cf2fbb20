package client

import "github.com/countersign/countersign/approval"

// offered is the grant that may be given with a yes, or that there is none.
type offered struct {
	// id and digest are those of the question that it goes with.
	id, digest string
	grant      approval.Grant
	ok         bool
	err        error
}

// mayGrant reports whether a grant can be thought of for a question. The guard
// has the last word: it knows what was taken out of the card.
func mayGrant(a *approval.Approval) bool {
	_, ok := approval.GrantFor(a)
	return ok && a.State == approval.Pending
}

const noGrantNotice = "No grant may be given with this question; a answers it for this time."

// askOffer asks the guard what may be granted with the question that is shown.
func (m *model) askOffer() []effect {
	if !mayGrant(m.shown) {
		m.notice = noGrantNotice
		return nil
	}
	m.begin(reading)
	m.sending = true
	return []effect{{do: offer, id: m.shown.ID, digest: m.shown.Digest}}
}

// offered puts the grant before the reader, who has to say yes to it.
func (m *model) offered(msg offered) {
	m.sending = false
	switch {
	case m.shown == nil || m.shown.ID != msg.id || m.shown.Digest != msg.digest || m.mode != reading || m.shown.State != approval.Pending:
		return // the reader or the question has gone on
	case msg.err != nil:
		m.notice = notice(msg.err)
		return
	case !msg.ok:
		m.notice = noGrantNotice
		return
	}
	m.offer = msg.grant
	m.begin(granting)
	m.top = 0
	m.layout()
	if m.grantHidden() {
		return
	}
	m.shownAt = m.now() // it has to be read before a key counts
}

// grantHidden gives a grant up whose scope the terminal cannot show in full.
func (m *model) grantHidden() bool {
	if len(m.grantLines()) <= m.bodyHeight() {
		return false
	}
	m.begin(reading)
	m.layout()
	m.notice = "This terminal is too small to show what the grant would cover. Make it larger, or answer with a."
	return true
}

// terms are those of the grant that is offered.
func (m *model) terms() approval.GrantTerms {
	return approval.GrantTerms{Count: m.offer.Count, For: m.offer.ExpiresAt.Sub(m.offer.CreatedAt)}
}

// grantLines say what a yes would grant, from now on.
func (m *model) grantLines() []string {
	g := Offered(m.offer, m.terms(), m.now())
	lines := fold("Yes to this, and then without being asked again: "+GrantLine(g, m.now())+".", m.width)
	lines = append(lines, fold("Anything wider is asked about. countersign grants shows it and ends it.", m.width)...)
	for i := range lines {
		lines[i] = m.page.Colour.paint(yellow, lines[i])
	}
	return append(lines, "")
}

// confirmGrant reads a key as yes to the grant; every other key is no answer.
func (m *model) confirmGrant(name string) []effect {
	if name == "y" && !m.readLongEnough() {
		m.notice = "That key came before the grant could be read, and is dropped."
		return nil
	}
	if m.grantHidden() { // it was made smaller meanwhile
		return nil
	}
	terms := m.terms()
	m.begin(reading)
	m.layout()
	if name != "y" {
		return nil
	}
	m.sending = true
	return []effect{{do: grant, id: m.shown.ID, digest: m.shown.Digest, terms: terms}}
}
