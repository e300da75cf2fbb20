package answer

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/channel/notice"
	"github.com/countersign/countersign/hold"
)

// MaxWait is how long a list waits at most.
const MaxWait = time.Minute

// The lengths of a list.
const (
	usualList = 100
	maxList   = 500
	// usualOpen is how many open questions are read at first, more than there are on
	// any usual day.
	usualOpen = 5000
)

// openStates and settledStates are all states but approval.None.
var openStates, settledStates = func() (open, settled []approval.State) {
	for _, s := range approval.States() {
		if s.Open() {
			open = append(open, s)
		} else {
			settled = append(settled, s)
		}
	}
	return open, settled
}()

// listing is the answer to a list.
type listing struct {
	Approvals []approval.Approval `json:"approvals"`
	Frozen    bool                `json:"frozen"`
	// Version names what the two above are; the same content, the same version.
	Version string `json:"version"`
	// Now is the guard's time, which deadlines are counted from.
	Now time.Time `json:"now"`
}

// listQuery is what a list was asked for.
type listQuery struct {
	state string
	limit int
	wait  time.Duration
	seen  string
}

func readQuery(values url.Values) (q listQuery, err error) {
	q = listQuery{state: cmp.Or(values.Get("state"), "open"), limit: usualList, seen: values.Get("seen")}
	if !slices.Contains([]string{"open", "settled", "all"}, q.state) {
		return q, problem(http.StatusBadRequest, "bad_query", "state is open, settled or all")
	}
	if text := values.Get("limit"); text != "" {
		if q.limit, err = strconv.Atoi(text); err != nil || q.limit < 1 || q.limit > maxList {
			return q, problem(http.StatusBadRequest, "bad_query", "limit is a number from 1 to %d", maxList)
		}
	}
	if text := values.Get("wait"); text != "" {
		if q.wait, err = time.ParseDuration(text); err != nil || q.wait < 0 {
			return q, problem(http.StatusBadRequest, "bad_query", "wait is a duration such as 30s, at most %v", MaxWait)
		}
		q.wait = min(q.wait, MaxWait)
	}
	return q, nil
}

// list answers with questions, at once or as soon as they differ from what the
// caller has seen.
func (h *handler) list(c *call) error {
	q, err := readQuery(c.r.URL.Query())
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(c.r.Context(), q.wait)
	defer cancel()
	var last <-chan struct{}
	for {
		changed := h.desk.Changed() // before reading, so that no change is missed
		// Reading is not given up when the wait is over.
		l, err := h.listing(c.r.Context(), &q)
		if err != nil {
			return err
		}
		// A channel that is not replaced is that of a closed desk.
		if q.wait == 0 || l.Version != q.seen || changed == last {
			return writeJSON(c.w, http.StatusOK, l)
		}
		last = changed
		select {
		case <-changed:
		case <-ctx.Done():
			return writeJSON(c.w, http.StatusOK, l)
		}
	}
}

func (h *handler) listing(ctx context.Context, q *listQuery) (*listing, error) {
	l := &listing{Now: h.desk.Now()}
	var err error
	switch q.state {
	case "open":
		if l.Approvals, err = h.open(ctx); err == nil {
			l.Approvals = l.Approvals[:min(len(l.Approvals), q.limit)]
		}
	case "settled":
		l.Approvals, err = h.desk.Views(ctx, hold.Query{States: settledStates, Limit: q.limit})
	default:
		l.Approvals, err = h.desk.Views(ctx, hold.Query{Limit: q.limit})
	}
	if err != nil {
		return nil, err
	}
	if l.Approvals == nil {
		l.Approvals = []approval.Approval{}
	}
	freeze, err := h.desk.Frozen(ctx)
	if err != nil {
		return nil, err
	}
	l.Frozen = freeze.Frozen
	l.Version, err = versionOf(l.Approvals, l.Frozen)
	return l, err
}

// open are all open questions: those that wait for a person before those that wait
// for their agent, and the nearest deadline first.
func (h *handler) open(ctx context.Context) ([]approval.Approval, error) {
	list, err := h.all(ctx, openStates)
	slices.SortStableFunc(list, func(a, b approval.Approval) int {
		return cmp.Or(cmp.Compare(a.State, b.State), a.Wake().Compare(b.Wake()))
	})
	return list, err
}

// all are the questions in some states, however many there are: one that is not
// read would be missing where they are counted.
func (h *handler) all(ctx context.Context, states []approval.State) ([]approval.Approval, error) {
	for most := usualOpen; ; most *= 2 {
		list, err := h.desk.Views(ctx, hold.Query{States: states, Limit: most})
		if err != nil || len(list) < most {
			return list, err
		}
	}
}

// versionOf names a content.
func versionOf(content ...any) (string, error) {
	doc, err := json.Marshal(content)
	if err != nil {
		return "", fmt.Errorf("answer: write the list: %w", err)
	}
	sum := sha256.Sum256(doc)
	return base64.RawURLEncoding.EncodeToString(sum[:15]), nil
}

func (h *handler) get(c *call) error {
	a, err := h.desk.View(c.r.Context(), c.r.PathValue("id"))
	if err != nil {
		return err
	}
	return writeJSON(c.w, http.StatusOK, struct {
		approval.Approval
		// Offer is the grant that may be given with a yes, left out where none may.
		Offer *offer `json:"offer,omitempty"`
		// Channels are those that are told of it, and how that went.
		Channels []notice.State `json:"channels"`
	}{a, h.offerFor(a), h.told(a.ID)})
}

// said is the body of an answer.
type said struct {
	Digest string `json:"digest"`
	Note   string `json:"note"`
	// Grant is the grant that comes with a yes, nil for none.
	Grant *grantTerms `json:"grant"`
	// Passkey is what the browser got for the options of /passkey, with a yes.
	Passkey json.RawMessage `json:"passkey"`
	// Typed is what a session's yes above the limit of Options.TypeAbove carries.
	Typed string `json:"typed"`
}

func (h *handler) approve(c *call) error { return h.answer(c, true) }

func (h *handler) deny(c *call) error { return h.answer(c, false) }

func (h *handler) answer(c *call, yes bool) error {
	var s said
	if err := c.body(&s); err != nil {
		return err
	}
	if s.Digest == "" {
		return problem(http.StatusBadRequest, "digest_missing", "an answer carries the digest of the question that was read")
	}
	if yes && c.cookie != "" {
		// What asks for it on the page asks for it here: it is the same browser.
		a, err := h.desk.View(c.r.Context(), c.r.PathValue("id"))
		if err != nil {
			return err
		}
		if err := h.o.checkTyped(&a.Card, s.Typed); err != nil {
			return err
		}
	}
	a, err := h.give(c.r.Context(), c.caller, c.r.PathValue("id"), s, yes)
	if err != nil {
		return err
	}
	return writeJSON(c.w, http.StatusOK, a)
}

// give passes an answer to the desk and returns the question as it stands then.
func (h *handler) give(ctx context.Context, who caller, id string, s said, yes bool) (approval.Approval, error) {
	how := who.how
	if yes {
		var err error
		if how, err = h.inPerson(ctx, who, id, &s); err != nil {
			return approval.Approval{}, err
		}
	}
	a, err := h.desk.Answer(ctx, hold.Answer{
		ID: id, Digest: s.Digest, Yes: yes, By: who.Name, How: how, Note: s.Note, Grant: s.Grant.terms(),
	})
	if err != nil {
		return a, err
	}
	return h.asSeen(ctx, a), nil
}

func (h *handler) revoke(c *call) error {
	var s said
	if err := c.body(&s); err != nil {
		return err
	}
	a, err := h.takeBack(c.r.Context(), c.caller, c.r.PathValue("id"), s)
	if err != nil {
		return err
	}
	return writeJSON(c.w, http.StatusOK, a)
}

// takeBack revokes a question. It needs no digest, since it lets nothing go
// ahead; one that is given has to be right.
func (h *handler) takeBack(ctx context.Context, who caller, id string, s said) (approval.Approval, error) {
	if err := checkNote(s.Note); err != nil {
		return approval.Approval{}, err
	}
	if s.Grant != nil {
		return approval.Approval{}, hold.ErrGrantNo
	}
	if s.Digest != "" {
		a, err := h.desk.View(ctx, id)
		if err != nil {
			return a, err
		}
		if a.Digest != s.Digest {
			return a, hold.ErrDigest
		}
	}
	a, err := h.desk.Revoke(ctx, id, who.Name, who.how, s.Note)
	if err != nil {
		return a, err
	}
	return h.asSeen(ctx, a), nil
}

// asSeen is a question with its whole card while that is known. The answer has
// been given, so that it cannot be read again is no failure.
func (h *handler) asSeen(ctx context.Context, a approval.Approval) approval.Approval {
	if seen, err := h.desk.View(ctx, a.ID); err == nil {
		return seen
	}
	return a
}
