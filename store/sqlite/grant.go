package sqlite

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/hold"
)

// grantRecord is a grant as it is stored.
type grantRecord struct {
	id             string
	version        int64
	agent, similar string
	origin         string
	since          int64
	ended          bool
	body           string
}

// grantRecordOf is a grant with its times in whole milliseconds.
func grantRecordOf(of *approval.Grant) (grantRecord, error) {
	g := *of
	for _, t := range []*time.Time{&g.CreatedAt, &g.ExpiresAt, &g.EndedAt} {
		*t = toMilli(*t)
	}
	body, err := json.Marshal(g)
	if err != nil {
		return grantRecord{}, fmt.Errorf("write grant %s: %w", g.ID, err)
	}
	return grantRecord{
		id: g.ID, version: g.Version, agent: g.Agent, similar: g.Similar, origin: g.From,
		since: g.CreatedAt.UnixMilli(), ended: !g.EndedAt.IsZero(), body: string(body),
	}, nil
}

func (r *grantRecord) args() []any {
	return []any{r.id, r.version, r.agent, r.similar, r.origin, r.since, r.ended, r.body}
}

// moveGrant replaces a grant that is at a version.
func (g *group) moveGrant(r *grantRecord, was int64) error {
	moved, err := g.exec(updateGrant, append(r.args(), was)...)
	if err != nil || moved == 1 {
		return err
	}
	there, err := g.exists(selectGrant, r.id)
	switch {
	case err != nil:
		return err
	case there:
		return fmt.Errorf("grant %s: %w", r.id, hold.ErrMoved)
	}
	return fmt.Errorf("grant %s: %w", r.id, hold.ErrNotFound)
}

// Grants returns the grants that match, newest first.
func (s *Store) Grants(ctx context.Context, q hold.GrantQuery) ([]approval.Grant, error) {
	if q.Limit < 0 {
		return nil, unavailable("read grants", fmt.Errorf("a limit of %d", q.Limit))
	}
	if q.Limit == 0 {
		q.Limit = 100
	}
	way := selectGrants
	if q.Open {
		way = selectOpenGrants
	}
	rows, err := s.reader.query(ctx, way, q.ID, q.Agent, q.Similar, q.From, q.Limit)
	if err != nil {
		return nil, unavailable("read grants", err)
	}
	defer rows.Close()
	var list []approval.Grant
	for rows.Next() {
		var body string
		if err := rows.Scan(&body); err != nil {
			return nil, unavailable("read grants", err)
		}
		var g approval.Grant
		if err := json.Unmarshal([]byte(body), &g); err != nil {
			return nil, unavailable("read grants", fmt.Errorf("a stored grant is damaged: %w", err))
		}
		list = append(list, g)
	}
	if err := rows.Err(); err != nil {
		return nil, unavailable("read grants", err)
	}
	return list, nil
}
