-- The search index in fewer rows and smaller indexes. It is made anew by who comes next: its format is another one.
DROP TABLE search_words;
DROP TABLE search_keys;

-- The words of a record, one text a field: as they stand, value by value. lexemes = what is looked up, of all of them. A record
-- of more words than one row takes has several, a field in one of them each.
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

-- The keys of a field, in bytes that stand in the order of the keys. A record's own are found by an index whose entries are
-- the same for all of them, which takes them together.
CREATE TABLE search_keys (
  dataset bigint NOT NULL,
  field text COLLATE "C" NOT NULL,
  sequence bigint NOT NULL,
  key bytea NOT NULL,
  PRIMARY KEY (dataset, field, key, sequence)
);
CREATE INDEX search_keys_record ON search_keys (dataset, sequence);
