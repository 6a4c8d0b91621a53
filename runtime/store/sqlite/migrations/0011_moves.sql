-- How far a move into this store is: one row from its beginning to its end, and until then nobody else opens the store.
CREATE TABLE IF NOT EXISTS moves (
  id INTEGER PRIMARY KEY,
  document TEXT NOT NULL
) STRICT;
