package sqlite

import (
	"context"
	"database/sql"
	"fmt"
)

// statement names one of the texts below. They are all the SQL there is besides
// the schema; none is put together from input.
type statement int

const (
	beginChange statement = iota
	undoChange
	endChange

	selectHead
	updateHead
	insertRow
	selectRowsAfter
	selectRowsAbout
	selectStoredRows
	selectLastRow
	insertCheckpoint
	deleteNewestCheckpoint
	keepNewestCheckpoint
	selectCheckpoints
	selectNewestCheckpoint

	insertApproval
	updateApproval
	selectApproval
	selectSameApproval
	selectApprovals
	selectApprovalsOfAgent
	selectOpenApprovals

	insertGrant
	updateGrant
	selectGrant
	selectGrants
	selectOpenGrants

	insertKey
	selectKey
	deleteOldKeys
	selectFreeze
	updateFreeze

	saveAgent
	selectAgents
	selectAgentByHash
	selectAgentNamed
	saveApprover
	selectApprovers
	selectApproverByHash
	selectApproverNamed
	saveSession
	selectSession
	deleteSession
	deleteSessionsOf
	deleteExpiredSessions
	insertTicket
	takeTicket
	deleteTicketsOf
	deleteExpiredTickets
	savePasskey
	selectPasskeysOf
	deletePasskey

	statementCount
)

// The fields of an approvals.Query, as the three ways to ask for them share
// them. What is empty matches everything; states are words between commas.
const approvalFilter = `
	AND (?2 = '' OR agent = ?2) AND (?3 = '' OR digest = ?3)
	AND (?4 = '' OR intent = ?4) AND (?5 = '' OR similar = ?5)
	AND (?6 = '' OR instr(?6, ',' || state || ',') > 0)
	ORDER BY since DESC, rowid DESC LIMIT ?7`

// grantFilter is the same for a hold.GrantQuery.
const grantFilter = `
	(?1 = '' OR id = ?1) AND (?2 = '' OR agent = ?2) AND (?3 = '' OR similar = ?3) AND (?4 = '' OR origin = ?4)
	ORDER BY since DESC, rowid DESC LIMIT ?5`

var statements = [statementCount]string{
	beginChange: `SAVEPOINT change`,
	undoChange:  `ROLLBACK TO change`,
	endChange:   `RELEASE change`,

	selectHead:       `SELECT data FROM head WHERE id = 1`,
	updateHead:       `INSERT INTO head (id, data) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET data = excluded.data`,
	insertRow:        `INSERT INTO ledger (seq, subject, data, hash) VALUES (?, ?, ?, ?)`,
	selectRowsAfter:  `SELECT data FROM ledger WHERE seq > ? ORDER BY seq LIMIT ?`,
	selectRowsAbout:  `SELECT data FROM ledger WHERE subject = ? AND subject <> '' ORDER BY seq`,
	selectStoredRows: `SELECT seq, subject, data, hash FROM ledger WHERE seq > ? ORDER BY seq LIMIT ?`,
	selectLastRow:    `SELECT seq, hash FROM ledger ORDER BY seq DESC LIMIT 1`,

	insertCheckpoint:       `INSERT INTO checkpoints (size, text, kept) VALUES (?, ?, ?) ON CONFLICT (size) DO NOTHING`,
	deleteNewestCheckpoint: `DELETE FROM checkpoints WHERE kept = 0`,
	keepNewestCheckpoint:   `UPDATE checkpoints SET kept = 1 WHERE kept = 0`,
	selectCheckpoints:      `SELECT size, text FROM checkpoints WHERE size > ? ORDER BY size LIMIT ?`,
	selectNewestCheckpoint: `SELECT text FROM checkpoints ORDER BY size DESC LIMIT 1`,

	insertApproval: `INSERT INTO approvals (id, state, version, agent, device, digest, intent, similar, since, body)
		VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)`,
	updateApproval: `UPDATE approvals SET state = ?2, version = ?3, agent = ?4, device = ?5, digest = ?6, intent = ?7,
		similar = ?8, since = ?9, body = ?10 WHERE id = ?1 AND version = ?11`,
	selectApproval: `SELECT body FROM approvals WHERE id = ?`,
	selectSameApproval: `SELECT id FROM approvals
		WHERE agent = ? AND device = ? AND digest = ? AND state IN ('pending', 'approved')`,
	selectApprovals:        `SELECT body FROM approvals WHERE since >= ?1` + approvalFilter,
	selectApprovalsOfAgent: `SELECT body FROM approvals WHERE agent = ?2 AND since >= ?1` + approvalFilter,
	selectOpenApprovals: `SELECT body FROM approvals INDEXED BY approvals_open
		WHERE state IN ('pending', 'approved', 'releasing') AND since >= ?1` + approvalFilter,

	insertGrant: `INSERT INTO grants (id, version, agent, similar, origin, since, ended, body)
		VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)`,
	updateGrant: `UPDATE grants SET version = ?2, agent = ?3, similar = ?4, origin = ?5, since = ?6, ended = ?7, body = ?8
		WHERE id = ?1 AND version = ?9`,
	selectGrant:      `SELECT id FROM grants WHERE id = ?`,
	selectGrants:     `SELECT body FROM grants WHERE` + grantFilter,
	selectOpenGrants: `SELECT body FROM grants INDEXED BY grants_open WHERE ended = 0 AND` + grantFilter,

	insertKey:     `INSERT INTO keys (agent, key, request, action, used_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
	selectKey:     `SELECT request, action, used_at FROM keys WHERE agent = ? AND key = ?`,
	deleteOldKeys: `DELETE FROM keys WHERE used_at < ?`,
	selectFreeze:  `SELECT body FROM freeze WHERE id = 1`,
	updateFreeze:  `INSERT INTO freeze (id, body) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET body = excluded.body`,

	saveAgent: `INSERT INTO agents (id, name, folded, devices, secret_hash, created_at, revoked_at, created_by, gate)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name, folded = excluded.folded,
		devices = excluded.devices, secret_hash = excluded.secret_hash, created_at = excluded.created_at,
		revoked_at = excluded.revoked_at, created_by = excluded.created_by, gate = excluded.gate`,
	selectAgents: `SELECT id, name, devices, secret_hash, created_at, revoked_at, created_by, gate FROM agents ORDER BY created_at, id`,
	selectAgentByHash: `SELECT id, name, devices, secret_hash, created_at, revoked_at, created_by, gate FROM agents
		WHERE secret_hash = ?`,
	selectAgentNamed: `SELECT id FROM agents WHERE folded = ? AND revoked_at IS NULL AND id <> ?`,
	saveApprover: `INSERT INTO approvers (id, name, folded, secret_hash, created_at, revoked_at)
		VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name, folded = excluded.folded,
		secret_hash = excluded.secret_hash, created_at = excluded.created_at, revoked_at = excluded.revoked_at`,
	selectApprovers:      `SELECT id, name, secret_hash, created_at, revoked_at FROM approvers ORDER BY created_at, id`,
	selectApproverByHash: `SELECT id, name, secret_hash, created_at, revoked_at FROM approvers WHERE secret_hash = ?`,
	selectApproverNamed:  `SELECT id FROM approvers WHERE folded = ? AND revoked_at IS NULL AND id <> ?`,

	saveSession: `INSERT INTO sessions (id, approver, door, created_at, seen_at, expires_at, how)
		VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET approver = excluded.approver, door = excluded.door,
		created_at = excluded.created_at, seen_at = excluded.seen_at, expires_at = excluded.expires_at, how = excluded.how`,
	selectSession:         `SELECT id, approver, door, created_at, seen_at, expires_at, how FROM sessions WHERE id = ?`,
	deleteSession:         `DELETE FROM sessions WHERE id = ?`,
	deleteSessionsOf:      `DELETE FROM sessions WHERE approver = ?`,
	deleteExpiredSessions: `DELETE FROM sessions WHERE expires_at IS NULL OR expires_at <= ?`,
	insertTicket:          `INSERT INTO tickets (id, approver, created_at, expires_at) VALUES (?, ?, ?, ?)`,
	takeTicket:            `DELETE FROM tickets WHERE id = ? RETURNING id, approver, created_at, expires_at`,
	deleteTicketsOf:       `DELETE FROM tickets WHERE approver = ?`,
	deleteExpiredTickets:  `DELETE FROM tickets WHERE expires_at IS NULL OR expires_at <= ?`,
	savePasskey: `INSERT INTO passkeys (id, approver, name, host, credential, created_at, used_at)
		VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (id) DO UPDATE SET name = excluded.name, host = excluded.host,
		credential = excluded.credential, created_at = excluded.created_at, used_at = excluded.used_at
		WHERE approver = excluded.approver`,
	selectPasskeysOf: `SELECT id, approver, name, host, credential, created_at, used_at FROM passkeys WHERE approver = ?
		ORDER BY created_at, id`,
	deletePasskey: `DELETE FROM passkeys WHERE approver = ? AND id = ?`,
}

// handle is a pool of connections with the statements prepared on it.
type handle struct {
	db       *sql.DB
	prepared [statementCount]*sql.Stmt
}

// prepare prepares every statement, which also shows that the schema is whole.
func (h *handle) prepare(ctx context.Context) error {
	for i := range statements {
		stmt, err := h.db.PrepareContext(ctx, statements[i])
		if err != nil {
			return fmt.Errorf("prepare %.40q: %w", statements[i], err)
		}
		h.prepared[i] = stmt
	}
	return nil
}

// query and queryRow read outside of any transaction.
func (h *handle) query(ctx context.Context, s statement, args ...any) (*sql.Rows, error) {
	return h.prepared[s].QueryContext(ctx, args...)
}

func (h *handle) queryRow(ctx context.Context, s statement, args ...any) *sql.Row {
	return h.prepared[s].QueryRowContext(ctx, args...)
}
