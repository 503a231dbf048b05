-- What a killed process had under way counts at the next start, and what nobody counted is told apart (docs/decisions/0015).

ALTER TABLE call_holds ADD COLUMN record TEXT;           -- JSON: core/ports.ts, CallRecord without its counts
ALTER TABLE calls ADD COLUMN estimated INTEGER NOT NULL DEFAULT 0;
UPDATE quota_counts SET used = max(0, used), held = max(0, held);

-- Items of responses that an upstream keeps: whoever refers to one must own its response.
CREATE TABLE response_items (
  id          TEXT NOT NULL,
  response_id TEXT NOT NULL,
  PRIMARY KEY (id, response_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX response_items_response ON response_items (response_id);
