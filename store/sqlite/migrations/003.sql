-- Passkeys of approvers. Times are in microseconds, NULL for none; credential is
-- JSON of package identity/passkey.
CREATE TABLE passkeys (
	id         TEXT PRIMARY KEY NOT NULL,
	approver   TEXT NOT NULL,
	name       TEXT NOT NULL,
	host       TEXT NOT NULL,
	credential BLOB NOT NULL,
	created_at INTEGER,
	used_at    INTEGER
) STRICT;
CREATE INDEX passkeys_approver ON passkeys (approver);
