-- How far a move into this store is: one row from its beginning to its end, and until then nobody else opens the store.
CREATE TABLE moves (
  id bigint PRIMARY KEY,
  document text NOT NULL
);
