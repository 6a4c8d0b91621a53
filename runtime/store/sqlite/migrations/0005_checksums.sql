-- What a row is compared with when it is read, so that a disk that changed it is found out. Rows of before have
-- none and are compared with nothing: a record gets its own when it is written next, an entry of the log never.
ALTER TABLE records ADD COLUMN checksum INTEGER;
ALTER TABLE change_log ADD COLUMN checksum INTEGER;

-- One number that is raised to see whether the store takes writes.
CREATE TABLE write_proof (
  number INTEGER NOT NULL
) STRICT;
INSERT INTO write_proof (number) VALUES (0);
