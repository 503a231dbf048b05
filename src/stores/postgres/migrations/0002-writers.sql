-- The number of the last batch that each opening of the store has committed, written with the batch:
-- the only sure answer to "was it committed?" when the connection is lost (decision 0048).
CREATE TABLE writers (
  session TEXT COLLATE "C" PRIMARY KEY,
  batch   BIGINT NOT NULL,
  at      BIGINT NOT NULL -- the server's time
) WITH (fillfactor = 50);
