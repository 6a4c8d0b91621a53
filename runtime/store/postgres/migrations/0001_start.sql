-- Numbers that rise: the versions of the catalog and of issued credentials, the newest entry of the change log, jobs,
-- failed webhook deliveries. The transaction that takes a number locks its row until it commits.
CREATE TABLE counters (
  name text PRIMARY KEY,
  value bigint NOT NULL
);
INSERT INTO counters (name, value) VALUES
  ('catalog', 0), ('issued', 0), ('log', 0), ('jobs', 0), ('dead_letters', 0), ('proof', 0);

-- One row for each transaction that wrote: after a connection is lost, it shows whether the transaction committed.
CREATE TABLE commits (
  id bigint PRIMARY KEY,
  at bigint NOT NULL
);
CREATE INDEX commits_at ON commits (at);

-- Everything but records: one JSON document a row, with the version of the catalog that wrote it. A deleted resource
-- is a row without a document, so that other servers see the deletion.
CREATE TABLE catalog (
  kind text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  document text,
  PRIMARY KEY (kind, id)
);
CREATE INDEX catalog_version ON catalog (version);

-- Tokens and sessions, stored in the same way with a version of their own.
CREATE TABLE issued (
  kind text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  document text,
  PRIMARY KEY (kind, id)
);
CREATE INDEX issued_version ON issued (version);

-- Changes to the catalog. own_number counts within one tenant.
CREATE TABLE audit_state (
  tenant text COLLATE "C" PRIMARY KEY,
  last_number bigint NOT NULL
);
CREATE TABLE audit (
  tenant text COLLATE "C" NOT NULL,
  own_number bigint NOT NULL,
  incident boolean NOT NULL,
  at bigint NOT NULL,
  entry text NOT NULL,
  PRIMARY KEY (tenant, own_number)
);
CREATE INDEX audit_incidents ON audit (tenant, own_number) WHERE incident;
CREATE INDEX audit_at ON audit (at);

-- One row for each dataset that has had a record; a write of a record locks it.
-- last_change = the newest entry of the change log about the dataset.
-- changes_lost = the newest entry that was removed because of its age.
-- purge_to_settle = the newest entry that is a requested purge, as long as jobs of the dataset may still hold the
-- purged values; 0 if none does.
CREATE TABLE dataset_state (
  dataset bigint PRIMARY KEY,
  records bigint NOT NULL,
  errored bigint NOT NULL,
  last_sequence bigint NOT NULL,
  last_change bigint NOT NULL,
  changes_lost bigint NOT NULL,
  purge_to_settle bigint NOT NULL DEFAULT 0
);

-- primary_key = its text, or a substitute if that is too long for an index.
CREATE TABLE records (
  dataset bigint NOT NULL,
  sequence bigint NOT NULL,
  nonce bigint NOT NULL,
  version bigint NOT NULL,
  schema_version bigint NOT NULL,
  deleted boolean NOT NULL,
  last_change bigint NOT NULL,
  primary_key text COLLATE "C",
  errors text,
  hidden text,
  body text NOT NULL,
  PRIMARY KEY (dataset, sequence)
);
CREATE UNIQUE INDEX records_live_key ON records (dataset, primary_key)
  WHERE NOT deleted AND primary_key IS NOT NULL;
CREATE INDEX records_live ON records (dataset, sequence) WHERE NOT deleted;
CREATE INDEX records_deleted ON records (dataset, sequence) WHERE deleted;

-- Every write of a record.
-- prior = the previous entry about the same record, so that a record's history is found without an index.
-- after = empty if the values stand elsewhere: in the record's row, or in what the next entry changes.
-- before = how the values before differ from those after.
-- digest = of the values after the entry, so that wrong ones are recognized.
CREATE TABLE change_log (
  dataset bigint NOT NULL,
  number bigint NOT NULL,
  sequence bigint NOT NULL,
  nonce bigint NOT NULL,
  action text NOT NULL,
  version bigint NOT NULL,
  schema_version bigint NOT NULL,
  at bigint NOT NULL,
  actor text NOT NULL,
  prior bigint,
  before text,
  after text,
  errors text,
  hidden text,
  digest bigint,
  PRIMARY KEY (dataset, number)
);
CREATE INDEX change_log_number ON change_log (number);
-- Its deletions: a list of deleted records begins with the newest. Retention keeps the deletion of each record that is deleted.
CREATE INDEX change_log_deletions ON change_log (dataset, number) WHERE action = 'delete';

-- The whole values after some entries: a search far back in the history begins there and not at the record.
CREATE TABLE past_states (
  dataset bigint NOT NULL,
  sequence bigint NOT NULL,
  number bigint NOT NULL,
  body text NOT NULL,
  PRIMARY KEY (dataset, sequence, number)
);
CREATE INDEX past_states_number ON past_states (number);

-- The properties of uploaded files; their contents are stored elsewhere.
CREATE TABLE files (
  id text COLLATE "C" PRIMARY KEY,
  dataset text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  condemned_at bigint,
  size bigint NOT NULL,
  document text NOT NULL
);
CREATE INDEX files_of_dataset ON files (dataset, created_at);

-- Work that goes on after its request was answered.
CREATE TABLE jobs (
  id text COLLATE "C" PRIMARY KEY,
  number bigint NOT NULL,
  tenant text COLLATE "C" NOT NULL,
  dataset text COLLATE "C" NOT NULL,
  schema text COLLATE "C" NOT NULL,
  maker text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  state text NOT NULL,
  is_cancelling boolean NOT NULL,
  lease_holder text,
  lease_until bigint NOT NULL,
  ended_at bigint,
  has_files boolean NOT NULL,
  document text NOT NULL
);
CREATE INDEX jobs_of_tenant ON jobs (tenant, number);
CREATE INDEX jobs_under_way ON jobs (number) WHERE state IN ('queued', 'running');
CREATE INDEX jobs_ended ON jobs (has_files, ended_at) WHERE ended_at IS NOT NULL;

-- The position of each webhook, and the deliveries that it gave up.
CREATE TABLE deliveries (
  webhook text COLLATE "C" PRIMARY KEY,
  document text NOT NULL
);
CREATE TABLE dead_letters (
  webhook text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  document text NOT NULL,
  PRIMARY KEY (webhook, number)
);

-- The search index, in tables that can be rebuilt from the records at any time.

-- The progress of the index: one row, or none before its first entry.
CREATE TABLE search_progress (
  id bigint PRIMARY KEY,
  format bigint NOT NULL,
  document text NOT NULL
);

-- The indexed records, each with the schema version by which it was read.
CREATE TABLE search_records (
  dataset bigint NOT NULL,
  sequence bigint NOT NULL,
  version bigint NOT NULL,
  PRIMARY KEY (dataset, sequence)
);

-- The words of a record, one text a field, as they stand. lexemes = the search terms of all its fields. A record with more
-- words than fit into one row has several rows, each with some of its fields.
CREATE TABLE search_words (
  dataset bigint NOT NULL,
  sequence bigint NOT NULL,
  part bigint NOT NULL,
  fields text[] COLLATE "C" NOT NULL,
  words text[] COLLATE "C" NOT NULL,
  lexemes tsvector NOT NULL,
  PRIMARY KEY (dataset, sequence, part)
);
CREATE INDEX search_words_lexemes ON search_words USING gin (lexemes);

-- The keys of a field, as bytes that sort like the keys. An index that has the same entry for all keys of a record finds
-- those of one record.
CREATE TABLE search_keys (
  dataset bigint NOT NULL,
  field text COLLATE "C" NOT NULL,
  sequence bigint NOT NULL,
  key bytea NOT NULL,
  PRIMARY KEY (dataset, field, key, sequence)
);
CREATE INDEX search_keys_record ON search_keys (dataset, sequence);

-- What a field lacks: a value ('missing'), a position in its order ('unread'), or what a rule requires ('fault').
CREATE TABLE search_marks (
  dataset bigint NOT NULL,
  field text COLLATE "C" NOT NULL,
  sequence bigint NOT NULL,
  kind text COLLATE "C" NOT NULL,
  rule text COLLATE "C" NOT NULL,
  PRIMARY KEY (dataset, sequence, field, kind, rule)
);
CREATE INDEX search_marks_order ON search_marks (dataset, kind, field, rule, sequence);

-- Work that one server does at a time: which one, and until when no other takes it over.
CREATE TABLE leases (
  name text COLLATE "C" PRIMARY KEY,
  holder text NOT NULL,
  held_until bigint NOT NULL
);

-- The progress of a move into this store: one row while it runs. Nobody else opens the store until it ends.
CREATE TABLE moves (
  id bigint PRIMARY KEY,
  document text NOT NULL
);

-- Allowances that all servers share, such as attempts at a password. whole_at = when all of it is available again, in
-- microseconds; an untouched allowance has no row.
CREATE TABLE allowances (
  name text COLLATE "C" PRIMARY KEY,
  whole_at bigint NOT NULL
);
CREATE INDEX allowances_whole_at ON allowances (whole_at);

-- An upper bound of the bytes of a tenant's files: uploads add to it, and each new sum subtracts removed files.
CREATE TABLE file_room (
  tenant text COLLATE "C" PRIMARY KEY,
  bytes_at_most bigint NOT NULL
);

-- The same for files of jobs, for each folder that servers store them in. A server that sees the folder recounts. A
-- tenant's row without a folder is the lock of those who add.
CREATE TABLE job_room (
  tenant text COLLATE "C" NOT NULL,
  folder text COLLATE "C" NOT NULL,
  bytes_at_most bigint NOT NULL,
  counted_at bigint NOT NULL,
  PRIMARY KEY (tenant, folder)
);

-- The records of each dataset at the end of a day, and how many of them were faulty. day = days since 1970-01-01 in UTC;
-- the current day's row is replaced until the day is over.
CREATE TABLE daily_counts (
  dataset bigint NOT NULL,
  day bigint NOT NULL,
  records bigint NOT NULL,
  errored bigint NOT NULL,
  PRIMARY KEY (dataset, day)
);
CREATE INDEX daily_counts_day ON daily_counts (day);
