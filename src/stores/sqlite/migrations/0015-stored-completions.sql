-- Chat completions that callers have stored: rows of responses of their own kind, which are listed by
-- account, model and metadata.
-- compatible from: 14

ALTER TABLE responses ADD COLUMN kind TEXT NOT NULL DEFAULT 'response';
ALTER TABLE responses ADD COLUMN metadata TEXT; -- JSON object of texts
CREATE INDEX responses_completions ON responses (account_id, endpoint, number) WHERE kind = 'completion' AND deleted = 0;
