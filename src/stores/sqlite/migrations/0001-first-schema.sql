-- Wide and written about three times in a task's life. A rowid table: rows of about 1 KB would spill to overflow pages in an index b-tree.
CREATE TABLE tasks (
  id               TEXT PRIMARY KEY,
  account_id       TEXT NOT NULL,
  key_id           TEXT NOT NULL,
  endpoint         TEXT NOT NULL,
  family           TEXT NOT NULL,
  capability       TEXT NOT NULL,
  model            TEXT NOT NULL,
  state            TEXT NOT NULL,
  progress         INTEGER NOT NULL DEFAULT 0,
  request          TEXT NOT NULL,
  inputs           TEXT,                -- JSON array of artifacts
  outputs          TEXT,                -- JSON array of artifacts
  result           TEXT,
  failure          TEXT,
  webhook_url      TEXT,
  webhook_secret   TEXT,                -- sealed
  public_url       TEXT NOT NULL,
  client_reference TEXT,
  traceparent      TEXT,
  created_at       INTEGER NOT NULL,
  started_at       INTEGER,
  finished_at      INTEGER,
  deadline_at      INTEGER NOT NULL,
  expires_at       INTEGER NOT NULL
) STRICT;
CREATE INDEX tasks_account ON tasks (account_id, id);
CREATE INDEX tasks_state ON tasks (state, id);
CREATE INDEX tasks_family ON tasks (family, id);
CREATE UNIQUE INDEX tasks_reference ON tasks (account_id, client_reference) WHERE client_reference IS NOT NULL;
CREATE INDEX tasks_expiry ON tasks (expires_at) WHERE finished_at IS NOT NULL;

-- Live work only: deleted when the task ends.
CREATE TABLE jobs (
  task_id           TEXT PRIMARY KEY,
  queue             TEXT NOT NULL,
  account_id        TEXT NOT NULL,
  key_id            TEXT NOT NULL,
  state             TEXT NOT NULL,      -- ready | leased | parked
  run_at            INTEGER NOT NULL,
  deadline_at       INTEGER NOT NULL,
  concurrency_limit INTEGER,            -- of the key at submit; NULL: none
  attempt           INTEGER NOT NULL DEFAULT 0,
  token             INTEGER NOT NULL DEFAULT 0,
  owner             TEXT,               -- node that holds the lease
  driver            TEXT,               -- set with target and handle once the generation has been started
  target            TEXT,
  handle            TEXT,
  last_error        TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX jobs_queue ON jobs (queue, state, run_at);
CREATE INDEX jobs_key ON jobs (key_id, state);
CREATE INDEX jobs_deadline ON jobs (deadline_at);
CREATE INDEX jobs_owner ON jobs (owner) WHERE state = 'leased';
CREATE INDEX jobs_parked ON jobs (key_id, run_at) WHERE state = 'parked';

-- Append-only history.
CREATE TABLE task_events (
  task_id  TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  at       INTEGER NOT NULL,
  type     TEXT NOT NULL,
  data     TEXT NOT NULL,
  PRIMARY KEY (task_id, sequence)
) STRICT, WITHOUT ROWID;

-- Large facts beside the result, kept out of the rows that polls read.
CREATE TABLE task_details (
  task_id TEXT PRIMARY KEY,
  detail  TEXT NOT NULL
) STRICT;

-- A node that was declared dead stays as a row until its next heartbeat has been told so.
CREATE TABLE nodes (
  id         TEXT PRIMARY KEY,
  expires_at INTEGER NOT NULL,
  dead       INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE TABLE idempotency (
  account_id  TEXT NOT NULL,
  key         TEXT NOT NULL,
  task_id     TEXT NOT NULL,
  body_sha256 TEXT NOT NULL,
  expires_at  INTEGER NOT NULL,
  PRIMARY KEY (account_id, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_expiry ON idempotency (expires_at);

-- Webhooks not yet delivered; url and secret stay with the task.
CREATE TABLE outbox (
  id          TEXT PRIMARY KEY,
  task_id     TEXT NOT NULL,
  state       TEXT NOT NULL,            -- due | leased | dead
  attempt     INTEGER NOT NULL DEFAULT 0,
  run_at      INTEGER NOT NULL,
  token       INTEGER NOT NULL DEFAULT 0,
  owner       TEXT,
  last_status INTEGER,
  last_error  TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX outbox_due ON outbox (state, run_at);
CREATE INDEX outbox_task ON outbox (task_id);

-- Lines make a count exactly once; the daily totals are what is read.
CREATE TABLE usage (
  id          TEXT PRIMARY KEY,
  account_id  TEXT NOT NULL,
  key_id      TEXT NOT NULL,
  model       TEXT NOT NULL,
  unit        TEXT NOT NULL,
  units       REAL NOT NULL,
  cost_micros INTEGER NOT NULL,
  at          INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE usage_days (
  day         TEXT NOT NULL,            -- YYYY-MM-DD, UTC
  account_id  TEXT NOT NULL,
  key_id      TEXT NOT NULL,
  model       TEXT NOT NULL,
  unit        TEXT NOT NULL,
  units       REAL NOT NULL,
  cost_micros INTEGER NOT NULL,
  PRIMARY KEY (day, account_id, key_id, model, unit)
) STRICT, WITHOUT ROWID;

-- Several rows may point to one content: key is its hash.
CREATE TABLE blobs (
  id         TEXT PRIMARY KEY,
  key        TEXT NOT NULL,
  account_id TEXT NOT NULL,
  task_id    TEXT NOT NULL,
  role       TEXT NOT NULL,             -- input | output
  media_type TEXT NOT NULL,
  bytes      INTEGER NOT NULL,
  sha256     TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX blobs_key ON blobs (key);
CREATE INDEX blobs_sha256 ON blobs (sha256);
CREATE INDEX blobs_expiry ON blobs (expires_at);

CREATE TABLE accounts (
  id             TEXT PRIMARY KEY,
  name           TEXT NOT NULL,
  source         TEXT NOT NULL,
  webhook_secret TEXT,                  -- sealed
  created_at     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE access_keys (
  id               TEXT PRIMARY KEY,
  account_id       TEXT NOT NULL,
  name             TEXT NOT NULL,
  sha256           TEXT NOT NULL UNIQUE,
  hint             TEXT NOT NULL,
  scopes           TEXT NOT NULL,       -- JSON
  rate_per_minute  INTEGER,
  concurrent_tasks INTEGER,
  expires_at       INTEGER,
  revoked_at       INTEGER,
  source           TEXT NOT NULL,
  created_at       INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX access_keys_account ON access_keys (account_id);

CREATE TABLE endpoints (
  account_id TEXT NOT NULL,
  name       TEXT NOT NULL,
  routes     TEXT NOT NULL,             -- JSON
  source     TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE signing_keys (
  id         TEXT PRIMARY KEY,
  secret     TEXT NOT NULL,             -- sealed
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE meta (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
