package client

import (
	"cmp"
	"errors"
	"reflect"
	"slices"
	"time"

	"github.com/countersign/countersign/approval"
)

// readFor is how long a question must have stood on the screen before an answer
// to it counts: what is typed sooner was meant for something else.
const readFor = 700 * time.Millisecond

// A model is what the page knows. It changes by messages alone and asks for
// everything else by effects, so that it can be driven without a terminal.
type model struct {
	now  func() time.Time
	page Page
	bell bool

	width, height int
	status        Status
	statedAt      time.Time // when the status was asked for last, by the clock
	// list are the open questions, oldest first, so that a new one comes last.
	list []approval.Approval
	// shown is the question that is being read, nil when there is none. It stays
	// when it is no longer open, until the reader goes on.
	shown *approval.Approval
	// shownAt is when it came on the screen as it is now.
	shownAt time.Time
	body    []string
	top     int // the first line of body on the screen

	mode  mode
	typed string
	// offer is the grant that is being thought about.
	offer approval.Grant
	// sending says that an answer is under way.
	sending bool
	// notice is a line about what just happened; gone stands while the guard
	// cannot be asked.
	notice, gone string
	seen         string // the version of list
}

// mode is what the next key is read as.
type mode uint8

const (
	reading mode = iota
	approving
	approvingCritical
	granting
	denying
	revoking
	freezing
	unfreezing
)

// The messages, besides those of the terminal.
type (
	// listed is what the door has open, or why that is not known.
	listed struct {
		list Questions
		err  error
	}
	// looked is one question.
	looked struct {
		id    string
		found approval.Approval
		err   error
	}
	// done is what became of an answer, of freezing or unfreezing.
	done struct {
		do    verb
		id    string
		found approval.Approval
		err   error
	}
	stated struct {
		status Status
		err    error
	}
	ticked struct{}
)

// listed takes over the open questions. The one that is being read stays where
// it is, whatever came or went.
func (m *model) listed(msg listed) []effect {
	if msg.err != nil {
		m.gone = notice(msg.err)
		return []effect{{do: fetch, seen: m.seen, after: retryAfter(msg.err)}}
	}
	next := effect{do: fetch, seen: msg.list.Version}
	effects := []effect{{do: askStatus}}
	if m.seen == msg.list.Version && m.seen != "" {
		next.after, effects = samePause, nil
	}
	m.seen, m.gone, m.status.Frozen = msg.list.Version, "", msg.list.Frozen
	if m.bell && m.anyNew(msg.list.Approvals) {
		effects = append(effects, effect{do: ring})
	}
	m.list = slices.SortedStableFunc(slices.Values(msg.list.Approvals), func(a, b approval.Approval) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	effects = append(effects, next)
	if m.shown == nil {
		m.show(m.first())
		return effects
	}
	if i := m.at(m.shown.ID); i >= 0 {
		m.refresh(m.list[i])
	} else if m.shown.State.Open() {
		effects = append(effects, effect{do: look, id: m.shown.ID})
	}
	m.layout()
	return effects
}

// anyNew reports whether a question waits that was not in the list before.
func (m *model) anyNew(list []approval.Approval) bool {
	return slices.ContainsFunc(list, func(a approval.Approval) bool {
		return a.State == approval.Pending && m.at(a.ID) < 0
	})
}

// at is the place of a question in the list, -1 when it is not there.
func (m *model) at(id string) int {
	return slices.IndexFunc(m.list, func(a approval.Approval) bool { return a.ID == id })
}

// first is the question to begin with: the oldest that waits, else any.
func (m *model) first() *approval.Approval {
	if i := slices.IndexFunc(m.list, func(a approval.Approval) bool { return a.State == approval.Pending }); i >= 0 {
		return &m.list[i]
	}
	if len(m.list) > 0 {
		return &m.list[0]
	}
	return nil
}

// show puts a question on the screen.
func (m *model) show(a *approval.Approval) {
	m.shown, m.top, m.typed = nil, 0, ""
	if m.mode != freezing && m.mode != unfreezing { // those are not about a question
		m.mode = reading
	}
	if a != nil {
		copied := *a
		m.shown = &copied
	}
	m.layout()
	m.shownAt = m.now()
}

// refresh takes over what is new of the question that is being read. Where its
// text changed it has to be read again before an answer counts.
func (m *model) refresh(a approval.Approval) {
	was := *m.shown
	if a.State != approval.Pending && a.Digest == was.Digest {
		a.Card = was.Card // a settled one may come back without its secrets
	}
	*m.shown = a
	switch {
	case was.Digest != a.Digest || !reflect.DeepEqual(was.Card, a.Card):
		m.mode, m.typed, m.top = reading, "", 0
		m.notice = "This question has changed; read it again."
		m.layout()
		m.shownAt = m.now()
	case was.State != a.State:
		if m.mode == approving || m.mode == approvingCritical || m.mode == granting || m.mode == denying || a.State != approval.Approved && m.mode == revoking {
			m.mode, m.typed = reading, ""
		}
		if !m.sending {
			m.notice = "This question is now " + stateOf(&a) + "."
		}
	}
}

// looked takes over a question that left the list.
func (m *model) looked(msg looked) []effect {
	if m.shown == nil || m.shown.ID != msg.id {
		return nil
	}
	if msg.err != nil {
		m.notice = notice(msg.err)
		return nil
	}
	m.refresh(msg.found)
	m.layout()
	return nil
}

// done says what became of what was asked of the guard.
func (m *model) done(msg done) []effect {
	m.sending = false
	if msg.do == freeze || msg.do == unfreeze {
		m.notice = doneWords[msg.do]
		if msg.err != nil {
			m.notice = notice(msg.err)
		}
		return []effect{{do: askStatus}}
	}
	if msg.err != nil {
		m.notice = notice(msg.err)
		return []effect{{do: look, id: msg.id}}
	}
	if m.shown != nil && m.shown.ID == msg.id {
		m.refresh(msg.found)
		m.layout()
	}
	if i := m.at(msg.id); i >= 0 {
		m.list[i].State = msg.found.State
	}
	m.notice = doneWords[msg.do]
	return nil
}

var doneWords = map[verb]string{
	approve:  "You said yes. r takes it back while it has not been used; n goes on.",
	grant:    "You said yes, and the same may go on for a while; countersign grants shows it and ends it.",
	deny:     "You said no. The agent is told that it was you, and not to try again.",
	revoke:   "Taken back. Nothing is done on it.",
	freeze:   "Everything is frozen. u lets the agents go on.",
	unfreeze: "The agents may go on. What was stopped stays stopped.",
}

// layout sets the card for the screen's width.
func (m *model) layout() {
	m.body = nil
	if m.shown != nil && m.width > 0 {
		m.page.Width = m.width
		m.page.Level, m.page.Channels = m.status.Level, m.status.Channels
		m.body = splitLines(m.page.Card(*m.shown, m.now()))
		if m.mode == granting {
			m.body = append(m.grantLines(), m.body...)
		}
	}
	m.scroll(0)
}

// scroll moves the card by lines within its bounds.
func (m *model) scroll(by int) { m.top = m.within(m.top + by) }

// within is a first line that leaves no room below the card.
func (m *model) within(top int) int { return max(0, min(top, len(m.body)-m.bodyHeight())) }

// readLongEnough reports whether an answer counts by now.
func (m *model) readLongEnough() bool {
	return m.fits() && m.shown != nil && m.now().Sub(m.shownAt) >= readFor
}

// notice is an error as a line.
func notice(err error) string {
	var p *Problem
	switch {
	case errors.As(err, &p):
		return p.Error()
	case errors.Is(err, ErrNotRunning):
		return lostNotice
	}
	return spell(err.Error())
}

const lostNotice = "No guard is running; start it with countersign up. This page goes on when it is there."
