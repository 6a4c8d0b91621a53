-- What is known of uploaded files; their content is kept elsewhere. condemned = since when no record
-- refers to it.
CREATE TABLE files (
  id TEXT PRIMARY KEY,
  dataset TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  condemned_at INTEGER,
  document TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX files_of_dataset ON files (dataset, created_at);
