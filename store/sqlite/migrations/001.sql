-- The ledger. Data is what is hashed; seq, subject and hash are computed from
-- it, and verification holds them against it.
CREATE TABLE ledger (
	seq     INTEGER PRIMARY KEY,
	subject TEXT NOT NULL,
	data    BLOB NOT NULL,
	hash    BLOB NOT NULL
) STRICT;
CREATE INDEX ledger_subject ON ledger (subject) WHERE subject <> '';

-- Where the ledger ends: one row.
CREATE TABLE head (
	id   INTEGER PRIMARY KEY CHECK (id = 1),
	data BLOB NOT NULL
) STRICT;

-- Signed checkpoints. The one with kept = 0 is the newest, and gives way to the
-- next.
CREATE TABLE checkpoints (
	size INTEGER PRIMARY KEY,
	text BLOB NOT NULL,
	kept INTEGER NOT NULL
) STRICT;
CREATE INDEX checkpoints_newest ON checkpoints (size) WHERE kept = 0;

-- Questions. Body is the whole of one as JSON; the columns are what is asked
-- for. Since is the time of the last event, in milliseconds.
CREATE TABLE approvals (
	id      TEXT PRIMARY KEY NOT NULL,
	state   TEXT NOT NULL,
	version INTEGER NOT NULL,
	agent   TEXT NOT NULL,
	device  TEXT NOT NULL,
	digest  TEXT NOT NULL,
	intent  TEXT NOT NULL,
	similar TEXT NOT NULL,
	since   INTEGER NOT NULL,
	body    TEXT NOT NULL
) STRICT;
CREATE INDEX approvals_since ON approvals (since);
CREATE INDEX approvals_agent ON approvals (agent, since);
CREATE INDEX approvals_open ON approvals (since) WHERE state IN ('pending', 'approved', 'releasing');
-- Of one question there is one at a time.
CREATE UNIQUE INDEX approvals_same ON approvals (agent, device, digest) WHERE state IN ('pending', 'approved');

-- Idempotency keys; used_at in milliseconds.
CREATE TABLE keys (
	agent   TEXT NOT NULL,
	key     TEXT NOT NULL,
	request TEXT NOT NULL,
	action  TEXT NOT NULL,
	used_at INTEGER NOT NULL,
	PRIMARY KEY (agent, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX keys_used ON keys (used_at);

-- The state of the freeze, as JSON: one row.
CREATE TABLE freeze (
	id   INTEGER PRIMARY KEY CHECK (id = 1),
	body TEXT NOT NULL
) STRICT;

-- Identities. Times are in microseconds, NULL for none; folded is the name in
-- lower case; devices is a JSON list.
CREATE TABLE agents (
	id          TEXT PRIMARY KEY NOT NULL,
	name        TEXT NOT NULL,
	folded      TEXT NOT NULL,
	devices     TEXT NOT NULL,
	secret_hash TEXT NOT NULL UNIQUE,
	created_at  INTEGER,
	revoked_at  INTEGER,
	created_by  TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX agents_name ON agents (folded) WHERE revoked_at IS NULL;

CREATE TABLE approvers (
	id          TEXT PRIMARY KEY NOT NULL,
	name        TEXT NOT NULL,
	folded      TEXT NOT NULL,
	secret_hash TEXT NOT NULL UNIQUE,
	created_at  INTEGER,
	revoked_at  INTEGER
) STRICT;
CREATE UNIQUE INDEX approvers_name ON approvers (folded) WHERE revoked_at IS NULL;

CREATE TABLE sessions (
	id         TEXT PRIMARY KEY NOT NULL,
	approver   TEXT NOT NULL,
	created_at INTEGER,
	seen_at    INTEGER,
	expires_at INTEGER,
	how        TEXT NOT NULL
) STRICT;
CREATE INDEX sessions_approver ON sessions (approver);

CREATE TABLE tickets (
	id         TEXT PRIMARY KEY NOT NULL,
	approver   TEXT NOT NULL,
	created_at INTEGER,
	expires_at INTEGER
) STRICT;
CREATE INDEX tickets_approver ON tickets (approver);
