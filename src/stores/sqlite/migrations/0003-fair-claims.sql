-- Decision 0008: a claim first takes jobs that have begun, then goes from account to account.

-- 1: started, being stopped or of unknown fate: what waits is a look at something that runs already.
ALTER TABLE jobs ADD COLUMN begun INTEGER NOT NULL DEFAULT 0;
UPDATE jobs SET begun = 1
WHERE driver IS NOT NULL OR task_id IN (SELECT id FROM tasks WHERE state IN ('cancelling', 'unknown'));

DROP INDEX jobs_queue;
CREATE INDEX jobs_account ON jobs (queue, state, begun, account_id, run_at);
CREATE INDEX jobs_begun ON jobs (queue, run_at) WHERE state = 'ready' AND begun = 1;
