-- Everything but records: one JSON document a row.
CREATE TABLE catalog (
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  document TEXT NOT NULL,
  PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;

-- The number of changes to the catalog; a catalog in memory compares itself with it.
CREATE TABLE catalog_version (
  version INTEGER NOT NULL
) STRICT;
INSERT INTO catalog_version (version) VALUES (0);

-- Changes to the catalog. own_number counts within one tenant, so that nobody learns from it how much others do.
-- incident = 1: an entry about a refusal. Their number is limited, and the oldest are removed first.
CREATE TABLE audit (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant TEXT NOT NULL,
  entry TEXT NOT NULL,
  own_number INTEGER NOT NULL,
  incident INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX audit_own_number ON audit (tenant, own_number);
CREATE INDEX audit_incidents ON audit (tenant, own_number) WHERE incident = 1;

-- One row for each dataset that has had a record.
-- changes_lost = the newest entry of the change log that was removed because of its age; 0 if there is none.
-- purge_to_settle = the newest entry that is a requested purge, as long as jobs of the dataset may still hold the
-- purged values; 0 if none does.
CREATE TABLE dataset_state (
  dataset INTEGER PRIMARY KEY,
  records INTEGER NOT NULL,
  errored INTEGER NOT NULL,
  last_sequence INTEGER NOT NULL,
  changes_lost INTEGER NOT NULL DEFAULT 0,
  purge_to_settle INTEGER NOT NULL DEFAULT 0
) STRICT;

-- place = dataset << 40 | sequence: the order of creation and the look-up by id in one.
-- last_change = the newest entry of the change log about the record.
-- checksum = of the other columns; every read compares it, which finds what a disk has changed.
CREATE TABLE records (
  place INTEGER PRIMARY KEY,
  nonce INTEGER NOT NULL,
  dataset INTEGER NOT NULL,
  version INTEGER NOT NULL,
  schema_version INTEGER NOT NULL,
  deleted INTEGER NOT NULL,
  last_change INTEGER NOT NULL,
  primary_key TEXT,
  errors TEXT,
  hidden TEXT,
  body TEXT NOT NULL,
  checksum INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX records_live_key ON records (dataset, primary_key)
  WHERE deleted = 0 AND primary_key IS NOT NULL;
CREATE INDEX records_deleted ON records (dataset, place) WHERE deleted = 1;

-- Every maximal range of used places without a live record: a page of live records jumps over it. Purged places stay
-- in their gap.
CREATE TABLE gaps (
  first INTEGER PRIMARY KEY,
  last INTEGER NOT NULL
) STRICT;

-- Every write of a record. The newest row is never removed: numbers are not used twice.
-- prior = the previous entry about the same record, so that a record's history is found without an index.
-- after = empty if the values stand elsewhere: in the record's row, or in what the next entry changes.
-- before = how the values before differ from those after.
-- errors, hidden = of the state after the entry: its faults, if it had any, and the values that its schema
-- version did not show.
CREATE TABLE change_log (
  number INTEGER PRIMARY KEY,
  place INTEGER NOT NULL,
  nonce INTEGER NOT NULL,
  action TEXT NOT NULL,
  version INTEGER NOT NULL,
  schema_version INTEGER NOT NULL,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  prior INTEGER,
  before TEXT,
  after TEXT,
  checksum INTEGER NOT NULL,
  errors TEXT,
  hidden TEXT
) STRICT;
-- One dataset's entries in the order of their commits.
CREATE INDEX change_log_of_dataset ON change_log (place >> 40);
-- Its deletions: a list of deleted records begins with the newest. Retention keeps the deletion of each record that is deleted.
CREATE INDEX change_log_deletions ON change_log (place >> 40) WHERE action = 'delete';

-- The whole values after some entries: a search far back in the history begins there and not at the record.
CREATE TABLE past_states (
  place INTEGER NOT NULL,
  number INTEGER NOT NULL,
  body TEXT NOT NULL,
  checksum INTEGER NOT NULL,
  PRIMARY KEY (place, number)
) STRICT, WITHOUT ROWID;

-- The properties of uploaded files; their contents are stored elsewhere. condemned_at = since when no record refers to
-- the file.
CREATE TABLE files (
  id TEXT PRIMARY KEY,
  dataset TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  condemned_at INTEGER,
  document TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX files_of_dataset ON files (dataset, created_at);

-- Work that goes on after its request was answered. lease_until = until when a worker holds the job;
-- has_files = 1: its maker may still download something.
CREATE TABLE jobs (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  tenant TEXT NOT NULL,
  dataset TEXT NOT NULL,
  maker TEXT NOT NULL,
  state TEXT NOT NULL,
  is_cancelling INTEGER NOT NULL DEFAULT 0,
  lease_holder TEXT,
  lease_until INTEGER NOT NULL DEFAULT 0,
  ended_at INTEGER,
  has_files INTEGER NOT NULL DEFAULT 0,
  document TEXT NOT NULL
) STRICT;
CREATE INDEX jobs_of_tenant ON jobs (tenant, number);
CREATE INDEX jobs_under_way ON jobs (state, number) WHERE state IN ('queued', 'running');
CREATE INDEX jobs_ended ON jobs (has_files, ended_at) WHERE ended_at IS NOT NULL;

-- The position of each webhook, and the deliveries that it gave up.
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

-- The records of each dataset at the end of a day, and how many of them were faulty. day = days since 1970-01-01 in UTC;
-- the current day's row is replaced until the day is over.
CREATE TABLE daily_counts (
  dataset INTEGER NOT NULL,
  day INTEGER NOT NULL,
  records INTEGER NOT NULL,
  errored INTEGER NOT NULL,
  PRIMARY KEY (dataset, day)
) STRICT, WITHOUT ROWID;
CREATE INDEX daily_counts_day ON daily_counts (day);

-- The progress of a move into this store: one row while it runs. Nobody else opens the store until it ends.
CREATE TABLE moves (
  id INTEGER PRIMARY KEY,
  document TEXT NOT NULL
) STRICT;

-- One row that is written to test whether the store takes writes: as many pages as a record touches.
CREATE TABLE write_proof (
  number INTEGER NOT NULL,
  room BLOB NOT NULL
) STRICT;
INSERT INTO write_proof (number, room) VALUES (0, x'');

-- The store's identity, the number of its commits, and whether it was closed cleanly: one row, written with every
-- commit. It shows whether a write-ahead log belongs to this database.
CREATE TABLE commit_mark (
  id INTEGER PRIMARY KEY,
  mark BLOB NOT NULL
) STRICT;
INSERT INTO commit_mark (id, mark) VALUES
  (1, CAST(x'5f1d9c42a7e04b3e8c6ad20f71b893e5' || randomblob(8) || x'000000000000000001' AS BLOB));
