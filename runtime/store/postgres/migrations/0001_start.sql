-- Numbers that rise: the versions of the catalog and of what is issued, the newest entry of the change log, jobs, letters
-- that could not be delivered. Each is a row of its own, locked by whoever takes the next number until that is committed.
CREATE TABLE counters (
  name text PRIMARY KEY,
  value bigint NOT NULL
);
INSERT INTO counters (name, value) VALUES
  ('catalog', 0), ('issued', 0), ('log', 0), ('jobs', 0), ('dead_letters', 0), ('proof', 0);

-- One row a transaction that wrote: who lost the connection while it committed learns here whether it did.
CREATE TABLE commits (
  id bigint PRIMARY KEY,
  at bigint NOT NULL
);
CREATE INDEX commits_at ON commits (at);

-- Everything but records: one JSON document a row, with the version of the catalog that wrote it. What is gone is a row
-- without a document, so that other servers learn of it.
CREATE TABLE catalog (
  kind text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  document text,
  PRIMARY KEY (kind, id)
);
CREATE INDEX catalog_version ON catalog (version);

-- Tokens and sessions, in the same way and by a version of their own.
CREATE TABLE issued (
  kind text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  document text,
  PRIMARY KEY (kind, id)
);
CREATE INDEX issued_version ON issued (version);

-- What was done to the catalog. Numbers of the trail are each tenant's own.
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

-- One row a dataset that has had a record; who writes a record locks it. last_change = the newest entry of the change log
-- about the dataset, changes_lost = the newest one that is not kept any more because of its age.
CREATE TABLE dataset_state (
  dataset bigint PRIMARY KEY,
  records bigint NOT NULL,
  errored bigint NOT NULL,
  last_sequence bigint NOT NULL,
  last_change bigint NOT NULL,
  changes_lost bigint NOT NULL
);

-- primary_key = its text, or what stands for it where that is too long for an index.
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

-- Every write of a record, with its values before and after, whole. prior = the entry before about the same record, so
-- that a record's past is found without an index.
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
  PRIMARY KEY (dataset, number)
);
CREATE INDEX change_log_number ON change_log (number);

-- What is known of uploaded files; their content is kept elsewhere.
CREATE TABLE files (
  id text COLLATE "C" PRIMARY KEY,
  dataset text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  condemned_at bigint,
  size bigint NOT NULL,
  document text NOT NULL
);
CREATE INDEX files_of_dataset ON files (dataset, created_at);

-- Work that goes on when the request that asked for it was answered.
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

-- How far each webhook has come, and what it gave up to deliver.
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
