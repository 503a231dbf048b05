-- Calls in progress in a killed process are counted at the next start, and estimates are marked (docs/decisions/0015).

ALTER TABLE call_holds ADD COLUMN record TEXT;           -- JSON: core/ports.ts, CallRecord without its counts
ALTER TABLE calls ADD COLUMN estimated INTEGER NOT NULL DEFAULT 0;
UPDATE quota_counts SET used = max(0, used), held = max(0, held);

-- Items of responses that an upstream stores: a caller that refers to one must own its response.
CREATE TABLE response_items (
  id          TEXT NOT NULL,
  response_id TEXT NOT NULL,
  PRIMARY KEY (id, response_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX response_items_response ON response_items (response_id);
