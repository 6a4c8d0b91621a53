-- Every stretch of places that were given and hold no live record, as long as it is: a page of live records
-- jumps over it. What is purged stays in its gap.
CREATE TABLE gaps (
  first INTEGER PRIMARY KEY,
  last INTEGER NOT NULL
) STRICT;

-- What lies between two live records, before the first, and between the last and the end, for which the
-- place behind the last one given stands.
INSERT INTO gaps (first, last)
SELECT before + 1, place - 1 FROM (
  SELECT place, lag(place, 1, dataset << 40) OVER (PARTITION BY dataset ORDER BY place) AS before FROM (
    SELECT place, dataset FROM records WHERE deleted = 0
    UNION ALL SELECT (dataset << 40) + last_sequence + 1, dataset FROM dataset_state))
WHERE place - before > 1;
