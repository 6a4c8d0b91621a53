-- What one server does at a time, whichever it is: by whom, and until when nobody else takes it over.
CREATE TABLE leases (
  name text COLLATE "C" PRIMARY KEY,
  holder text NOT NULL,
  held_until bigint NOT NULL
);
