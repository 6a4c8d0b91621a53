-- How many changes the catalog has had: what a catalog in memory is compared by.
CREATE TABLE catalog_version (
  version INTEGER NOT NULL
) STRICT;
INSERT INTO catalog_version (version) VALUES (0);
