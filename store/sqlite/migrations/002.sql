-- Grants. Body is the whole of one as JSON; the columns are what is asked for.
-- Similar and agent are those of the question it came with, origin that one's id;
-- since is when it was given, in milliseconds; ended is 1 once it was ended.
CREATE TABLE grants (
	id      TEXT PRIMARY KEY NOT NULL,
	version INTEGER NOT NULL,
	agent   TEXT NOT NULL,
	similar TEXT NOT NULL,
	origin  TEXT NOT NULL,
	since   INTEGER NOT NULL,
	ended   INTEGER NOT NULL,
	body    TEXT NOT NULL
) STRICT;
CREATE INDEX grants_since ON grants (since);
CREATE INDEX grants_open ON grants (since) WHERE ended = 0;
