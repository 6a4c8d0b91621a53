-- The state that an entry left behind, whole: what was wrong with it ('' when nothing was; not known of entries from
-- before), and the values that its schema version did not show.
ALTER TABLE change_log ADD COLUMN errors TEXT;
ALTER TABLE change_log ADD COLUMN hidden TEXT;

-- One dataset's entries in the order of their commits.
CREATE INDEX change_log_of_dataset ON change_log (place >> 40);

-- The newest entry about the dataset that is not kept any more because of its age; 0 while all are.
ALTER TABLE dataset_state ADD COLUMN changes_lost INTEGER NOT NULL DEFAULT 0;

-- How far each webhook has come, and what it gave up to deliver.
CREATE TABLE deliveries (
  webhook TEXT PRIMARY KEY,
  document TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE dead_letters (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  webhook TEXT NOT NULL,
  document TEXT NOT NULL
) STRICT;
CREATE INDEX dead_letters_of_webhook ON dead_letters (webhook, number);
