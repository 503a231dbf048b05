-- Secrets with which holders of access keys sign short-lived tokens.

CREATE TABLE token_secrets (
  key_id     TEXT PRIMARY KEY,
  secret     TEXT NOT NULL,             -- sealed
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
