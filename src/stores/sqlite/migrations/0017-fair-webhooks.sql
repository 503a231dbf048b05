-- Decision 0008: the claim of webhook deliveries goes from account to account.
-- compatible from: 14

ALTER TABLE outbox ADD COLUMN account_id TEXT NOT NULL DEFAULT ''; -- '': written by an older program
UPDATE outbox SET account_id = coalesce((SELECT account_id FROM tasks WHERE tasks.id = outbox.task_id), '');
CREATE INDEX outbox_account ON outbox (state, account_id, run_at);
