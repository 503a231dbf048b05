-- What a node reports of itself with its heartbeat (JSON), and the last order of an operator to it.

ALTER TABLE nodes ADD COLUMN name TEXT NOT NULL DEFAULT '';
ALTER TABLE nodes ADD COLUMN beat_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE nodes ADD COLUMN facts TEXT;
ALTER TABLE nodes ADD COLUMN node_order TEXT;       -- drain | resume
