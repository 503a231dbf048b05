-- Who called what, once each: rows of calls stay a third of the size.
CREATE TABLE call_sources (
  id         INTEGER PRIMARY KEY,
  account_id TEXT NOT NULL,
  key_id     TEXT NOT NULL,
  endpoint   TEXT NOT NULL,
  operation  TEXT NOT NULL,
  target     TEXT NOT NULL,
  model      TEXT NOT NULL,
  UNIQUE (account_id, key_id, endpoint, operation, target, model)
) STRICT;

-- Append-only, one row per answered call; old ones are swept.
CREATE TABLE calls (
  id                  INTEGER PRIMARY KEY,
  at                  INTEGER NOT NULL,
  source_id           INTEGER NOT NULL,
  request_id          TEXT NOT NULL,
  status              INTEGER NOT NULL,
  ms                  INTEGER NOT NULL,
  input_tokens        INTEGER NOT NULL,
  output_tokens       INTEGER NOT NULL,
  cached_input_tokens INTEGER NOT NULL,
  reasoning_tokens    INTEGER NOT NULL
) STRICT;
CREATE INDEX calls_at ON calls (at);

-- Turns of stored conversations. A tombstone keeps its parent and nothing else of its contents.
CREATE TABLE responses (
  number       INTEGER PRIMARY KEY,     -- grows from old to new
  id           TEXT NOT NULL UNIQUE,
  account_id   TEXT NOT NULL,
  endpoint     TEXT NOT NULL,
  parent_id    TEXT,
  model        TEXT NOT NULL,
  target       TEXT,
  task_id      TEXT,
  content      TEXT,                    -- JSON
  content_blob TEXT,                    -- id of the blob that holds the JSON instead; its blobs.task_id is the response's id
  created_at   INTEGER NOT NULL,
  expires_at   INTEGER NOT NULL,
  deleted      INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX responses_parent ON responses (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX responses_expiry ON responses (expires_at) WHERE deleted = 0;
CREATE INDEX responses_tombstones ON responses (deleted) WHERE deleted = 1;
