-- The bytes of files of jobs that a tenant has at most in each folder that servers keep them in: what is taken is added, what
-- was removed goes when a server that sees the folder counts. A row without a folder is what takings wait for one another by.
CREATE TABLE job_room (
  tenant text COLLATE "C" NOT NULL,
  folder text COLLATE "C" NOT NULL,
  bytes_at_most bigint NOT NULL,
  counted_at bigint NOT NULL,
  PRIMARY KEY (tenant, folder)
);
