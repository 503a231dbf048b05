-- Lists of an account's tasks by state or family read no tasks of other accounts.
-- compatible from: 14

CREATE INDEX tasks_account_state ON tasks (account_id, state, id);
CREATE INDEX tasks_account_family ON tasks (account_id, family, id);
