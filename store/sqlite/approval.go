package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/hold"
)

// record is a question as it is stored.
type record struct {
	id, state                              string
	version                                int64
	agent, device, digest, intent, similar string
	since                                  int64
	body                                   string
}

// recordOf is a question with its times in whole milliseconds.
func recordOf(q *approval.Approval) (record, error) {
	a := *q
	for _, t := range []*time.Time{
		&a.CreatedAt, &a.Deadline, &a.ParkedUntil, &a.UseBy, &a.ReleaseBy, &a.AnsweredAt, &a.SettledAt,
	} {
		*t = toMilli(*t)
	}
	body, err := json.Marshal(a)
	if err != nil {
		return record{}, fmt.Errorf("write question %s: %w", a.ID, err)
	}
	return record{
		id: a.ID, state: a.State.String(), version: a.Version, agent: a.Agent, device: a.Device,
		digest: a.Digest, intent: a.Intent, similar: a.Similar, since: lastEvent(&a).UnixMilli(), body: string(body),
	}, nil
}

// lastEvent is the time that a hold.Query asks for.
func lastEvent(a *approval.Approval) time.Time {
	switch {
	case !a.State.Open() && !a.SettledAt.IsZero():
		return a.SettledAt
	case !a.AnsweredAt.IsZero():
		return a.AnsweredAt
	}
	return a.CreatedAt
}

func (r *record) args() []any {
	return []any{r.id, r.state, r.version, r.agent, r.device, r.digest, r.intent, r.similar, r.since, r.body}
}

// create adds a question unless the same one is open.
func (g *group) create(r *record) error {
	same, err := g.exists(selectSameApproval, r.agent, r.device, r.digest)
	switch {
	case err != nil:
		return err
	case same:
		return hold.ErrJoin
	}
	_, err = g.exec(insertApproval, r.args()...)
	return err
}

// move replaces a question that is at a version.
func (g *group) move(r *record, was int64) error {
	moved, err := g.exec(updateApproval, append(r.args(), was)...)
	if err != nil || moved == 1 {
		return err
	}
	there, err := g.exists(selectApproval, r.id)
	switch {
	case err != nil:
		return err
	case there:
		return fmt.Errorf("question %s: %w", r.id, hold.ErrMoved)
	}
	return fmt.Errorf("question %s: %w", r.id, hold.ErrNotFound)
}

// Approval returns a question by its id.
func (s *Store) Approval(ctx context.Context, id string) (approval.Approval, error) {
	var body string
	err := s.reader.queryRow(ctx, selectApproval, id).Scan(&body)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return approval.Approval{}, fmt.Errorf("sqlite: question %s: %w", id, hold.ErrNotFound)
	case err != nil:
		return approval.Approval{}, unavailable("read a question", err)
	}
	return readApproval(body)
}

// Approvals returns the questions that match, newest first.
func (s *Store) Approvals(ctx context.Context, q hold.Query) ([]approval.Approval, error) {
	if q.Limit < 0 {
		return nil, unavailable("read questions", fmt.Errorf("a limit of %d", q.Limit))
	}
	if q.Limit == 0 {
		q.Limit = 100
	}
	rows, err := s.reader.query(ctx, wayTo(&q), q.Since.UnixMilli(), q.Agent, q.Digest, q.Intent, q.Similar, words(q.States), q.Limit)
	if err != nil {
		return nil, unavailable("read questions", err)
	}
	defer rows.Close()
	var list []approval.Approval
	for rows.Next() {
		var body string
		if err := rows.Scan(&body); err != nil {
			return nil, unavailable("read questions", err)
		}
		a, err := readApproval(body)
		if err != nil {
			return nil, err
		}
		list = append(list, a)
	}
	if err := rows.Err(); err != nil {
		return nil, unavailable("read questions", err)
	}
	return list, nil
}

// wayTo picks the index that leads to the fewest questions.
func wayTo(q *hold.Query) statement {
	open := len(q.States) > 0
	for _, s := range q.States {
		open = open && s.Open()
	}
	switch {
	case open:
		return selectOpenApprovals
	case q.Agent != "":
		return selectApprovalsOfAgent
	}
	return selectApprovals
}

// words is a list of states with a comma on both sides of each, empty for none.
func words(states []approval.State) string {
	if len(states) == 0 {
		return ""
	}
	var b strings.Builder
	for _, s := range states {
		b.WriteString("," + s.String())
	}
	return b.String() + ","
}

func readApproval(body string) (a approval.Approval, err error) {
	if err := json.Unmarshal([]byte(body), &a); err != nil {
		return a, unavailable("read a question", fmt.Errorf("a stored question is damaged: %w", err))
	}
	return a, nil
}
