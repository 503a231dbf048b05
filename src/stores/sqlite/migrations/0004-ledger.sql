-- Holds, quotas and open lines (docs/decisions/0011), and what a sent generation goes on with.

ALTER TABLE jobs ADD COLUMN hold TEXT;                   -- JSON: core/ledger.ts, Hold
ALTER TABLE jobs ADD COLUMN account_limit INTEGER;       -- runnable jobs of the account at submit; NULL: none
ALTER TABLE jobs ADD COLUMN target_model TEXT;
ALTER TABLE jobs ADD COLUMN target_settings TEXT;        -- JSON, sealed
CREATE INDEX jobs_account_limit ON jobs (account_id, state, key_id) WHERE account_limit IS NOT NULL;

-- One row for each quota and window that something was held or used in; kept until the window is over.
CREATE TABLE quota_counts (
  id      TEXT PRIMARY KEY,                              -- core/ledger.ts, QuotaShare
  used    REAL NOT NULL,
  held    REAL NOT NULL,
  ends_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX quota_counts_end ON quota_counts (ends_at);

-- Holds of calls under way; those of tasks stand in their jobs.
CREATE TABLE call_holds (
  id   TEXT PRIMARY KEY,
  hold TEXT NOT NULL,
  at   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Holds of ended tasks of which nobody knows whether they cost anything.
CREATE TABLE open_lines (
  task_id    TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  key_id     TEXT NOT NULL,
  model      TEXT NOT NULL,
  target     TEXT NOT NULL,
  hold       TEXT NOT NULL,
  at         INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

ALTER TABLE calls ADD COLUMN input_cost_micros INTEGER NOT NULL DEFAULT 0;
ALTER TABLE calls ADD COLUMN cached_input_cost_micros INTEGER NOT NULL DEFAULT 0;
ALTER TABLE calls ADD COLUMN output_cost_micros INTEGER NOT NULL DEFAULT 0;

ALTER TABLE accounts ADD COLUMN limits TEXT;             -- JSON: core/ports.ts, Limits
ALTER TABLE access_keys ADD COLUMN limits TEXT;
UPDATE access_keys SET limits = json_patch(
  CASE WHEN rate_per_minute IS NULL THEN '{}' ELSE json_object('ratePerMinute', rate_per_minute) END,
  CASE WHEN concurrent_tasks IS NULL THEN '{}' ELSE json_object('concurrentTasks', concurrent_tasks) END
) WHERE rate_per_minute IS NOT NULL OR concurrent_tasks IS NOT NULL;
ALTER TABLE access_keys DROP COLUMN rate_per_minute;
ALTER TABLE access_keys DROP COLUMN concurrent_tasks;
