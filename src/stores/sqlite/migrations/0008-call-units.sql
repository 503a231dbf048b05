-- What a call has used stands as units, whatever its capability.

CREATE TABLE call_units (
  id   INTEGER PRIMARY KEY,
  unit TEXT NOT NULL UNIQUE
) STRICT;
INSERT INTO call_units VALUES (1, 'input_tokens'), (2, 'cached_input_tokens'), (3, 'output_tokens'), (4, 'reasoning_tokens');

CREATE TABLE new_calls (
  id         INTEGER PRIMARY KEY,
  at         INTEGER NOT NULL,
  source_id  INTEGER NOT NULL,
  request_id TEXT NOT NULL,
  status     INTEGER NOT NULL,
  ms         INTEGER NOT NULL,
  estimated  INTEGER NOT NULL,
  units      TEXT NOT NULL                               -- JSON: [id of the unit, amount, cost in millionths, id of the next unit, ...]
) STRICT;
INSERT INTO new_calls
SELECT id, at, source_id, request_id, status, ms, estimated, '[' || substr(
    iif(input_tokens > 0, ',1,' || input_tokens || ',' || input_cost_micros, '') ||
    iif(cached_input_tokens > 0, ',2,' || cached_input_tokens || ',' || cached_input_cost_micros, '') ||
    iif(output_tokens > 0, ',3,' || output_tokens || ',' || output_cost_micros, '') ||
    iif(reasoning_tokens > 0, ',4,' || reasoning_tokens || ',0', ''),
  2) || ']'
FROM calls ORDER BY id;
DROP TABLE calls;
ALTER TABLE new_calls RENAME TO calls;
CREATE INDEX calls_at ON calls (at);
