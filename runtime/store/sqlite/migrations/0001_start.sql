-- Everything but records: one JSON document a row.
CREATE TABLE catalog (
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  document TEXT NOT NULL,
  PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;

-- What was done to the catalog.
CREATE TABLE audit (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant TEXT NOT NULL,
  entry TEXT NOT NULL
) STRICT;
CREATE INDEX audit_of_tenant ON audit (tenant, number);

-- One row a dataset that has had a record.
CREATE TABLE dataset_state (
  dataset INTEGER PRIMARY KEY,
  records INTEGER NOT NULL,
  errored INTEGER NOT NULL,
  last_sequence INTEGER NOT NULL
) STRICT;

-- place = dataset << 40 | sequence: the order of creation and the look-up by id in one.
-- last_change = the newest entry of the change log about it.
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
  body TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX records_live_key ON records (dataset, primary_key)
  WHERE deleted = 0 AND primary_key IS NOT NULL;
CREATE INDEX records_deleted ON records (dataset, place) WHERE deleted = 1;

-- Every write of a record, with its values. prior = the entry before about the same record, so that a
-- record's past is found without an index. The newest row is never removed: numbers are not used twice.
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
  after TEXT
) STRICT;
