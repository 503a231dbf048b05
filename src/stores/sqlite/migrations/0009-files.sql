-- Files that belong to an account, not to a task.

CREATE TABLE files (
  account_id TEXT NOT NULL,
  family     TEXT NOT NULL,
  id         TEXT NOT NULL,
  endpoint   TEXT NOT NULL,
  purpose    TEXT NOT NULL,
  key        TEXT NOT NULL,             -- of its blob, which rows of `blobs` may share
  sha256     TEXT NOT NULL,
  facts      TEXT NOT NULL,             -- JSON: kit/requests/capability.ts, FileFacts
  name       TEXT,
  detail     TEXT,                      -- JSON
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,          -- 0: removed, for the next sweep
  PRIMARY KEY (account_id, family, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX files_key ON files (key);
CREATE INDEX files_expiry ON files (expires_at);
