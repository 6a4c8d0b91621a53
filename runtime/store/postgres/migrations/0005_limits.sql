-- What is left of allowances that all servers share, such as of tries at a password: the moment, in microseconds, at which
-- all of it is back. Who has everything has no row.
CREATE TABLE allowances (
  name text COLLATE "C" PRIMARY KEY,
  whole_at bigint NOT NULL
);
CREATE INDEX allowances_whole_at ON allowances (whole_at);

-- The bytes of files that a tenant has at most: what is put is added, what is removed goes when it is summed up anew.
CREATE TABLE file_room (
  tenant text COLLATE "C" PRIMARY KEY,
  bytes_at_most bigint NOT NULL
);
