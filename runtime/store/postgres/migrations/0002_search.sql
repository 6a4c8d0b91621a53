-- The search index: what is found of records, in tables that hold no record and can be made anew at any time.

-- How far it has come: one row, none while it was told nothing.
CREATE TABLE search_progress (
  id bigint PRIMARY KEY,
  format bigint NOT NULL,
  document text NOT NULL
);

-- The records that are in it, each with the schema version by which it was read.
CREATE TABLE search_records (
  dataset bigint NOT NULL,
  sequence bigint NOT NULL,
  version bigint NOT NULL,
  PRIMARY KEY (dataset, sequence)
);

-- The words of a field: as they stand, value by value, and as what is looked up.
CREATE TABLE search_words (
  dataset bigint NOT NULL,
  sequence bigint NOT NULL,
  field text COLLATE "C" NOT NULL,
  words text COLLATE "C" NOT NULL,
  lexemes tsvector NOT NULL,
  PRIMARY KEY (dataset, sequence, field)
);
CREATE INDEX search_words_lexemes ON search_words USING gin (lexemes);

-- The keys of a field, in bytes that stand in the order of the keys.
CREATE TABLE search_keys (
  dataset bigint NOT NULL,
  field text COLLATE "C" NOT NULL,
  sequence bigint NOT NULL,
  key bytea NOT NULL,
  PRIMARY KEY (dataset, sequence, field, key)
);
CREATE INDEX search_keys_order ON search_keys (dataset, field, key, sequence);

-- What a field lacks: a value ('missing'), a place in its order ('unread'), or what a rule asks ('fault').
CREATE TABLE search_marks (
  dataset bigint NOT NULL,
  field text COLLATE "C" NOT NULL,
  sequence bigint NOT NULL,
  kind text COLLATE "C" NOT NULL,
  rule text COLLATE "C" NOT NULL,
  PRIMARY KEY (dataset, sequence, field, kind, rule)
);
CREATE INDEX search_marks_order ON search_marks (dataset, kind, field, rule, sequence);
