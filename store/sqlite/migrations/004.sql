-- Sessions count at the door where they were begun, and nowhere else. Of older
-- ones that is not known: they are signed out.
DROP TABLE sessions;
CREATE TABLE sessions (
	id         TEXT PRIMARY KEY NOT NULL,
	approver   TEXT NOT NULL,
	door       TEXT NOT NULL,
	created_at INTEGER,
	seen_at    INTEGER,
	expires_at INTEGER,
	how        TEXT NOT NULL
) STRICT;
CREATE INDEX sessions_approver ON sessions (approver);
