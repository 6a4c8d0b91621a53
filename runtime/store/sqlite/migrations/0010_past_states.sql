-- From here on an entry of the log has no values that stand elsewhere: `after` is empty (the record's row, or what the
-- next entry changes, has them), and `before` says how the values before differed from those after. Entries of before
-- stay as they are.

-- The values behind an entry, whole, now and then: who looks far back begins there and not at the record.
CREATE TABLE past_states (
  place INTEGER NOT NULL,
  number INTEGER NOT NULL,
  body TEXT NOT NULL,
  checksum INTEGER NOT NULL,
  PRIMARY KEY (place, number)
) STRICT, WITHOUT ROWID;
