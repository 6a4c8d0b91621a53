-- Work that goes on when the request that asked for it was answered. lease_until = until when someone works on it;
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
