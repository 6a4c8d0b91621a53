-- From here on an entry of the log has no values that stand elsewhere: `after` is empty (the record's row, or what the
-- next entry changes, has them), and `before` says how the values before differed from those after. Entries of before
-- stay as they are: they have no digest. digest = of the values behind the entry, so that others are known for what they are.
ALTER TABLE change_log ADD COLUMN digest bigint;

-- The values behind an entry, whole, now and then: who looks far back begins there and not at the record.
CREATE TABLE past_states (
  dataset bigint NOT NULL,
  sequence bigint NOT NULL,
  number bigint NOT NULL,
  body text NOT NULL,
  PRIMARY KEY (dataset, sequence, number)
);
CREATE INDEX past_states_number ON past_states (number);
