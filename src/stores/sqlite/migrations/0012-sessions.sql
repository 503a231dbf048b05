-- Nodes and holds of calls name the opening of the store they belong to: another process may only count
-- the holds of a session without a live node.

ALTER TABLE nodes ADD COLUMN session TEXT NOT NULL DEFAULT '';
ALTER TABLE call_holds ADD COLUMN session TEXT NOT NULL DEFAULT '';
