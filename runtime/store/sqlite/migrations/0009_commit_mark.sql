-- Which store it is, how many commits it has had, and whether it was closed in order: one row, written with every
-- commit. A
-- database whose write-ahead log does not go on from its own mark lost something.
CREATE TABLE commit_mark (
  id INTEGER PRIMARY KEY,
  mark BLOB NOT NULL
) STRICT;
INSERT INTO commit_mark (id, mark) VALUES
  (1, CAST(x'5f1d9c42a7e04b3e8c6ad20f71b893e5' || randomblob(8) || x'000000000000000001' AS BLOB));
