-- A hold whose call was counted because its process seemed to have died: kept for a day, so that a
-- late record of the call takes the place of that count.

ALTER TABLE call_holds ADD COLUMN counted_at INTEGER;
