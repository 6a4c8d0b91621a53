-- purge_to_settle = the newest entry of the change log that is a purge which somebody asked for, as long as jobs of the dataset
-- may still keep what was purged; 0 where none does.
ALTER TABLE dataset_state ADD COLUMN purge_to_settle bigint NOT NULL DEFAULT 0;
