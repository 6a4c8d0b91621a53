-- How many records each dataset had at the end of a day, and how many of them were faulty. day = how many days after 1970
-- began, in UTC; the row of the day that is under way is replaced until it is over.
CREATE TABLE daily_counts (
  dataset bigint NOT NULL,
  day bigint NOT NULL,
  records bigint NOT NULL,
  errored bigint NOT NULL,
  PRIMARY KEY (dataset, day)
);
CREATE INDEX daily_counts_day ON daily_counts (day);
