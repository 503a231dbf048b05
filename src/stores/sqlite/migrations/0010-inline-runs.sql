-- Jobs whose caller waits for them at one node.

ALTER TABLE jobs ADD COLUMN pin TEXT;                    -- node that alone may claim it
ALTER TABLE jobs ADD COLUMN inline INTEGER NOT NULL DEFAULT 0;
CREATE INDEX jobs_pin ON jobs (pin) WHERE pin IS NOT NULL;
